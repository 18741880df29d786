"""What the stacks of layers are called."""

from collections.abc import Mapping
from typing import Final, Literal

from app.i18n import N_

STACKS: Final[Mapping[Literal["encoder", "decoder"], str]] = {
    "encoder": N_("Encoder"),
    "decoder": N_("Decoder"),
}
