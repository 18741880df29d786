"""Numbers in words, as the shipped phrase book and the number tasks have always written them."""

from model.text.spelling import spell


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
