"""Which of our languages a text is written in, by runs of three characters within its words."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

LANGUAGES: Final = ("es", "fr", "en")
TABLE: Final = Path(__file__).with_name("trigrams.json")
OPENING: Final = re.compile("[¿¡]")
OPENING_SCORE: Final = 60  # of a mark that only Spanish has
# Tenths of nats a run: what is ahead by less in a text is not plainly in one language.
MIN_LEAD: Final = 25
# In a language that none of ours is, words fall apart into pieces, no language is far ahead, and
# some words are frequent ones of another. Of 16,000 held-out texts in ours 3 in 1,000 have more.
MAX_STRANGENESS: Final = 1.35
MIN_WORDS: Final = 3  # fewer tell too little
# German, Italian, Portuguese, Dutch, the Nordic languages and Polish.
OTHERS: Final = frozenset(
    """
    ich nicht und ist ein eine einen wir auf für zu mein dein kein keine dem den wie sind habe auch
    noch heute oder sehr wenn kann möchte bitte guten wo geht che è sono della questo questa nel sul
    gli più vorrei ciao grazie perché anche molto não você uma meu minha obrigado obrigada muito são
    isso também het een ik van niet mijn hoe waar och jag är inte det nie jest się
    """.split()  # noqa: SIM905
)
_WORD: Final = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True)
class Guess:
    """The likeliest language of a text, its score a run, and its lead over each other language."""

    language: str
    score: float
    lead: dict[str, int]

    def is_plainly_not(self, language: str) -> bool:
        """Return whether the text is far likelier to be in this language than in another one."""
        return self.lead.get(language, 0) >= MIN_LEAD


def words(text: str) -> list[str]:
    return _WORD.findall(text.lower())


def trigrams(text: str) -> Iterator[str]:
    """Yield the runs of three characters within each word, with a blank at both of its ends."""
    for word in words(text):
        padded = f" {word} "
        yield from (padded[i : i + 3] for i in range(len(padded) - 2))


def guess(text: str) -> Guess | None:
    """Return the likeliest of our languages; None for a text without letters."""
    grams = list(trigrams(text))
    if not grams:
        return None
    scores = [sum(column) for column in zip(*map(_scores, grams), strict=True)]
    scores[0] += OPENING_SCORE * bool(OPENING.search(text))
    best = max(range(len(scores)), key=scores.__getitem__)
    lead = {one: scores[best] - score for one, score in zip(LANGUAGES, scores, strict=True)}
    return Guess(LANGUAGES[best], scores[best] / len(grams), lead)


def is_foreign(text: str, found: Guess, n_pieces: int) -> bool:
    """Return whether a text is in none of our languages.

    `n_pieces` are those of its `words`, cut by a model that reads the language that was found.
    """
    its = words(text)
    if len(its) < MIN_WORDS:
        return False
    share = sum(word in OTHERS for word in its) / len(its)
    few = 1.2 / (len(its) - 1)  # the fewer words, the more they must say
    return n_pieces / len(its) - found.score / 10 + 3 * share - few > MAX_STRANGENESS


def _scores(gram: str) -> Sequence[int]:
    return _table().get(gram, (0, 0, 0))


@cache
def _table() -> dict[str, list[int]]:
    table: dict[str, list[int]] = json.loads(TABLE.read_text(encoding="utf-8"))
    return table
