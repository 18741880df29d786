"""What is chosen on the page: two words to compare, a training, and three words to calculate."""

from dataclasses import dataclass
from typing import Final

from app.data.child import in_child
from app.data.translation import readable
from app.page.live_training import Live, training
from app.state import Param, one_of, up_to, whole
from app.views.history.words_as_vectors.data import TOPICS, Kind, Report, training_of, words

LONGEST: Final = 40


def known(raw: str) -> str:
    """Return a word of the small text; raises ValueError for any other."""
    return words()[words().index(raw)]


WORD: Final = Param[str]("waword", "king", up_to(LONGEST))
OTHER: Final = Param[str]("waother", "queen", known)
KIND: Final = Param[Kind]("wakind", "skipgram", one_of("skipgram", "cbow"))
SEED: Final = Param[int]("waseed", 0, whole(0, 999))
TOPIC: Final = Param[str]("watopic", "people", one_of(*TOPICS))
FOUND: Final = Param[str]("wafind", "", known)
SUM: Final = tuple(
    Param[str](name, word, known)
    for name, word in (("wastart", "king"), ("waless", "man"), ("waplus", "woman"))
)


@dataclass(frozen=True, eq=False)
class Choice:
    """The visitor's word, None where the small text lacks it, the other, and the training.

    `sum` are the word to start from, the one that is taken away and the one that is added.
    """

    word: str | None
    other: str
    kind: Kind
    training: Live[Report]
    sum: tuple[str, str, str]

    @property
    def report(self) -> Report:
        """The training as it stands."""
        return self.training.reports[-1]


def choice() -> Choice:
    """Return what is chosen; where there is no such training yet, one begins."""
    word, kind, seed = readable(WORD.get()).strip().lower(), KIND.get(), SEED.get()
    running = training("words", (kind, seed), training_of(kind, seed), steps=in_child)
    start, less, plus = (param.get() for param in SUM)
    word_or_none = word if word in words() else None
    return Choice(word_or_none, OTHER.get(), kind, running, (start, less, plus))
