"""The phrase book: sentences in Spanish, French and English, and which of their words correspond.

phrases.tsv.xz has one a line: the three texts; the sure and the further possible links from Spanish
to English; and those from French. No text stands twice in Spanish, or in French. A grammar wrote
them, which lay in model/tasks/phrases until commit 9dce10f9: those that the shipped head atlases
were measured on (`phrase_sample` of 1,000, seed 0, in both languages), and as many others as make
46,000.
"""

import lzma
import random
from functools import cache
from pathlib import Path
from typing import Final

from model.text.pairs import AlignedPair, Pair, links_of

LANGUAGES: Final = ("es", "fr")
# Source and target of the pairs with links; either may be English.
DIRECTIONS: Final = (*((one, "en") for one in LANGUAGES), *(("en", one) for one in LANGUAGES))
SIZE: Final = 46_000


@cache
def lines() -> list[str]:
    with lzma.open(Path(__file__).with_suffix(".tsv.xz"), "rt", encoding="utf-8") as file:
        return file.read().splitlines()


def draw(source: str, rng: random.Random) -> Pair:
    """Draw a sentence in a source language and in English."""
    *texts, english = rng.choice(lines()).split("\t", 3)[:3]
    return Pair(texts[LANGUAGES.index(source)], english)


def aligned(line: str, source: str, target: str = "en") -> AlignedPair:
    """Return a line's sentences in two languages, of which one is English, with the links."""
    if source == "en":
        return aligned(line, target).turned()
    *texts, english, sure_es, other_es, sure_fr, other_fr = line.split("\t")
    columns = {"es": (sure_es, other_es), "fr": (sure_fr, other_fr)}[source]
    sure, other = map(links_of, columns)
    return AlignedPair(Pair(texts[LANGUAGES.index(source)], english), sure, sure | other)
