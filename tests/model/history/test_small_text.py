"""The small text: the same seed writes the same, and words are told apart by their use only."""

from model.history.analogies import PAIRS
from model.history.small_text import HER, HIS, PEOPLE, sentences


def test_the_same_seed_writes_the_same_text() -> None:
    assert sentences(50, 3) == sentences(50, 3) != sentences(50, 4)


def test_it_is_small_and_has_every_word_of_the_analogies() -> None:
    words = {word for sentence in sentences(6000) for word in sentence}
    assert 60 <= len(words) <= 150
    assert words >= {word for pairs in PAIRS.values() for pair in pairs for word in pair}
    assert all(word.isalpha() and word.islower() for word in words)


def test_each_person_has_their_own_pronouns_and_places() -> None:
    female = {word for words in PEOPLE.values() for word in words[1::2]}
    male = {word for words in PEOPLE.values() for word in words[::2]}
    for sentence in sentences(4000):
        used = set(sentence)
        if used & male:
            assert not used & set(HER.values())
        if used & female:
            assert not used & set(HIS.values())
        if "throne" in used:
            assert used & set(PEOPLE["royal"])
