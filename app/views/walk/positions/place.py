"""A word at its position: the page's choice."""

from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from app.data.translation import Token
from app.data.walk import Walk
from app.format import escape
from app.inspector.picks import word_of
from app.inspector.side import SIDE, STACKS, Side
from app.state import Param, whole
from app.views.walk.positions.data import Positions, position_dots

PAIR: Final = Param[int]("pair", 4, whole(0, 100_000))
SHOWN: Final = 32  # positions drawn at the least: a wave must have room to turn
DEFAULT: Final = 1  # at position 0 all sines are 0 and all cosines 1: a poor example


@dataclass(frozen=True, eq=False)
class Place:
    """A word of one side at its position, and the pair of components that is marked."""

    walk: Walk
    side: Side
    position: int
    pair: int

    @property
    def tokens(self) -> tuple[Token, ...]:
        return self.walk.capture.queries(STACKS[self.side])

    @property
    def text(self) -> str:
        return self.tokens[self.position].text

    @property
    def source_position(self) -> int:
        """The position in the source; the first where a word of the other side is chosen."""
        return self.position if self.side == "src" else 0

    @property
    def word(self) -> str:
        """The word, for Markdown."""
        return escape(self.text)

    @cached_property
    def captured(self) -> np.ndarray:
        """The position vectors that the model added, (T, D)."""
        return self.walk.array(f"{self.side}.pos")

    @property
    def has_positions(self) -> bool:
        return self.walk.config.positions != "none"

    @property
    def d_model(self) -> int:
        return self.walk.config.d_model

    @property
    def layout(self) -> Positions:
        """The model's layout; the paper's for a model without positions."""
        return self.walk.config.positions if self.has_positions else "interleaved"

    @property
    def length(self) -> int:
        """How many positions are drawn."""
        return max(len(self.tokens), SHOWN)

    @cached_property
    def dots(self) -> np.ndarray:
        """The dot product of each pair of positions, by formula, (N, N)."""
        return position_dots(self.length, self.d_model, self.layout)


def place_of(walk: Walk) -> Place:
    """Return what is chosen; what the sentence or the model lacks counts as the default."""
    side = SIDE.get()
    pair = min(PAIR.get(), walk.config.d_model // 2 - 1)
    return Place(walk, side, word_of(walk.capture.queries(STACKS[side]), DEFAULT), pair)
