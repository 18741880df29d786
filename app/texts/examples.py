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


def examples(language: str) -> tuple[str, ...]:
    """Return the sentences in a language; none in one that is not here, and all where it is ""."""
    if not language:
        return (*EXAMPLES["es"], *EXAMPLES["fr"])
    return tuple(EXAMPLES.get(language, ()))


def with_meaning(text: str) -> str:
    """Return a sentence with what it means in English, where that is known."""
    meaning = MEANINGS.get(text)
    return f"{text} · {meaning}" if meaning else text
