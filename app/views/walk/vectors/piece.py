"""The token that is followed, and a word of the visitor's own: the page's choice."""

from dataclasses import dataclass
from typing import Final

from app.data.translation import Token, readable
from app.data.walk import Walk
from app.inspector.picks import word_of
from app.state import Param, up_to
from app.views.walk.vectors.data import pieces_of

SLIDES_WORD: Final = "slaughter"  # the word of the lecture
LONGEST: Final = 40
OWN: Final = Param[str | None]("own", None, up_to(LONGEST))


@dataclass(frozen=True, eq=False)
class Piece:
    """One token of the sentence, `own` the visitor's word as it was typed."""

    walk: Walk
    at: int
    own: str

    @property
    def token(self) -> Token:
        return self.walk.capture.src[self.at]

    @property
    def word(self) -> str:
        """The visitor's word, without what cannot be read."""
        return readable(self.own)


def piece_of(walk: Walk) -> Piece:
    """Return what is chosen; the longest token and the word of most tokens to begin with."""
    lengths = [0 if token.special else len(token.text) for token in walk.capture.src]
    typed = OWN.get()
    at = word_of(walk.capture.src, lengths.index(max(lengths)))
    return Piece(walk, at, telling_word(walk) if typed is None else typed)


def telling_word(walk: Walk) -> str:
    """Return the sentence's word of most tokens; of several, the longest."""
    words = (word.strip(" .,;:!?¡¿…«»\"'()") for word in walk.translation.source.words[:-1])
    known = [word for word in words if 0 < len(word) <= LONGEST]
    return max(known, key=lambda word: (len(pieces_of(walk, word)), len(word)), default=SLIDES_WORD)
