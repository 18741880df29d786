"""Which sub-layer the page is about: its stack, layer and place, and the arrays around it."""

from dataclasses import dataclass
from typing import Any, Final

import streamlit as st

from app.components.board import Grid
from app.data.walk import Walk
from app.i18n import _
from app.inspect.arrays import grid
from app.inspect.picks import layer_of, pick_layer, pick_word, word_of
from app.inspect.side import SIDE, STACKS, Side, pick_side, tokens
from app.state import Param, whole
from app.ui.pickers import pick
from app.views.walk.add_norm import texts

SUB: Final = Param[int]("sub", 1, whole(1, 4))
PARTS: Final = {"src": ("self_attn", "ffn"), "tgt": ("self_attn", "cross_attn", "ffn")}
FIRST: Final = {"src": 0, "tgt": 1}  # the first real word: what the decoder reads begins with <bos>


@dataclass(frozen=True)
class Sub:
    """One sub-layer of one layer, and one word in it; layer and sub-layer count from 0.

    After the last sub-layer's place comes that of the norm which ends a pre-norm stack.
    """

    walk: Walk
    side: Side
    layer: int
    place: int
    word: int

    @property
    def order(self) -> str:
        """Whether the model normalises after adding, "post", or before, "pre"."""
        return self.walk.config.norm

    @property
    def stack(self) -> str:
        return "encoder" if self.side == "src" else "decoder"

    @property
    def n_layers(self) -> int:
        return _n_layers(self.walk, self.side)

    @property
    def scope(self) -> str:
        return f"{self.stack}.{self.layer}"

    @property
    def is_last_norm(self) -> bool:
        return self.place == len(PARTS[self.side])

    @property
    def part(self) -> str:
        return PARTS[self.side][self.place]

    @property
    def add(self) -> str:
        return f"{self.scope}.add_norm_{self.place + 1}.add"

    @property
    def norm(self) -> str:
        if self.is_last_norm:
            return f"{self.stack}.norm"
        return f"{self.scope}.add_norm_{self.place + 1}.norm"

    @property
    def x(self) -> str:
        """What the sub-layer's output is added to."""
        return self.walk.inputs(self.add)[0]

    @property
    def out(self) -> str:
        return self.walk.inputs(self.add)[1]

    @property
    def normed(self) -> str:
        """What is normalised: with post-norm the sum, with pre-norm x."""
        return self.walk.inputs(self.norm)[0]

    @property
    def text(self) -> str:
        return self.words[self.word]

    @property
    def words(self) -> list[str]:
        return [token.text for token in tokens(self.walk, self.side)]

    def strip(self, name: str, title: str, **options: Any) -> Grid:
        """Return the chosen word's vector in an array (T, D)."""
        return grid(self.walk, name, (self.word, None), title, **options)


def sub_of(walk: Walk) -> Sub:
    """Return the sub-layer and the word that are chosen; what there is not is the first."""
    side = SIDE.get()
    layer, word = layer_of(_n_layers(walk, side)), word_of(tokens(walk, side), FIRST[side])
    return Sub(walk, side, layer, min(SUB.get(), len(_names(walk, side))) - 1, word)


def pick_sub(sub: Sub) -> None:
    """Draw the choice of stack, layer, sub-layer and word, and say in which order is computed."""
    names = dict(enumerate(_names(sub.walk, sub.side), start=1))
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        pick_side(_("Stack"), STACKS)
        pick_layer(sub.n_layers)
        about = _(texts.SUB_HELP)
        pick(SUB, _("Sub-layer"), names, value=sub.place + 1, wrap=True, help=about)
    pick_word(tokens(sub.walk, sub.side), _("Word"), FIRST[sub.side])
    st.markdown(_(texts.LAST_NORM if sub.is_last_norm else texts.STEPS[sub.order]))


def _names(walk: Walk, side: Side) -> list[str]:
    """Return what can be chosen: the sub-layers, and the last norm where there is one."""
    last = ["last"] if walk.config.norm == "pre" else []
    return [texts.PARTS[part] for part in (*PARTS[side], *last)]


def _n_layers(walk: Walk, side: Side) -> int:
    config = walk.config
    return config.n_encoder_layers if side == "src" else config.n_decoder_layers
