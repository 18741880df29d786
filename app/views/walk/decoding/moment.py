"""One moment of decoding, and which head the page looks through."""

from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from app import state
from app.data.atlas import first_head
from app.data.translation import Step, Token
from app.data.walk import Walk
from app.inspector.picks import head_of
from app.ui import player

Look = Literal["self_attn", "cross_attn"]
MEAN: Final = "mean"


@dataclass(frozen=True, eq=False)
class Moment:
    """A step of the decoder, from 1; 0 is the encoder's, before which the first one comes.

    `mean` stands for all heads.
    """

    walk: Walk
    step: int
    head: int
    mean: bool

    @property
    def at(self) -> int:
        """The place in the decoder's input that is read at this step, or first."""
        return min(max(self.step, 1), len(self.walk.capture.tgt)) - 1

    @property
    def read(self) -> Token:
        return self.walk.capture.tgt[self.at]

    @property
    def decoded(self) -> Step:
        return self.walk.translation.steps[self.at]

    def keys(self, look: Look) -> tuple[Token, ...]:
        """Return what is there to look at by this step."""
        capture = self.walk.capture
        return capture.src if look == "cross_attn" else capture.tgt[: self.at + 1]

    def weights(self, look: Look, layer: int) -> np.ndarray:
        """Return where one layer looks, in the chosen head or as the mean of all, (S,)."""
        array = self.walk.array(f"decoder.{layer}.{look}.weights", (None, self.at))  # (H, S)
        row = np.asarray(array.mean(0) if self.mean else array[self.head])
        return row[: len(self.keys(look))]


def moment_of(walk: Walk) -> Moment:
    """Return the chosen moment; while the steps play, it is the next one when its time has come."""
    count = len(walk.translation.steps)
    player.tick(count, first=0)
    step = player.step_of(count, first=0)
    first = first_head(walk.translation.model, "cross").head
    return Moment(walk, step, head_of(walk.config.n_heads, first), state.HEAD.get() == MEAN)
