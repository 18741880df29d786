"""The original run and the changed one side by side: their numbers, and what they write."""

import html
from collections.abc import Callable, Collection, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

import streamlit as st

from app import state
from app.charts.bars import Series, pair_bars
from app.charts.theme import Floats
from app.data.changed import Changed, Difference
from app.data.walk import Cell, Walk
from app.format import short, signed
from app.i18n import _
from app.inspector.changes import run_name
from app.inspector.naming import cell_name
from app.ui.buttons import quiet_button
from app.ui.chart import show_chart
from app.ui.chosen import pair
from app.ui.kept import show_html
from app.ui.table import Columns


def draw_both(runs: Difference, before: Cell, after: Cell) -> None:
    """Draw a number of both runs of the same translation, each with its own calculation."""
    both: tuple[tuple[state.Run, Walk, Cell], ...] = (
        ("before", runs.before, before),
        ("after", runs.after, after),
    )
    for run, walk, cell in both:
        draw_calculation(walk, cell, run_name(run))
        further(f"further-{run}", _ask, run, cell)


def further(key: str, on_click: Callable[..., None], *args: object) -> None:
    """Draw the button that opens a number, so that one can ask on from there."""
    quiet_button(_("Ask further"), key, "search", on_click, *args)


def _ask(run: state.Run, cell: Cell) -> None:
    state.ASKED_RUN.set(run)
    state.ASKED.set(((cell.name, cell.index),))


def draw_calculation(walk: Walk, cell: Cell, run: str) -> None:
    """Draw the number of one run with its calculation, if it has it."""
    if not walk.has(cell):
        st.caption(_("{run}: the number is not there.").format(run=run))
        return
    calculation = walk.explain(cell)
    st.markdown(f"**{run}: {short(calculation.recomputed, 6)}**")
    st.markdown(f"$$\n{calculation.numbers}\n$$")


def line_of(
    row: int | None, col: int | None, rows: Sequence[str], cols: Sequence[str]
) -> tuple[tuple[int | slice, ...], Sequence[str], str]:
    """Return the row of a map (T, S) that is pinned, or else the column: index, labels, title."""
    if row is not None:
        return (row,), cols, _("Its row: where it looks")
    return (slice(None), col or 0), rows, _("Its column: who looks at it")


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
    """Return what a number is in the other run, and how much more it is in the changed one."""
    other: state.Run = "after" if state.ASKED_RUN.get() == "before" else "before"
    run = run_name(other)
    if not beside.has(cell):
        return _("{run}: the number is not there.").format(run=run)
    there, here = beside.numbers.at(cell), walk.numbers.at(cell)
    if cell_name(walk, cell) != cell_name(beside, cell):
        return _("{run}: a different word is at this place, {number}").format(
            run=run, number=short(there, 6)
        )
    more = here - there if other == "before" else there - here
    return _("{run}: {number}; after − before: {more}").format(
        run=run, number=short(there, 6), more=signed(more, 6)
    )


class RunText(NamedTuple):
    """A text of a run, with what stands before it, and its language."""

    title: str
    text: str
    language: str


def draw_translations(run: Changed) -> None:
    """Draw both translations of a changed run."""
    _source, target = pair(run.original.model)
    before, after = run.original.output, run.translation.output
    lines = RunText(run_name("before"), before, target), RunText(run_name("after"), after, target)
    draw_lines("both-runs", *lines)


def draw_lines(name: str, one: RunText, other: RunText) -> None:
    """Draw two texts; what only one of them has is marked, and not by colour alone."""
    before, after = one.text.split(), other.text.split()
    blocks = SequenceMatcher(None, before, after, autojunk=False).get_matching_blocks()
    in_before = {block.a + i for block in blocks for i in range(block.size)}
    in_after = {block.b + i for block in blocks for i in range(block.size)}
    rows = _line(one, before, in_before, "s") + _line(other, after, in_after, "mark")
    show_html(f'<div class="both-runs" data-testid="{name}">{rows}</div>')


def _line(line: RunText, words: Sequence[str], shared: Collection[int], tag: str) -> str:
    marked = " ".join(
        html.escape(word) if i in shared else f"<{tag}>{html.escape(word)}</{tag}>"
        for i, word in enumerate(words)
    )
    language = html.escape(line.language, quote=True)
    text = f'<span lang="{language}" translate="no">{marked or "∅"}</span>'
    return f"<small>{html.escape(line.title)}</small>{text}"
