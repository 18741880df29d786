"""Numbers in words, and the words that say the same decimal places."""

from __future__ import annotations

import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.tasks.numbers import align, draw, in_words, spell

NUMBERS = st.integers(1, 999_999)
LANGUAGES = st.sampled_from(["es", "fr"])
# Source, English, and what each English word comes from.
GOLDEN = {
    ("es", 234): "two=doscientos hundred=doscientos and= thirty=treinta four=cuatro",
    ("es", 1000): "one=mil thousand=mil",
    ("es", 17): "seventeen=diecisiete",
    ("es", 101_000): "one=ciento hundred=ciento and= one=un thousand=mil",
    ("es", 21_100): "twenty=veintiún one=veintiún thousand=mil one=cien hundred=cien",
    ("fr", 234): "two=deux+cent hundred=deux+cent and= thirty=trente four=quatre",
    ("fr", 17): "seventeen=dix+sept",
    ("fr", 71): "seventy=soixante+onze one=onze",
    ("fr", 84): "eighty=quatre+vingt four=quatre",
    ("fr", 97): "ninety=quatre+vingt+dix seven=sept",
    ("fr", 80_080): "eighty=quatre+vingt thousand=mille and= eighty=quatre+vingts",
    ("fr", 200_001): "two=deux+cent hundred=deux+cent thousand=mille and= one=un",
}


def words(text: str) -> list[str]:
    """Return the words between blanks, hyphens and commas."""
    return re.findall(r"\w+", text)


@pytest.mark.parametrize(("which", "expected"), GOLDEN.items())
def test_words_are_aligned_by_their_places(which: tuple[str, int], expected: str) -> None:
    source, number = which
    pair = in_words(number, source)
    src, tgt, aligned = words(pair.src), words(pair.tgt), align(source, pair)
    told = [(word, [src[s] for t, s in aligned if t == i]) for i, word in enumerate(tgt)]
    assert " ".join(f"{word}={'+'.join(words)}" for word, words in told) == expected


@given(NUMBERS, LANGUAGES)
def test_every_word_but_and_has_its_place(number: int, source: str) -> None:
    pair = in_words(number, source)
    src, tgt, aligned = words(pair.src), words(pair.tgt), align(source, pair)
    assert {tgt[i] for i in range(len(tgt)) if i not in {t for t, _ in aligned}} <= {"and"}
    assert {src[i] for i in range(len(src)) if i not in {s for _, s in aligned}} <= {"y", "et"}


def test_all_lengths_are_drawn_and_never_zero() -> None:
    rng = random.Random(0)
    drawn = [draw(rng) for _ in range(3000)]
    assert {len(str(number)) for number in drawn} == set(range(1, 7))
    assert min(drawn) == 1


def test_a_number_in_words() -> None:
    for number, language, words in (
        (21, "es", "veintiuno"),
        (31_031, "es", "treinta y un mil treinta y uno"),
        (21_000, "es", "veintiún mil"),
        (1_001, "es", "mil uno"),
        (71, "fr", "soixante et onze"),
        (80, "fr", "quatre-vingts"),
        (80_000, "fr", "quatre-vingt mille"),
        (200_001, "fr", "deux cent mille un"),
        (1_005, "en", "one thousand and five"),
        (1_234, "en", "one thousand, two hundred and thirty-four"),
    ):
        assert spell(number, language) == words
