"""Ask any number: its formula, its numbers, the result beside the model's, and one step up."""

import html
import logging
from collections.abc import Sequence
from typing import Final

import numpy as np
import streamlit as st

from app import state
from app.components.board import Grid, board
from app.data.walk import Block, Calculation, Cell, Walk, code, heaviest
from app.format import escape, power, short
from app.i18n import _
from app.inspect.naming import PARAM, array_name, cell_name, first_of, labels_of, role_of
from app.state import Trail
from app.ui.table import fold, table

log = logging.getLogger(__name__)
ABOUT: Final = "asked-about"
# Choices that leave the same numbers on the page.
STAY: Final = frozenset({"ask", "part", "all", "lang", "view", "mine", "lesson", "at"})
LONGEST, HEAVIEST = 1024, 12  # terms that are all drawn; of more, so many


def asked() -> Cell | None:
    """Return the number that was asked for last."""
    trail = state.ASKED.get()
    return Cell(*trail[-1]) if trail else None


def forget_stale(page: str) -> None:
    """Close the number that was asked for before another page, sentence, head or word was chosen.

    What an address asks for stays until then.
    """
    about = (page, *((name, raw) for name, raw in state.chosen().items() if name not in STAY))
    if st.session_state.setdefault(ABOUT, about) != about:
        st.session_state[ABOUT] = about
        state.ASKED.set(())


def calculation_of(walk: Walk, start: Cell | None = None) -> Calculation | None:
    """Return how the number asked for came to be, else the one to start from; None if not here."""
    for cell in (asked(), start):
        if cell is None:
            continue
        try:
            return walk.explain(cell)
        except ValueError as error:
            # The number of another sentence or model: the address outlives both.
            log.info("%s is not here: %s", cell, error)
    return None


def lit(walk: Walk) -> Sequence[Block]:
    """Return the cells that the number asked for came from."""
    calculation = calculation_of(walk)
    return calculation.sources if calculation and asked() == calculation.cell else ()


def draw_panel(walk: Walk, start: Cell | None = None) -> None:
    """Draw the calculation of the number asked for, or of the one to start from."""
    calculation = calculation_of(walk, start)
    key = "ask-open" if calculation and calculation.cell == asked() else "ask"
    with st.container(key=key, border=True, gap="small"):
        st.header(_("Ask any number"), anchor=False)
        if calculation is None:
            st.caption(_("Click a cell, or walk there with the arrow keys and press Enter."))
            return
        _draw_trail(walk, calculation)
        _draw_result(walk, calculation)
        st.markdown(f"$$\n{calculation.formula}\n$$\n\n$$\n{calculation.numbers}\n$$")
        _draw_sources(walk, calculation)
        _draw_up(walk, calculation)
        _draw_folds(walk, calculation)


def _draw_trail(walk: Walk, calculation: Calculation) -> None:
    """Offer the way back, number by number, and the way out."""
    trail = state.ASKED.get()
    if not trail or Cell(*trail[-1]) != calculation.cell:
        st.caption(_("An example; click any number to open it in its place."))
        return
    with st.container(horizontal=True, gap="small"):
        if len(trail) > 1:
            back = _("Back to {name}").format(name=array_name(trail[-2][0]))
            _draw_way(back, "arrow_back", trail[:-1], "ask-back")
        _draw_way(_("Close"), "close", (), "ask-close")


def _draw_way(label: str, icon: str, trail: Trail, key: str) -> None:
    icon, ask = f":material/{icon}:", state.ASKED.set
    st.button(label, icon=icon, on_click=ask, args=(trail,), key=key, type="tertiary")


def _draw_result(walk: Walk, calculation: Calculation) -> None:
    """Say which number it is, what we get and what the model got."""
    difference = calculation.difference
    if difference is None:
        compared = _("computed on this page from the model's numbers")
    else:
        compared = _("the model's: {captured}, difference {difference}").format(
            captured=_number(calculation.captured), difference=power(difference)
        )
    st.html(
        '<div data-testid="asked" style="overflow-wrap:anywhere;font-variant-numeric:tabular-nums">'
        f"<div>{html.escape(cell_name(walk, calculation.cell))}</div>"
        f'<div style="font-size:1.7rem;line-height:1.25">{_number(calculation.recomputed)}</div>'
        f'<div style="font-size:0.85rem">{html.escape(compared)}</div></div>'
    )


