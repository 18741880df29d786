"""One number in both runs: the original one, the changed one, and how each came about."""

from collections.abc import Sequence

import streamlit as st

from app.charts.pairs import Series, pair_bars
from app.charts.theme import Floats
from app.data.changed import Difference
from app.data.walk import Cell, Walk
from app.format import short, signed
from app.i18n import _
from app.inspect.changes import run_name
from app.inspect.naming import cell_name
from app.ui.chart import show_chart
from app.ui.table import Columns


def draw_both(runs: Difference, before: Cell, after: Cell) -> None:
    """Draw a number of both runs of the same translation, each with its own calculation."""
    draw_calculation(runs.before, before, run_name("before"))
    draw_calculation(runs.after, after, run_name("after"))


def draw_calculation(walk: Walk, cell: Cell, run: str) -> None:
    """Draw the number of one run with its calculation, if it has it."""
    if not walk.has(cell):
        st.caption(_("{run}: the number is not there.").format(run=run))
        return
    calculation = walk.explain(cell)
    st.markdown(f"**{run}: {short(calculation.recomputed, 6)}**")
    st.markdown(f"$$\n{calculation.numbers}\n$$")


def draw_both_bars(
    names: tuple[str, str], before: Floats, after: Floats, labels: Sequence[str], title: str
) -> None:
    """Draw the weights (N,) of two runs side by side; NaN has no bar."""
    runs: list[Series] = [(names[0], "residual", before), (names[1], "key", after)]
    figure = pair_bars(runs, labels, value_title=_("weight"), span=(0, 1.12))

    def columns() -> Columns:
        numbers = {names[0]: before.tolist(), names[1]: after.tolist()}
        return {_("word"): list(labels), **numbers}

    show_chart(figure, "pinned-both", title, columns, caption=title)


def compared(walk: Walk, beside: Walk, cell: Cell) -> str:
    """Return what a number was in another run, and how much more it is here."""
    if not beside.has(cell):
        return _("not there in the original run")
    before = beside.numbers.at(cell)
    if cell_name(walk, cell) != cell_name(beside, cell):
        says = _("in the original run, another word is at this place: {before}")
        return says.format(before=short(before, 6))
    more = walk.numbers.at(cell) - before
    return _("in the original run: {before}, difference {more}").format(
        before=short(before, 6), more=signed(more, 6)
    )
