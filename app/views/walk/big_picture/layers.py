"""One token on its way through a stack, and through the sub-layers of one layer."""

from collections.abc import Iterator
from typing import Final, Literal

import streamlit as st

from app.components.board import Grid, Op
from app.data.walk import ModelConfig, Walk
from app.i18n import N_, _
from app.inspect.arrays import arrays, grid
from app.inspect.naming import PARTS
from app.inspect.picks import pick_layer, pick_word
from app.state import Param, one_of
from app.ui.section import section
from app.views.walk.big_picture import texts

Stack = Literal["encoder", "decoder"]
STACK: Final = Param[Stack]("half", "encoder", one_of("encoder", "decoder"))
STACK_NAMES: Final = {"encoder": N_("Encoder"), "decoder": N_("Decoder")}
SUB_LAYERS: Final = {
    "encoder": ("self_attn", "ffn"),
    "decoder": ("self_attn", "cross_attn", "ffn"),
}


def layers(walk: Walk) -> None:
    """Draw the stack a token passes through, then one of its layers."""
    stack = STACK.get()
    n = walk.config.n_encoder_layers if stack == "encoder" else walk.config.n_decoder_layers
    st.header(_(texts.STACKS_TITLE), anchor=False)
    text = texts.STACKS if n > 1 else texts.STACKS_ONE
    st.markdown(_(text).format(d=walk.config.d_model, n=n))
    st.segmented_control(
        _("Which half"), list(STACK_NAMES), format_func=lambda name: _(STACK_NAMES[name]),
        required=True, key=STACK.widget(),
    )  # fmt: skip
    tokens = walk.capture.src if stack == "encoder" else walk.capture.tgt
    word = pick_word(tokens, _("Token to follow"))
    arrays(walk, list(_stack_items(walk, stack, word)), key="stack")
    section(
        _(texts.LAYER_TITLE),
        _(texts.LAYER_ENCODER if stack == "encoder" else texts.LAYER_DECODER),
    )
    layer = pick_layer(n)
    x = stream(walk.config, stack)[layer]
    for place, name in enumerate(SUB_LAYERS[stack], start=1):
        scope = f"{stack}.{layer}"
        st.markdown(f"**{place}. f = {_(PARTS[name])}**")
        items, x = _sub_layer(walk, scope, name, place, x, word)
        arrays(walk, items, key=f"sub-layer-{place}")


def stream(config: ModelConfig, stack: Stack) -> list[str]:
    """Return the arrays that a token is in a stack: as it goes in, and after each layer."""
    last = len(SUB_LAYERS[stack])
    n = config.n_encoder_layers if stack == "encoder" else config.n_decoder_layers
    after = "add" if config.norm == "pre" else "norm"
    start = "src.sum" if stack == "encoder" else "tgt.sum"
    return [start, *(f"{stack}.{i}.add_norm_{last}.{after}" for i in range(n))]


def _stack_items(walk: Walk, stack: Stack, word: int) -> Iterator[Grid | Op]:
    start, *after = stream(walk.config, stack)
    yield _strip(walk, start, word, _("embedding + position"))
    for i, name in enumerate(after, start=1):
        yield Op("→")
        yield _strip(walk, name, word, _("after layer {n}").format(n=i))
    if walk.config.norm == "pre":
        yield Op("→")
        yield _strip(walk, f"{stack}.norm", word, _("after the last norm"))


def _sub_layer(
    walk: Walk, scope: str, name: str, place: int, x: str, word: int
) -> tuple[list[Grid | Op], str]:
    """Return what one sub-layer does to a token, in the model's order, and what it ends with."""
    norm, add = f"{scope}.add_norm_{place}.norm", f"{scope}.add_norm_{place}.add"
    pre = walk.config.norm == "pre"
    normed: list[Grid | Op] = [Op("norm →"), _strip(walk, norm, word, "norm(x)")]
    items: list[Grid | Op] = [_strip(walk, x, word, "x")]
    if pre:
        items += normed
    given = "norm(x)" if pre else "x"
    found = _strip(walk, f"{scope}.{name}.out", word, f"f({given})")
    items += [Op("f →"), found, Op("+ x ="), _strip(walk, add, word, f"x + f({given})")]
    if not pre:
        items += [Op("norm →"), _strip(walk, norm, word, "norm(x + f(x))")]
    return items, add if pre else norm


def _strip(walk: Walk, name: str, word: int, title: str) -> Grid:
    return grid(walk, name, (word, None), title)
