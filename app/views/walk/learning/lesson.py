"""What the page is about: a sentence, its right translation, a position in it, the smoothing."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from app.data.translation import Token
from app.data.walk import Walk
from app.format import escape
from app.inspector.picks import word_of
from app.state import LONGEST_SENTENCE, Param, decimal, up_to
from app.views.walk.learning.data import USUAL_SMOOTHING, Losses, Taught, smoothing_of, taught

REFERENCE: Final = Param[str]("reference", "", up_to(LONGEST_SENTENCE))
MOST_SMOOTHING: Final = 0.3
SMOOTHING: Final = Param[float | None]("epsilon", None, decimal(0.0, MOST_SMOOTHING))


@dataclass(frozen=True, eq=False)
class Lesson:
    """The chosen position in a translation that is called right, and the ε in use."""

    walk: Taught
    at: int
    smoothing: float

    @property
    def tokens(self) -> tuple[Token, ...]:
        """The tokens that the model should write."""
        return self.walk.tokens()

    @property
    def word(self) -> str:
        """The token at the chosen position, for Markdown."""
        return escape(self.tokens[self.at].text)

    def text_of(self, token_id: int) -> str:
        """Return a token of the vocabulary, for Markdown."""
        return escape(self.walk.token(token_id).text)

    @property
    def size(self) -> int:
        """The number of tokens that the model can write."""
        return self.walk.config.n_tgt_vocab

    @property
    def target(self) -> np.ndarray:
        """What should be said at the chosen position, (V,)."""
        return self.walk.target(self.at, self.smoothing)

    @property
    def losses(self) -> Losses:
        return self.walk.losses(self.smoothing)


def lens(walk: Walk) -> Taught:
    """Return the sentence with the translation that the visitor calls right."""
    return taught(walk, REFERENCE.get())


def lesson_of(walk: Walk) -> Lesson:
    """Return what is chosen: at first the most surprising position and the model's own ε."""
    assert isinstance(walk, Taught)  # it came through the lens
    at = word_of(walk.tokens(), int(walk.losses(0).surprises.argmax()))
    smoothing = SMOOTHING.get()
    if smoothing is None:
        own = smoothing_of(walk.translation.model)
        smoothing = min(USUAL_SMOOTHING if own is None else own, MOST_SMOOTHING)
    return Lesson(walk, at, smoothing)
