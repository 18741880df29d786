"""Which sub-layer the page is about: its stack, layer and place, and the arrays around it."""

from dataclasses import dataclass
from typing import Final

import streamlit as st

from app.data.walk import Walk
from app.i18n import _
from app.inspect.picks import layer_of, pick_layer, pick_word, word_of
from app.inspect.side import SIDE, STACKS, Side, pick_side, tokens
from app.state import Param, whole
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
    def stack(self) -> str:
        return "encoder" if self.side == "src" else "decoder"

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
        return self.walk.numbers.stages[self.add].inputs[0]

    @property
    def out(self) -> str:
        return self.walk.numbers.stages[self.add].inputs[1]

    @property
    def normed(self) -> str:
        """What is normalised: with post-norm the sum, with pre-norm x."""
        return self.walk.numbers.stages[self.norm].inputs[0]

    @property
    def text(self) -> str:
        return tokens(self.walk, self.side)[self.word].text

    @property
    def words(self) -> list[str]:
        return [token.text for token in tokens(self.walk, self.side)]


def sub_of(walk: Walk) -> Sub:
    """Return the sub-layer and the word that are chosen; what there is not is the first."""
    side = SIDE.get()
    place = min(SUB.get(), len(_names(walk, side))) - 1
    return Sub(
        walk, side, layer_of(_layers(walk, side)), place, word_of(tokens(walk, side), FIRST[side])
    )


def _names(walk: Walk, side: Side) -> list[str]:
    """Return what can be chosen: the sub-layers, and the last norm where there is one."""
    last = ["last"] if walk.config.norm == "pre" else []
    return [_(texts.PARTS[part]) for part in (*PARTS[side], *last)]


def pick_sub(walk: Walk) -> Sub:
    """Draw the choice of stack, layer, sub-layer and word, and return what is chosen."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        side = pick_side(_("Stack"), STACKS)
        pick_layer(_layers(walk, side))
        names = _names(walk, side)
        st.segmented_control(
            _("Sub-layer"), range(1, len(names) + 1), required=True, wrap=True,
            format_func=lambda place: names[place - 1],
            key=SUB.widget(min(SUB.get(), len(names))), help=_(texts.SUB_HELP),
        )  # fmt: skip
    pick_word(tokens(walk, side), _("Word"), FIRST[side])
    return sub_of(walk)


def _layers(walk: Walk, side: Side) -> int:
    config = walk.config
    return config.n_encoder_layers if side == "src" else config.n_decoder_layers
