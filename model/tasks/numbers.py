"""Numbers translated from words to English words or to digits, spelled by Unicode CLDR's rules.

The alignment is known: each word names some of a number's decimal places.
"""

import random
import re
from collections.abc import Mapping
from functools import cache

from unicode_rbnf import RbnfEngine

from model.tasks.task import Alignment
from model.text.pairs import Pair

# The "verbose" rules for English spell "two hundred and one" with an "and".
RULES = {"en": ["spellout-cardinal-verbose"]}
MOST_DIGITS = 6
HUNDREDS = {"hundred", "cent", "cents", "ciento"}
THOUSANDS = {"thousand", "mil", "mille"}
Places = frozenset[int]  # powers of ten


def draw(rng: random.Random) -> int:
    """Draw a number from 1 to 999,999, with 1 to 6 digits equally likely: people type small ones.

    Zero is left out: its word occurs in no other number, so it could not be inferred.
    """
    digits = rng.randint(1, MOST_DIGITS)
    return rng.randrange(10 ** (digits - 1), 10**digits)


_engine = cache(RbnfEngine.for_language)


def spell(number: int, language: str) -> str:
    """Return a number in words in "en", "es" or "fr"; French uses the spelling of before 1990."""
    words = _engine(language).format_number(number, ruleset_names=RULES.get(language)).text
    if language == "fr":
        return words.replace("-et-", " et ")
    return re.sub(r"thousand (?!and\b)", "thousand, ", words) if language == "en" else words


def in_words(number: int, source: str) -> Pair:
    """Return a number in words, in a source language and in English."""
    return Pair(spell(number, source), spell(number, "en"))


def in_digits(number: int, source: str) -> Pair:
    """Return a number in words, in a source language, and in digits."""
    return Pair(spell(number, source), str(number))


@cache
def _values(language: str) -> dict[str, int]:
    """Return the value of each word below a thousand: "ciento" 100, "quatre-vingt" 80."""
    values: dict[str, int] = {}
    for number in (*range(1, 100), *range(100, 1000, 100)):
        before_thousand = spell(1000 * number, language).rsplit(" ", 1)[0]
        for text in (spell(number, language), before_thousand):
            if " " not in text:
                values[text] = number
    values[spell(101_000, language).split()[-2]] = 1  # "un", which "uno" becomes
    return values | dict.fromkeys(HUNDREDS, 100)


def _places(word: str, values: Mapping[str, int]) -> list[Places]:
    """Return the decimal places that each part of a hyphenated word names."""
    parts, said = word.split("-"), list[Places]()
    for i, part in enumerate(parts, start=1):
        before, whole = ("-".join(parts[:end]) for end in (i - 1, i))
        value = values[whole] - values.get(before, 0)
        if value == values.get(part):
            said.append(_digits(value))
        else:  # not a sum: "quatre-vingt" is four times twenty
            said = [_digits(values[whole])] * i
    return said


def _digits(value: int) -> Places:
    return frozenset(10**k for k, digit in enumerate(reversed(str(value))) if digit != "0")


def places(text: str, language: str) -> list[Places]:
    """Return the decimal places that each word names, split at hyphens too; "and" names none."""
    said, values = list[Places](), _values(language)
    words = [word.strip(",") for word in text.split()]
    for word, following in zip(words, [*words[1:], ""], strict=True):
        if word in THOUSANDS:
            # The word itself names the group; alone, as in "mil", it also names its one.
            group = frozenset([-1] if said else [-1, 1000])
            said = [*(frozenset(1000 * place for place in one) for one in said), group]
        elif word not in values:
            said.append(frozenset())
        else:
            said += [_digits(100)] if following in HUNDREDS else _places(word, values)
    return said


def align(source: str, pair: Pair) -> Alignment:
    """Align words of a source language and of English that name the same decimal places."""
    src, tgt = places(pair.src, source), places(pair.tgt, "en")
    return tuple((t, s) for t in range(len(tgt)) for s in range(len(src)) if tgt[t] & src[s])
