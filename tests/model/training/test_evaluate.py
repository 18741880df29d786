"""Scores agree with sacrebleu, and follow the order of the pairs."""

from __future__ import annotations

import pytest
import sacrebleu
import torch

from model.config import ModelConfig
from model.decoding.search import translate_lines
from model.nn.transformer import Transformer
from model.text.pairs import Pair
from model.text.tokenizer import Tokenizer
from model.training.evaluate import evaluate, score, score_by_length

SOURCES = ["el gato come pescado", "la casa", "es azul y grande", "el gato"]
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


def test_a_model_is_scored_on_what_it_translates() -> None:
    tokenizer = Tokenizer.train(SOURCES * 3, 280)
    torch.manual_seed(0)
    config = ModelConfig(tokenizer.vocab_size, d_model=16, n_heads=2, d_ff=32, n_encoder_layers=1,
                         n_decoder_layers=1)  # fmt: skip
    model = Transformer(config).eval()
    translations = list(translate_lines(model, tokenizer, SOURCES, beam=2))
    pairs = [Pair(src, tgt) for src, tgt in zip(SOURCES, translations, strict=True)]
    assert evaluate(model, tokenizer, pairs, beam=2, batch_size=3).exact == 100
    assert evaluate(model, tokenizer, pairs, beam=2, batch_size=1).exact == 100


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
    tokenizer = Tokenizer.train(SOURCES, 280)
    model = Transformer(ModelConfig(280, d_model=16, n_heads=2))
    with pytest.raises(ValueError, match="no sentence pairs"):
        evaluate(model, tokenizer, [], beam=1)
