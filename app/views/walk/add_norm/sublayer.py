"""Which sub-layer the page is about: its stack, layer and place, and the arrays around it."""

from dataclasses import dataclass, replace
from typing import Final

import streamlit as st

from app.data.walk import Walk
from app.i18n import _
from app.inspector.in_stack import InStack
from app.inspector.picks import pick_layer, pick_word
from app.inspector.side import SIDE, STACK_NAMES, STACKS, pick_side
from app.state import Param, whole
from app.ui.pickers import pick
from app.views.walk.add_norm import texts

SUB: Final = Param[int]("sub", 1, whole(1, 4))
FIRST: Final = {"encoder": 0, "decoder": 1}  # the first real word: <bos> begins what is decoded


@dataclass(frozen=True, eq=False)
class Sub(InStack):
    """One sub-layer of one layer, and one word in it; the sub-layer counts from 0.

    After the last sub-layer's place comes that of the norm which ends a pre-norm stack.
    """

    place: int = 0

    @property
    def order(self) -> str:
        """Whether the model normalises after adding, "post", or before, "pre"."""
        return self.walk.config.norm

    @property
    def choices(self) -> tuple[str, ...]:
        """The sub-layers, and the last norm where there is one."""
        return (*self.parts, "last") if self.order == "pre" else self.parts

    @property
    def is_last_norm(self) -> bool:
        return self.place == len(self.parts)

    @property
    def part(self) -> str:
        return self.parts[self.place]

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
    def words(self) -> list[str]:
        return [token.text for token in self.tokens]

    @property
    def text(self) -> str:
        return self.words[self.word]


def sub_of(walk: Walk) -> Sub:
    """Return the sub-layer and the word that are chosen; what there is not is the first."""
    stack = STACKS[SIDE.get()]
    sub = Sub.chosen(walk, stack, FIRST[stack])
    return replace(sub, place=min(SUB.get(), len(sub.choices)) - 1)


def pick_sub(sub: Sub) -> None:
    """Draw the choice of stack, layer, sub-layer and token."""
    left, right = st.columns([0.6, 0.4], vertical_alignment="bottom")
    with left, st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        pick_side(_("Stack"), STACK_NAMES)
        pick_layer(sub.n_layers)
        names = {place: texts.PARTS[part] for place, part in enumerate(sub.choices, start=1)}
        about = _(texts.SUB_HELP)
        pick(SUB, _("Sub-layer"), names, value=sub.place + 1, wrap=True, help=about)
    with right:
        pick_token(sub)


def pick_in_layer(sub: Sub) -> None:
    """Draw the choice of stack, layer and token."""
    left, right = st.columns([0.45, 0.55], vertical_alignment="bottom")
    with left, st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        pick_side(_("Stack"), STACK_NAMES)
        pick_layer(sub.n_layers)
    with right:
        pick_token(sub)


def pick_in_stack(sub: Sub) -> None:
    """Draw the choice of stack and token."""
    left, right = st.columns([0.25, 0.75], vertical_alignment="bottom")
    with left:
        pick_side(_("Stack"), STACK_NAMES)
    with right:
        pick_token(sub)


def pick_token(sub: Sub) -> None:
    """Draw the choice of a token."""
    pick_word(sub.tokens, _("Token"), FIRST[sub.stack])
