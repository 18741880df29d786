"""Numbers in words, by the spelling rules of Unicode CLDR."""

import re
from functools import cache

from unicode_rbnf import RbnfEngine

# English writes "two hundred and one" with the rules that it calls verbose.
RULES = {"en": ["spellout-cardinal-verbose"]}


@cache
def _engine(language: str) -> RbnfEngine:
    return RbnfEngine.for_language(language)


def spell(number: int, language: str) -> str:
    """Return a number in the words of "en", "es" or "fr"; the French ones of before 1990."""
    words = _engine(language).format_number(number, ruleset_names=RULES.get(language)).text
    if language == "fr":
        return words.replace("-et-", " et ")
    return re.sub(r"thousand (?!and\b)", "thousand, ", words) if language == "en" else words
