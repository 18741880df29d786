"""What was changed at a number, and what could be: a small menu of the changes that fit it."""

from collections.abc import Iterator, Mapping
from typing import Final

import streamlit as st

from app.data.changed import Change, Side, change_types, read
from app.data.translation import Kind
from app.data.walk import ATTENTIONS, Calculation, Cell, Walk
from app.format import escape, short
from app.i18n import _
from app.inspector.changes import add, sentence
from app.inspector.naming import PARAM, PER_HEAD

KIND_OF: Final[Mapping[tuple[str, str], Kind]] = {
    (one.stack, one.sublayer): kind for kind, one in ATTENTIONS.items()
}


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
            yield from _of_word(side, cell.index[0])
        case [stack, layer, part, last] if (stack, part) in KIND_OF:
            yield from _of_attention(KIND_OF[stack, part], int(layer), last, cell.index)
        case [("encoder" | "decoder") as stack, layer, "ffn", _last]:
            yield change_types.WithoutFeedForward(stack, int(layer))
        case [("encoder" | "decoder") as stack, layer, add_norm, _last]:
            place = int(layer), int(add_norm.removeprefix("add_norm_"))
            yield change_types.WithoutResidual(stack, *place)
            yield change_types.WithoutNorm(stack, *place)


def _of_word(side: Side, position: int) -> Iterator[Change]:
    yield change_types.HideWords(side, (position,))
    yield change_types.WithoutPositions(side)
    if side == "src":
        yield change_types.LeaveOut((position,))


def _of_attention(kind: Kind, layer: int, last: str, index: tuple[int, ...]) -> Iterator[Change]:
    heads = (index[0],) if last in PER_HEAD else ()
    yield change_types.MuteHeads(kind, layer, heads)
    yield change_types.LookLike("uniform", kind, layer, heads)
    if last in ("scores", "scaled", "masked", "powers", "weights", "weighted"):
        yield change_types.LookAt(index[2], kind, layer, heads)
        yield change_types.HideWords(ATTENTIONS[kind].keys, (index[2],))
        yield change_types.WithoutScaling(kind, layer, heads)
    if kind == "decoder":
        yield change_types.WithoutCausalMask(layer)
