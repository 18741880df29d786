"""Numbers in words, as the shipped phrase book and the number tasks have always written them."""

import pytest

from model.text.spelling import spell


@pytest.mark.parametrize(
    ("number", "language", "words"),
    [
        (21, "es", "veintiuno"),
        (31_031, "es", "treinta y un mil treinta y uno"),
        (21_000, "es", "veintiún mil"),
        (101_000, "es", "ciento un mil"),
        (1_001, "es", "mil uno"),
        (21, "fr", "vingt et un"),
        (71, "fr", "soixante et onze"),
        (80, "fr", "quatre-vingts"),
        (80_000, "fr", "quatre-vingt mille"),
        (200_001, "fr", "deux cent mille un"),
        (105, "en", "one hundred and five"),
        (1_005, "en", "one thousand and five"),
        (1_234, "en", "one thousand, two hundred and thirty-four"),
        (100_100, "en", "one hundred thousand, one hundred"),
    ],
)
def test_a_number_in_words(number: int, language: str, words: str) -> None:
    assert spell(number, language) == words
