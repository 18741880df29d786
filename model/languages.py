"""The languages of a model, from its files or its name; this file does not import torch."""

import re
from collections.abc import Mapping
from typing import Any, Final

# At the end of a name such as "opus-mt-de-en".
_DIRECTION: Final = re.compile(r"(?:^|[-_ ])([A-Za-z]{2,8})[-_ ]([A-Za-z]{2,8})$")
_SHORT: Final = {"spa": "es", "fra": "fr", "eng": "en"}  # as newer Marian models call them


def direction(name: str) -> tuple[str, str]:
    """Return the source and target language that a name ends in, or "" for both."""
    found = _DIRECTION.search(name)
    return (_short(found[1]), _short(found[2])) if found else ("", "")


def languages_of(metrics: Mapping[str, Any], name: str) -> tuple[str, str]:
    """Return a model's two languages, from its metrics or else its name; "" for unknown ones.

    The names of our models begin with them ("es-en-early"); the original names of imported ones end
    with them.
    """
    match metrics.get("languages"):
        case [str(source), str(target)]:
            return _short(source), _short(target)
    if metrics.get("source") == "marian":
        return direction(str(metrics.get("repository", name)))
    source, target = [*name.split("-"), "", ""][:2]
    return source, target


def _short(language: str) -> str:
    return _SHORT.get(language, language)
