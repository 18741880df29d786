"""Ask any number: the model's own beside it, one step up, its formula, and what could change it."""

import logging
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Final

import numpy as np
import streamlit as st

from app import state
from app.components.board import Grid, board
from app.components.opened import Number, Opened, opened
from app.data.changed import Change, change_types, read
from app.data.translation import Kind
from app.data.walk import ATTENTIONS, Calculation, Cell, CellBlock, Walk, code, heaviest
from app.format import escape, power, quoted, short, tex
from app.i18n import N_, _
from app.inspector.both import compared
from app.inspector.changes import add, pick_run, sentence
from app.inspector.naming import (
    PARAM,
    PER_HEAD,
    array_name,
    cell_name,
    first_of,
    labels_of,
    role_of,
)
from app.ui.table import fold, table

log = logging.getLogger(__name__)
ABOUT: Final = "asked-about"
END_LEARNED: Final = N_("The trail ends here: this number was learned in training.")
END_FORMULA: Final = N_(
    "The trail ends here: this number comes from a formula, not from other numbers."
)
# Choices that leave the same numbers on the page, if only with other values.
STAY: Final = frozenset(
    {"ask", "part", "all", "lang", "view", "mine", "lesson", "at", "branches", "begin", "wanted"}
    | {"change", "run", "of"}
)
LONGEST, HEAVIEST = 1024, 12  # terms: all are drawn up to the first number, else the heaviest
KIND_OF: Final[Mapping[tuple[str, str], Kind]] = {
    (one.stack, one.sublayer): kind for kind, one in ATTENTIONS.items()
}


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


def calculation_of(walk: Walk) -> Calculation | None:
    """Return how the number asked for came to be; None where none is, or it is not here."""
    cell = asked()
    if cell is None:
        return None
    try:
        return walk.explain(cell)
    except ValueError as error:
        # The number of another sentence or model: the address outlives both.
        log.info("%s is not here: %s", cell, error)
        return None


def lit(walk: Walk) -> Sequence[CellBlock]:
    """Return the cells that the number asked for came from."""
    calculation = calculation_of(walk)
    return calculation.sources if calculation else ()


def draw_panel(walk: Walk, original: Walk | None = None) -> None:
    """Draw the calculation of the number asked for; nothing as long as none is.

    With the `original` run, changes of it are offered. Of a changed run and the original one,
    either is asked: the same number in both stands beside each other, all the way up.
    """
    beside = None if original is walk else original
    if beside is not None and state.ASKED_RUN.get() == "before":
        walk, beside = beside, walk
    calculation = calculation_of(walk)
    if calculation is None:
        return
    with st.container(key="ask-open", border=True, gap="xsmall"):
        if beside is not None:
            pick_run(state.ASKED_RUN, _("Asked in"))
        way = enumerate((Cell(*place) for place in state.ASKED.get()), start=1)
        trail = [
            Number(cell, short_name(cell.name), cell_name(walk, cell), i)
            for i, cell in way
            if walk.has(cell)  # an address may name what is not here
        ]
        number = _opened(walk, calculation, beside, trail)
        opened(number, key="ask-number", on_go=partial(go, calculation.cell))
        st.markdown(f"$$\n{calculation.formula}\n$$\n\n$$\n{tex(calculation.numbers)}\n$$")
        if original is not None:
            draw_changes(original, calculation)
        if strips := _strips(walk, calculation):  # whose cells can be asked in turn
            board(strips, key="ask-board", on_ask=partial(go, calculation.cell))
        _draw_folds(walk, calculation)


def described(walk: Walk, calculation: Calculation) -> tuple[Opened, Sequence[Grid]]:
    """Return what the panel says of a number, and the vectors that it was made of."""
    return _opened(walk, calculation, None, ()), _strips(walk, calculation)


def short_name(name: str) -> str:
    """Return what the way to a number calls an array."""
    return array_name(name).rpartition(" · ")[2]


def _opened(
    walk: Walk, calculation: Calculation, beside: Walk | None, trail: Sequence[Number]
) -> Opened:
    """Describe the number, the way to it, and of each array that went in what weighs most."""
    cell = calculation.cell
    note = _("computed on this page from the model's numbers")
    if calculation.difference is not None:
        note = _("the model's own number: {captured}, difference {difference}").format(
            captured=_number(calculation.captured), difference=power(calculation.difference)
        )
    if beside is not None:
        note = f"{note}; {compared(walk, beside, cell)}"
    # What came from the sentence first, what was learned after it.
    parents = sorted(heaviest(calculation), key=lambda parent: parent.name.startswith(PARAM))
    return Opened(
        name=cell_name(walk, cell),
        number=_number(calculation.recomputed),
        note=note,
        trail=trail,
        sources=[
            Number(one, f"{cell_name(walk, one, cell.name)} = {_number(walk.numbers.at(one))}")
            for one in parents
        ],
        end="" if parents else _(END_LEARNED if cell.name.startswith(PARAM) else END_FORMULA),
    )


