"""A pass with one thing replaced: nothing else may change, and all that depends on it does."""

import numpy as np
import pytest

from model.interpret.calculation.target import losses, next_tokens
from model.interpret.experiments.interventions import (
    logits_without_cross_attention,
    losses_by_score,
)
from model.interpret.gradients import attention_gradients
from tests.model.samples import tiny_capture


def test_without_cross_attention_the_source_does_not_count() -> None:
    model, capture = tiny_capture()
    src, tgt = ([token.id for token in side] for side in (capture.src, capture.tgt))
    cut = logits_without_cross_attention(model, src, tgt)
    assert cut.shape == capture.logits.shape
    assert np.abs(cut - capture.logits).max() > 1e-2
    np.testing.assert_array_equal(cut, logits_without_cross_attention(model, src[::-1], tgt))


@pytest.mark.parametrize("position", [None, 2])
def test_a_changed_score_moves_the_loss_by_its_gradient(position: int | None) -> None:
    model, capture = tiny_capture()
    src, tgt = ([token.id for token in side] for side in (capture.src, capture.tgt))
    targets, name, index = next_tokens(capture), "decoder.1.cross_attn.scores", (1, 2, 0)
    changed = (name, index, (-0.02, 0.0, 0.02), 0.1, position)
    less, still, more = losses_by_score(model, src, tgt, targets, *changed)
    own = losses(capture.logits, targets, 0.1)
    assert still == pytest.approx(own.total if position is None else own.losses[position], rel=1e-5)
    slope = attention_gradients(model, src, tgt, targets, 0.1, position).arrays[name][index]
    assert (more - less) / 0.04 == pytest.approx(slope, rel=0.02, abs=1e-4)
