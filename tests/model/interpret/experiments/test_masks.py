"""What the causal mask and the padding mask keep out, and what comes in without them."""

import numpy as np

from model.interpret.calculation.target import next_tokens
from model.interpret.experiments.masks import effect, hide, run, run_beside
from model.interpret.experiments.padding import encode_padded
from model.text.tokenizer import BOS, EOS
from tests.model.samples import letters_tokenizer, tiny_capture, tiny_model

FIRST = "decoder.0.self_attn.weights"


def test_the_causal_mask_alone_keeps_the_future_out() -> None:
    model, capture = tiny_capture()
    src, tgt = ([token.id for token in side] for side in (capture.src, capture.tgt))
    np.testing.assert_allclose(run(model, src, tgt)["logits"], capture.logits, atol=1e-6)
    assert np.triu(run(model, src, tgt, causal=False)[FIRST][0], 1).any()
    changed = [*tgt[:2], tgt[2] + 1, *tgt[3:]]
    for causal in (True, False):
        before, after = (run(model, src, ids, causal)["logits"] for ids in (tgt, changed))
        found = effect(before, after, next_tokens(capture), 2, letters_tokenizer())
        assert (found.largest.size > 0) != causal
        assert bool(found.moved[:2].any()) != causal
        assert found.moved[2] > 0


def test_only_scores_of_minus_infinity_hide_the_future_rightly() -> None:
    _, capture = tiny_capture()
    ways = hide(capture.stage("decoder", 0, "scaled", 0)[1], 1)
    np.testing.assert_allclose(ways.before, capture.weights("decoder", 0, 0)[1], atol=1e-6)
    assert ways.after.sum() < 1
    assert ways.zero[2:].sum() > 0


def test_padding_counts_only_where_it_is_not_masked() -> None:
    model, capture = tiny_capture()
    tokenizer = letters_tokenizer()
    longer = [*tokenizer.encode("a b c d e f g"), EOS], [BOS, *tokenizer.encode("g f e d c b a")]
    found = run_beside(model, tokenizer, capture, longer)
    assert found.src_padding.sum(1).tolist() == [5, 8]
    assert found.apart < 1e-5 < found.apart_open
    assert not found.weights["encoder.0.self_attn.weights"][..., ~found.src_padding[0]].any()
    assert (found.target[0] == (found.causal & found.tgt_padding[0])).all()


def test_the_shortest_sentence_is_encoded_as_if_it_were_alone() -> None:
    tokenizer = letters_tokenizer()
    rows = [[*tokenizer.encode(text), EOS] for text in ("a b c d e", "b", "c d")]
    found = encode_padded(tiny_model(), tokenizer, rows)
    assert found.shortest == 1
    assert found.mask.sum(1).tolist() == [6, 2, 3]
    assert found.padding == 7
    assert found.difference < 1e-5 < 1e-2 < found.difference_unmasked