def _strips(walk: Walk, calculation: Calculation) -> list[Grid]:
    lines = [block for block in calculation.sources if block.index.count(None) == 1]
    return [_strip(walk, block, _heaviest(calculation)) for block in lines]


def _heaviest(calculation: Calculation) -> tuple[int, ...] | None:
    """Return the places of the terms to draw where they are too many: those that weigh most."""
    if len(calculation.terms) <= LONGEST:
        return None
    order = np.argsort([-abs(term.product) for term in calculation.terms], kind="stable")
    return tuple(int(i) for i in order[:HEAVIEST])


def _strip(walk: Walk, block: CellBlock, places: tuple[int, ...] | None) -> Grid:
    axis, values = block.index.index(None), np.asarray(walk.numbers.line(block))
    labels, note = labels_of(walk, block.name, axis), ""
    words = [
        quoted(names[place])
        for i, place in enumerate(block.index)
        if place is not None and (names := labels_of(walk, block.name, i))
    ]
    if places is not None:  # so long is a row over the vocabulary only
        note = _("the {n} largest terms, of {all}").format(n=len(places), all=len(values))
        labels, values = [walk.token(i).text for i in places], values[list(places)]
    return Grid(
        name=block.name,
        index=block.index,
        values=values,
        title=" ".join([short_name(block.name), *words]),
        role=role_of(block.name),
        scale="weights" if block.name.endswith(("weights", "mixing")) else "signed",
        col_labels=labels,
        cols=places,
        first=first_of(block.name),
        note=note,
    )


def ask(cell: Cell) -> None:
    """Open a number's calculation, as the beginning of a new way up; a drawn one has no name."""
    if cell.name:
        state.ASKED.set(((cell.name, cell.index),))


def go(below: Cell, to: int | Cell) -> None:
    """Go on from a number to one that it came from, or back to one of the way."""
    trail = state.ASKED.get()
    if isinstance(to, int):
        state.ASKED.set(trail[:to])
        return
    if asked() != below:
        trail = ((below.name, below.index),)
    state.ASKED.set((*trail, (to.name, to.index)))


def _draw_folds(walk: Walk, calculation: Calculation) -> None:
    if calculation.terms:
        label = _("All {n} terms").format(n=len(calculation.terms))
        fold(label, "ask-terms", "table", lambda: table(_terms(walk, calculation), "terms"))
    label = _("The code that computes it")
    fold(label, "ask-code", "code", lambda: st.code(code(calculation.source), "python"))


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


def draw_changes(original: Walk, calculation: Calculation) -> None:
    """Say which changes put another number here than the rule gives, and offer those that fit."""
    for text in calculation.changes:
        change, rule = read(text)[0].change, short(calculation.rule or 0.0, 6)
        says = _("Changed here: {change}. The rule alone gives {rule}.")
        st.caption(says.format(change=escape(sentence(change, original)), rule=rule))
    offered = {sentence(change, original): change for change in fitting(original, calculation.cell)}
    if not offered:
        return
    key = "ask-what-if"
    st.menu_button(
        _("What if …"),
        list(offered),
        key=key,
        type="tertiary",
        icon=":material/experiment:",
        on_click=lambda: add(offered[st.session_state[key]]),
    )


def fitting(walk: Walk, cell: Cell) -> Iterator[Change]:
    """Yield the changes that have to do with one number of a run."""
    if cell.name.startswith(PARAM) or walk.config.recurrent:
        return
    match cell.name.split("."):
        case [("src" | "tgt") as side, "embed" | "pos" | "sum"]:
            yield change_types.HideWords(side, (cell.index[0],))
            yield change_types.WithoutPositions(side)
            if side == "src":
                yield change_types.LeaveOut((cell.index[0],))
        case [stack, layer, part, last] if (stack, part) in KIND_OF:
            yield from _of_attention(KIND_OF[stack, part], int(layer), last, cell.index)
        case [("encoder" | "decoder") as stack, layer, "ffn", _last]:
            yield change_types.WithoutFeedForward(stack, int(layer))
        case [("encoder" | "decoder") as stack, layer, add_norm, _last]:
            place = int(layer), int(add_norm.removeprefix("add_norm_"))
            yield change_types.WithoutResidual(stack, *place)
            yield change_types.WithoutNorm(stack, *place)


def _of_attention(kind: Kind, layer: int, last: str, index: tuple[int, ...]) -> Iterator[Change]:
    heads = (index[0],) if last in PER_HEAD else ()
    yield change_types.MuteHeads(kind, layer, heads)
    yield change_types.LookLike("uniform", kind, layer, heads)
    if last in ("scores", "scaled", "masked", "powers", "weights", "weighted"):
        yield change_types.LookAt(index[2], kind, layer, heads)
        yield change_types.HideWords(ATTENTIONS[kind].keys, (index[2],))
        yield change_types.WithoutScaling(kind, layer, heads)
    if ATTENTIONS[kind].causal:
        yield change_types.WithoutCausalMask(layer)
