"""The pinned cell of two runs: both numbers, how each came about, and its row in both."""

import html
from collections.abc import Sequence
from typing import Final

import numpy as np
import streamlit as st

from app import state
from app.data.attention import scope_of
from app.data.walk import Cell
from app.format import share, signed
from app.i18n import _
from app.inspector.both import draw_both_bars, draw_calculation, further
from app.inspector.panel import ask, calculation_of, draw_panel
from app.state import Param, Pin, one_of
from app.ui.buttons import quiet_button
from app.views.translate.comparison import Comparison, Place, Side

ASKED_SIDE: Final = Param[str]("asked", "", one_of("A", "B"))  # of the number that is open


def draw_compared_cell(comparison: Comparison, *, beside: bool) -> None:
    """Draw what is pinned; as long as nothing is, the cell that differs most.

    The two calculations stand `beside` each other where there is room.
    """
    pin = comparison.map.pin
    if pin is None:
        pin = _most_different(comparison)
        if pin is None:
            st.caption(_("The two runs have no cell in common: click one to see its number."))
            return
        st.caption(_("Click a cell to pin it. Until then, this is where the runs differ most."))
    else:
        quiet_button(_("Unpin"), "unpin", "keep_off", state.PIN.set, None)
    _draw_numbers(comparison, pin)
    if pin.query is not None and pin.key is not None:
        queries, keys = comparison.rows.tokens(pin.query), comparison.cols.tokens(pin.key)
        columns = st.columns(2, gap="medium") if beside else (st.container(), st.container())
        for run, column in enumerate(columns):
            with column:
                _draw_calculation(comparison, run, (queries[run], keys[run]))
        if state.MERGE.get() or state.HIDE.get():
            st.caption(
                _("These numbers belong to the pinned tokens, before tokens are merged or hidden.")
            )
    _draw_bars(comparison, pin)


def _most_different(comparison: Comparison) -> Pin | None:
    apart = np.nan_to_num(np.abs(comparison.more), nan=-1)
    if apart.max() < 0:
        return None
    row, col = np.unravel_index(int(apart.argmax()), apart.shape)
    return Pin(int(row), int(col))


def _draw_numbers(comparison: Comparison, pin: Pin) -> None:
    """Say who looks at whom, in text that is no Markdown, with the numbers below it."""
    places = ((comparison.row_names, pin.query), (comparison.cols.labels, pin.key))
    names = [f"<b>{html.escape(labels[at])}</b>" for labels, at in places if at is not None]
    numbers = ""
    if pin.query is not None and pin.key is not None:
        at = pin.query, pin.key
        before, after = (float(weights[at]) for weights in comparison.weights)
        more = after - before
        numbers = "".join(
            f"<div><small>{name}</small>{_('none') if np.isnan(number) else write(number, 4)}</div>"
            for name, number, write in (
                ("A", before, share),
                ("B", after, share),
                ("B − A", more, signed),
            )
        )
    st.html(
        f'<div class="compared" data-testid="compared-cell"><div>{" → ".join(names)}</div>'
        f"<div>{numbers}</div></div>"
    )


def _draw_calculation(comparison: Comparison, run: int, tokens: Place) -> None:
    """Show where the number of one run comes from, in its own model's numbers."""
    side, look = (comparison.a, comparison.b)[run], comparison.looks[run]
    query, key = tokens
    if query is None or key is None:
        st.caption(_("{run}: the number is not there.").format(run=side.title))
    elif not isinstance(look.head, int):
        text = _("{run}: several heads are joined here. Choose one to see its calculation.")
        st.caption(text.format(run=side.title))
    elif not look.is_open(query, key):
        says = _("{run}: this cell is masked: its score becomes −∞, and its weight 0.")
        st.caption(says.format(run=side.title))
    else:
        name = f"{scope_of(side.walk, look.kind, look.layer)}.weights"
        _draw_opened(side, Cell(name, (look.head, query, key)))


def _draw_opened(side: Side, cell: Cell) -> None:
    """Draw how a number of one run came about; once asked, one step up after the other."""
    if ASKED_SIDE.get() == side.title and calculation_of(side.walk) is not None:
        draw_panel(side.walk)
        return
    draw_calculation(side.walk, cell, side.title)
    further(f"further-{side.title}", _ask, side.title, cell)


def _ask(title: str, cell: Cell) -> None:
    ASKED_SIDE.set(title)
    ask(cell)


def _draw_bars(comparison: Comparison, pin: Pin) -> None:
    """Draw the row, or else the column, of both runs side by side."""
    before, after = comparison.weights
    labels: Sequence[str]
    if pin.query is not None:
        labels, title = comparison.cols.labels, _("Its row: where it looks")
        before, after = before[pin.query], after[pin.query]
    else:
        labels, title = comparison.row_names, _("Its column: who looks at it")
        before, after = before[:, pin.key], after[:, pin.key]
    draw_both_bars(("A", "B"), before, after, labels, title)
