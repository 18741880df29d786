"""A sentence of the model's side, in the visitor's language."""

import re
from functools import cache
from string import Formatter
from typing import Final

from app.i18n import _
from app.views.training.error_texts import COMPLAINTS

REASON: Final = "why"  # may be such a sentence itself


def translated(sentence: str) -> str:
    """Return a sentence in the visitor's language; one that is not known, as it is."""
    for raised, said in COMPLAINTS.items():
        if found := _pattern(raised).fullmatch(sentence):
            parts = found.groupdict()
            if REASON in parts:
                parts[REASON] = translated(parts[REASON])
            return _(said).format(**parts)
    return sentence


@cache
def _pattern(raised: str) -> re.Pattern[str]:
    """Return what matches a sentence, with a group for each name in braces."""
    parts = Formatter().parse(raised)
    return re.compile(
        "".join(
            re.escape(text) + (f"(?P<{name}>.+?)" if name else "") for text, name, *_spec in parts
        ),
        re.DOTALL,
    )
