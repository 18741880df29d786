"""Numbers from words to English words or to digits, spelled by num2words.

Which word comes from which is known: each word says some of a number's decimal places.
"""

import random
from collections.abc import Callable
from functools import cache

from num2words import num2words

from model.tasks.task import Alignment
from model.text.pairs import Pair

MOST_DIGITS = 6
HUNDREDS = {"hundred", "cent", "cents", "ciento"}
THOUSANDS = {"thousand", "mil", "mille"}
Places = frozenset[int]  # powers of ten


def draw(rng: random.Random) -> int:
    """Draw a number from 1 to 999,999, each count of digits alike: people type small numbers.

    Zero is left out: its word stands in no other number, so it could not be inferred.
    """
    digits = rng.randint(1, MOST_DIGITS)
    return rng.randrange(10 ** (digits - 1), 10**digits)


def spell(number: int, language: str) -> str:
    """Return a number in words; in Spanish, "uno" is "un" before "mil"."""
    words = num2words(number, lang=language)
    if language == "es":
        words = words.replace("veintiuno mil", "veintiún mil").replace("uno mil", "un mil")
    return words


def in_words(number: int, source: str) -> Pair:
    """Return a number in the words of a language and in English."""
    return Pair(spell(number, source), spell(number, "en"))


def in_digits(number: int, source: str) -> Pair:
    """Return a number in the words of a language and in digits."""
    return Pair(spell(number, source), str(number))


def maker(pair_of: Callable[[int, str], Pair], source: str) -> Callable[[random.Random], Pair]:
    """Return what draws a number and makes a pair of it."""
    return lambda rng: pair_of(draw(rng), source)


@cache
def _values(language: str) -> dict[str, int]:
    """Return what each word below a thousand is worth: "ciento" 100, "quatre-vingt" 80."""
    values: dict[str, int] = {}
    for number in (*range(1, 100), *range(100, 1000, 100)):
        before_thousand = spell(1000 * number, language).rsplit(" ", 1)[0]
        for text in (spell(number, language), before_thousand):
            if " " not in text:
                values[text] = number
    values[spell(101_000, language).split()[-2]] = 1  # "un", which "uno" becomes
    return values | dict.fromkeys(HUNDREDS, 100)


def places(text: str, language: str) -> list[Places]:
    """Return the decimal places that each word says; "and" says none."""
    words = [word.strip(",") for word in text.split()]
    values, groups = _values(language), [set[int]() for _ in words]
    for i, word in enumerate(words):
        following = words[i + 1] if i + 1 < len(words) else ""
        if word in THOUSANDS or word not in values:
            continue
        value = 100 if following in HUNDREDS else values[word]
        groups[i] = {10**k for k, digit in enumerate(reversed(str(value))) if digit != "0"}
    thousand = next((i for i, word in enumerate(words) if word in THOUSANDS), None)
    if thousand is not None:
        groups[:thousand] = [{place * 1000 for place in one} for one in groups[:thousand]]
        # The word itself stands for the group; alone, as in "mil", for its one as well.
        groups[thousand] = {-1} if thousand else {-1, 1000}
    return [frozenset(one) for one in groups]


def aligner(source: str) -> Callable[[Pair], Alignment]:
    """Return what aligns the English words with those of a language that say the same places."""

    def align(pair: Pair) -> Alignment:
        src, tgt = places(pair.src, source), places(pair.tgt, "en")
        return tuple((t, s) for t in range(len(tgt)) for s in range(len(src)) if tgt[t] & src[s])

    return align
