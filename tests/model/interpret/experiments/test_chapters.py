"""The experiments of the chapters: masks, order, a changed score, and what a network remembers."""

import numpy as np
import pytest

from model.decoding.search import translate_ids
from model.interpret.calculation.target import losses, next_tokens
from model.interpret.experiments.interventions import (
    attention_gradients,
    logits_without_cross_attention,
    losses_by_score,
)
from model.interpret.experiments.masks import effect, encode_padded, hide, run, run_beside
from model.interpret.experiments.memory import remembered
from model.interpret.experiments.order import reorder
from model.text.byte_level import BOS, EOS
from tests.model.samples import letters_tokenizer, tiny_capture, tiny_model, tiny_translator

TOKENIZER = letters_tokenizer()
SRC = [5, 9, 30, 41, 2]


def test_the_causal_mask_alone_keeps_the_future_out() -> None:
    model, capture = tiny_capture()
    src, tgt = capture.src_ids, capture.tgt_ids
    np.testing.assert_allclose(run(model, src, tgt)["logits"], capture.logits, atol=1e-6)
    assert np.triu(run(model, src, tgt, causal=False)["decoder.0.self_attn.weights"][0], 1).any()
    changed = [*tgt[:2], tgt[2] + 1, *tgt[3:]]
    for causal in (True, False):
        before, after = (run(model, src, ids, causal)["logits"] for ids in (tgt, changed))
        found = effect(before, after, next_tokens(capture), 2, TOKENIZER)
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
    longer = [*TOKENIZER.encode("a b c d e f g"), EOS], [BOS, *TOKENIZER.encode("g f e d c b a")]
    found = run_beside(model, TOKENIZER, capture, longer)
    assert found.src_padding.sum(1).tolist() == [5, 8]
    assert found.apart < 1e-5 < found.apart_open
    assert not found.weights["encoder.0.self_attn.weights"][..., ~found.src_padding[0]].any()
    own = np.arange(len(found.causal)) < len(capture.tgt)
    assert (found.target[0] == (found.causal & own)).all()


def test_the_shortest_sentence_is_encoded_as_if_it_were_alone() -> None:
    rows = [[*TOKENIZER.encode(text), EOS] for text in ("a b c d e", "b", "c d")]
    found = encode_padded(tiny_model(), TOKENIZER, rows)
    assert found.shortest == 1
    assert found.mask.sum(1).tolist() == [6, 2, 3]
    assert found.padding == 7
    assert found.difference < 1e-5 < 1e-2 < found.difference_unmasked


def test_only_positions_tell_two_orders_apart() -> None:
    model = tiny_model()
    ids, order = [*TOKENIZER.encode("a b c d"), EOS], (3, 0, 4, 2, 1)
    found = reorder(model, TOKENIZER, ids, order)
    assert found.ids == (tuple(ids), tuple(ids[i] for i in order))
    assert found.moved(False).max() < 1e-5
    assert found.moved(True).max() > 1e-2
    assert found.outputs[False][0] == found.outputs[False][1]
    for text, src in zip(found.outputs[True], found.ids, strict=True):
        assert text == TOKENIZER.decode(translate_ids(model, [list(src)], width=1)[0])
    # A word that is only repeated reads the same.
    found = reorder(model, TOKENIZER, TOKENIZER.encode("a a"), (1, 0))
    assert found.same_text
    np.testing.assert_array_equal(*found.memory[True])


def test_without_cross_attention_the_source_does_not_count() -> None:
    model, capture = tiny_capture()
    src, tgt = capture.src_ids, capture.tgt_ids
    cut = logits_without_cross_attention(model, src, tgt)
    assert cut.shape == capture.logits.shape
    assert np.abs(cut - capture.logits).max() > 1e-2
    np.testing.assert_array_equal(cut, logits_without_cross_attention(model, src[::-1], tgt))


def test_a_changed_score_moves_the_loss_by_its_gradient() -> None:
    model, capture = tiny_capture()
    src, tgt = capture.src_ids, capture.tgt_ids
    targets, name, index = next_tokens(capture), "decoder.1.cross_attn.scores", (1, 2, 0)
    own = losses(capture.logits, targets, 0.1)
    for position, expected in ((None, own.total), (2, own.losses[2])):
        changed = (name, index, (-0.02, 0.0, 0.02), 0.1, position)
        less, still, more = losses_by_score(model, src, tgt, targets, *changed)
        assert still == pytest.approx(expected, rel=1e-5)
        slope = attention_gradients(model, src, tgt, targets, 0.1, position).arrays[name][index]
        assert (more - less) / 0.04 == pytest.approx(slope, rel=0.02, abs=1e-4)


def test_the_first_token_counts_in_full_when_read() -> None:
    model = tiny_translator("rnn")
    found = remembered(model, SRC)
    assert found.gru.shape == found.plain.shape == (len(SRC),)
    assert found.gru[0] == found.plain[0] == 1
    assert 0 < found.update < 1
