"""Sentences to start from, by the language they are written in; examples.toml has them."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from app import content

CONTENT: Final = content.load(Path(__file__).with_name("examples.toml"))
# What each means in English, "" for one that is English.
EXAMPLES: Final[Mapping[str, Mapping[str, str]]] = CONTENT["example"]
HARD: Final[Mapping[str, Sequence[str]]] = CONTENT["hard"]
MEANINGS: Final = {text: says for some in EXAMPLES.values() for text, says in some.items()}
# Frequent in English, and no words of Spanish and French.
FREQUENT: Final = (
    "about after again am and are at because been but can cannot could did do does doesn't don't "
    "every for friend from get go good had have hello her his house how i i'm in is isn't it "
    "it's its like live lives love morning my name never new not of old our please she "
    "should sister some than thank thanks that that's the their them there these they this"
    " those to today tomorrow very want was water we were what when where which who why "
    "will with would yesterday you your"
)
ENGLISH: Final = frozenset(FREQUENT.split())
TOLD_APART: Final = ("es", "fr")
LOOKS_ENGLISH: Final = 0.3  # of its words


def examples(language: str) -> tuple[str, ...]:
    """Return the sentences in a language; none in one that is not here, and all where it is ""."""
    if not language:
        return (*EXAMPLES["es"], *EXAMPLES["fr"])
    return tuple(EXAMPLES.get(language, ()))


def with_meaning(text: str) -> str:
    """Return a sentence with what it means in English, where that is known."""
    meaning = MEANINGS.get(text)
    return f"{text} · {meaning}" if meaning else text


def looks_english(text: str) -> bool:
    """Return whether many of a text's words are frequent in English, but not in `TOLD_APART`."""
    words = [word.strip('.,;:!?¡¿"“”()') for word in text.lower().replace("’", "'").split()]
    return bool(words) and sum(word in ENGLISH for word in words) >= LOOKS_ENGLISH * len(words)
