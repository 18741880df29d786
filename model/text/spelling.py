"""Numbers in words, by the spelling rules of Unicode CLDR."""

import re
from functools import cache

from unicode_rbnf import RbnfEngine

# The "verbose" rules for English spell "two hundred and one" with an "and".
RULES = {"en": ["spellout-cardinal-verbose"]}


_engine = cache(RbnfEngine.for_language)


def spell(number: int, language: str) -> str:
    """Return a number in words in "en", "es" or "fr"; French uses the spelling of before 1990."""
    words = _engine(language).format_number(number, ruleset_names=RULES.get(language)).text
    if language == "fr":
        return words.replace("-et-", " et ")
    return re.sub(r"thousand (?!and\b)", "thousand, ", words) if language == "en" else words
