"""Choosing a side: what the encoder reads, or what the decoder reads."""

from collections.abc import Mapping
from typing import Final, Literal

import streamlit as st

from app.data.translation import Token
from app.data.walk import Walk
from app.i18n import N_, _
from app.state import Param, one_of

Side = Literal["src", "tgt"]
SIDE: Final = Param[Side]("side", "src", one_of("src", "tgt"))
SENTENCES: Final = {"src": N_("Your sentence"), "tgt": N_("Its translation")}
STACKS: Final = {"src": N_("Encoder"), "tgt": N_("Decoder")}


def pick_side(label: str, names: Mapping[str, str]) -> Side:
    """Draw the two sides and return the chosen one."""
    st.segmented_control(
        label, list(names), format_func=lambda side: _(names[side]), required=True,
        key=SIDE.widget(),
    )  # fmt: skip
    return SIDE.get()


def tokens(walk: Walk, side: Side) -> tuple[Token, ...]:
    """Return what this side reads."""
    return walk.capture.src if side == "src" else walk.capture.tgt
