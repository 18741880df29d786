"""Choosing a side: what the encoder reads, or what the decoder reads."""

from collections.abc import Mapping
from typing import Final, Literal

from app.data.walk import Stack
from app.i18n import N_
from app.state import Param, one_of
from app.ui.pickers import pick

Side = Literal["src", "tgt"]
SIDE: Final = Param[Side]("side", "src", one_of("src", "tgt"))
SENTENCES: Final[Mapping[Side, str]] = {"src": N_("Your sentence"), "tgt": N_("Its translation")}
STACKS: Final[Mapping[Side, Stack]] = {"src": "encoder", "tgt": "decoder"}
STACK_NAMES: Final[Mapping[Side, str]] = {"src": N_("Encoder"), "tgt": N_("Decoder")}


def pick_side(label: str, names: Mapping[Side, str]) -> Side:
    """Draw the two sides and return the chosen one."""
    pick(SIDE, label, names)
    return SIDE.get()
