"""One number in both runs: the original one, the changed one, and how each came about."""

import streamlit as st

from app.data.changed import Difference
from app.data.walk import Cell, Walk
from app.format import short, signed
from app.i18n import _
from app.inspect.changes import run_name
from app.inspect.naming import cell_name


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
