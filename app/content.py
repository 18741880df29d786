"""Content as data: TOML files beside the code, some of whose keys hold texts to translate.

`make translations` finds these texts with `extract`; code that draws one translates it with
`_(…)`, like any other text.
"""

import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO, Final

TEXTS: Final = frozenset(
    {"meaning", "other", "title", "says", "words", "note", "todo", "todo_with_own"}
)


def load(path: Path) -> dict[str, Any]:
    """Read a file of content."""
    return tomllib.loads(path.read_text(encoding="utf-8"))


def extract(
    file: BinaryIO, keywords: object, comment_tags: object, options: object
) -> Iterator[tuple[int, None, str, list[str]]]:
    """Yield the texts of a file of content, as Babel's extractors do."""
    for text in _texts(tomllib.load(file)):
        yield 1, None, text, []


def _texts(part: Any) -> Iterator[str]:
    if isinstance(part, Mapping):
        for key, value in part.items():
            if isinstance(value, str) and key in TEXTS:
                yield value
            elif not isinstance(value, str):
                if "meaning" in value:
                    yield key  # of the glossary: a term is a text as well
                yield from _texts(value)
    elif isinstance(part, list):
        for one in part:
            yield from _texts(one)