def _draw_sources(walk: Walk, calculation: Calculation) -> None:
    """Draw the vectors that the number was made of; their cells can be asked in turn."""
    lines = [block for block in calculation.sources if block.index.count(None) == 1]
    strips = [_strip(walk, block, _heaviest(calculation)) for block in lines]
    if strips:
        board(strips, key="ask-board", on_ask=lambda cell: _go_up(calculation.cell, cell))


def _heaviest(calculation: Calculation) -> tuple[int, ...] | None:
    """Return the places of the terms to draw where they are too many: those that weigh most."""
    if len(calculation.terms) <= LONGEST:
        return None
    order = np.argsort([-abs(term.product) for term in calculation.terms], kind="stable")
    return tuple(int(i) for i in order[:HEAVIEST])


def _strip(walk: Walk, block: Block, places: tuple[int, ...] | None) -> Grid:
    axis, values = block.index.index(None), np.asarray(walk.numbers.line(block))
    labels, note = labels_of(walk, block.name, axis), ""
    if places is not None:  # so long is a row over the vocabulary only
        note = _("the {n} that weigh most, of {all}").format(n=len(places), all=len(values))
        labels, values = [walk.token(i).text for i in places], values[list(places)]
    return Grid(
        name=block.name,
        index=block.index,
        values=values,
        title=_short(walk, block),
        role=role_of(block.name),
        scale="weights" if block.name.endswith(("weights", "mixing")) else "signed",
        col_labels=labels,
        cols=places,
        first=first_of(block.name),
        note=note,
    )


def _short(walk: Walk, block: Block) -> str:
    words = [
        f"“{labels[place]}”"
        for axis, place in enumerate(block.index)
        if place is not None and (labels := labels_of(walk, block.name, axis))
    ]
    return " ".join([array_name(block.name).rpartition(" · ")[2], *words])


def _draw_up(walk: Walk, calculation: Calculation) -> None:
    """Offer one step up: of each array that went in, the number that weighs most."""
    # What came from the sentence first, what was learned after it.
    parents = sorted(heaviest(calculation), key=lambda cell: cell.name.startswith(PARAM))
    if not parents:
        st.caption(
            _("Here the way ends: a number learned in training.")
            if calculation.cell.name.startswith(PARAM)
            else _("Here the way ends: this number comes from a formula, not from other numbers.")
        )
        return
    st.markdown("**{}**".format(_("Where does this come from?")))
    for i, parent in enumerate(parents):
        st.button(
            escape(f"{cell_name(walk, parent)} = {_number(walk.numbers.at(parent))}"),
            key=f"ask-up-{i}",
            on_click=_go_up,
            args=(calculation.cell, parent),
            type="tertiary",
            icon=":material/arrow_upward:",
            wrap=True,
        )


def _go_up(below: Cell, cell: Cell) -> None:
    trail = state.ASKED.get()
    if asked() != below:
        trail = ((below.name, below.index),)
    state.ASKED.set((*trail, (cell.name, cell.index)))


def _draw_folds(walk: Walk, calculation: Calculation) -> None:
    if calculation.terms:
        label, icon = _("All {n} terms").format(n=len(calculation.terms)), ":material/table:"
        fold(label, "ask-terms", icon, lambda: table(_terms(walk, calculation), "terms"))
    label, icon = _("The code that computes it"), ":material/code:"
    fold(label, "ask-code", icon, lambda: st.code(code(calculation.source), "python"))


def _terms(walk: Walk, calculation: Calculation) -> dict[str, list[str | float]]:
    columns: dict[str, list[str | float]] = {
        _("from"): [cell_name(walk, term.left) for term in calculation.terms],
        _("number"): [term.left_value for term in calculation.terms],
    }
    if any(term.right_value is not None for term in calculation.terms):
        columns[_("times")] = [float(term.right_value or 0.0) for term in calculation.terms]
    columns[_("gives")] = [term.product for term in calculation.terms]
    return columns


def _number(x: float | None) -> str:
    return "" if x is None else short(x, 6)
