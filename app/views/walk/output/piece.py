"""The step of decoding, and the piece of the vocabulary that is looked at: the page's choice."""

from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from app import state
from app.data.translation import Token
from app.data.walk import Walk
from app.format import grouped
from app.inspector.naming import quoted_token
from app.ui import player

# The piece whose column is looked at, by its id; -1: the one that was written.
PIECE: Final = state.Param[int]("piece", -1, state.whole(-1, 10_000_000))
TOP: Final = 10


@dataclass(frozen=True, eq=False)
class Piece:
    """A piece of the vocabulary, by its id, after the token `at` that the decoder has read."""

    walk: Walk
    at: int
    id: int

    @property
    def token(self) -> Token:
        return self.walk.token(self.id)

    @property
    def word(self) -> str:
        """The piece in quotation marks, for Markdown."""
        return quoted_token(self.token)

    @property
    def vocabulary(self) -> str:
        """How many pieces there are, as it is written."""
        return grouped(self.walk.config.n_tgt_vocab)

    @property
    def logits(self) -> np.ndarray:
        """The logits of the whole vocabulary at this step, (V,)."""
        return np.asarray(self.walk.capture.logits[self.at])

    @cached_property
    def likeliest(self) -> list[int]:
        """The ids of the likeliest pieces in order, and this one where it is none of them."""
        ids: list[int] = np.argsort(-self.logits, kind="stable")[:TOP].tolist()
        return ids if self.id in ids else [*ids, self.id]


def piece_of(walk: Walk) -> Piece:
    """Return what is chosen; the piece that was written where there is none such."""
    at, chosen = player.step_of(len(walk.translation.steps)) - 1, PIECE.get()
    return Piece(walk, at, chosen if 0 <= chosen < walk.config.n_tgt_vocab else taken(walk, at))


def taken(walk: Walk, at: int) -> int:
    """Return the id of the piece that was written."""
    return walk.translation.steps[at].taken.token.id
