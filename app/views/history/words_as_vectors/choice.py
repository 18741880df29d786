"""What one chooses on the page: two words, the training, and the words of a sum."""

from dataclasses import dataclass
from typing import Final

from app.data.child import in_child
from app.data.translation import readable
from app.page.live_training import Live, training
from app.state import Param, one_of, up_to, whole
from app.views.history.words_as_vectors.data import (
    TOPICS,
    Kind,
    WordVectorsReport,
    training_of,
    words,
)

LONGEST: Final = 40
WORD: Final = Param[str]("waword", "king", up_to(LONGEST))
KIND: Final = Param[Kind]("wakind", "skipgram", one_of("skipgram", "cbow"))
SEED: Final = Param[int]("waseed", 0, whole(0, 999))
TOPIC: Final = Param[str]("watopic", "people", one_of(*TOPICS))


@dataclass(frozen=True, eq=False)
class WordVectorsChoice:
    """The visitor's word (None if the small text lacks it), another one, and the training.

    `sum` has the word to start from, the one to subtract and the one to add.
    """

    word: str | None
    other: str
    kind: Kind
    training: Live[WordVectorsReport]
    sum: tuple[str, str, str]

    @property
    def report(self) -> WordVectorsReport:
        """The latest report of the training."""
        return self.training.reports[-1]

    @property
    def pair(self) -> tuple[str, str] | None:
        """Two words that can be compared; if they cannot, the fields say why."""
        if self.word is None or self.word == self.other:
            return None
        return self.word, self.other


def choice() -> WordVectorsChoice:
    """Return the choice; start its training if there is none yet."""
    word, kind, seed = readable(WORD.get()).strip().lower(), KIND.get(), SEED.get()
    running = training("words", (kind, seed), training_of(kind, seed), steps=in_child)
    start, less, plus = (param.get() for param in SUM)
    word_or_none = word if word in words() else None
    return WordVectorsChoice(word_or_none, OTHER.get(), kind, running, (start, less, plus))


def known(raw: str) -> str:
    """Return a word of the small text; raises ValueError for any other."""
    return words()[words().index(raw)]


OTHER: Final = Param[str]("waother", "queen", known)
SUM: Final = tuple(
    Param[str](name, word, known)
    for name, word in (("wastart", "king"), ("waless", "man"), ("waplus", "woman"))
)
