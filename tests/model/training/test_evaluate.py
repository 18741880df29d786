"""Scores agree with sacrebleu, and follow the order of the pairs."""

from __future__ import annotations

import pytest
import sacrebleu

from model.text.pairs import Pair
from model.training.evaluate import score, score_by_length

REFERENCES = ["the cat eats fish", "the house", "it is blue and large", "the cat"]


def test_scores_are_sacrebleus() -> None:
    translations = ["the cat eats fish", "a house", "it is blue and very large", "cat"]
    scores = score(translations, REFERENCES)
    assert scores.bleu == sacrebleu.corpus_bleu(translations, [REFERENCES]).score
    assert scores.chrf == sacrebleu.corpus_chrf(translations, [REFERENCES]).score
    assert scores.exact == 25
    assert scores.n == 4
    assert "nrefs:1" in scores.signatures["bleu"]
    assert "tok:13a" in scores.signatures["bleu"]
    assert "nc:6" in scores.signatures["chrf"]


def test_scores_by_length_are_sacrebleus_of_each_group() -> None:
    """Groups end at 4, 8 and 12 words, the last with the longest; one without pairs is left out."""
    words = [*"abcdefghijklmn"]
    lengths = [4, 5, 13, 1, 8, 14]
    pairs = [Pair(" ".join(words[:n]), f"it has {n} words or not at all") for n in lengths]
    translations = [f"it has {n} words" + " or none" * (n > 4) for n in lengths]
    scores = score_by_length(translations, pairs)
    assert [(group.words, group.n) for group in scores] == [((1, 4), 2), ((5, 8), 2), ((13, 14), 2)]
    for group, of in zip(scores, ([0, 3], [1, 4], [2, 5]), strict=True):
        references = [pairs[i].tgt for i in of]
        translated = [translations[i] for i in of]
        assert group.bleu == sacrebleu.corpus_bleu(translated, [references]).score
        assert group.chrf == sacrebleu.corpus_chrf(translated, [references]).score
    assert len({group.bleu for group in scores}) > 1


def test_no_pairs() -> None:
    with pytest.raises(ValueError, match="no sentence pairs"):
        score([], [])
