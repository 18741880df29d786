"""The small computations of the chapters, each against the model's own or a plain loop."""

from typing import Any

import numpy as np
import pytest
import torch

from model.config import KINDS, Norm
from model.decoding.sampling import sampling_probs
from model.interpret.calculation.attention import (
    allowed,
    attention_scopes,
    causal,
    entropy,
    kind_of,
    padding,
    scope_of,
    sensitivity,
    simple_attention,
    tokens_seen,
    unscaled_weights,
)
from model.interpret.calculation.positions import encodings, position_dots
from model.interpret.calculation.stream import logit_lens, stream_names
from model.interpret.calculation.target import (
    distribution,
    log_softmax,
    losses,
    next_tokens,
    target_distribution,
)
from model.nn.masks import target_mask
from model.nn.positional import positional_encoding
from model.training.loss import label_smoothed_loss
from tests.model.interpret.calculation.cases import case


def test_spread() -> None:
    even, one = np.full(8, 1 / 8), np.array([0.0, 1.0, 0.0])
    assert entropy(even) == pytest.approx(3)
    assert tokens_seen(even) == pytest.approx(8)
    assert tokens_seen(one) == 1
    assert sensitivity(one) == 0
    assert sensitivity(even) == pytest.approx(7 / 8)


def test_simple_attention_is_a_weighted_sum() -> None:
    x = np.random.default_rng(0).normal(size=(4, 3))
    done = simple_attention(x)
    for i in range(4):
        powers = [np.exp(x[i] @ x[j]) for j in range(4)]
        w = [power / sum(powers) for power in powers]
        assert done.weights[i] == pytest.approx(w)
        assert done.outputs[i] == pytest.approx(sum(w[j] * x[j] for j in range(4)))
    assert done.scores == pytest.approx(done.scores.T)
    order = [3, 1, 0, 2]  # which it does not know
    assert simple_attention(x[order]).outputs == pytest.approx(done.outputs[order])


def test_weights_without_scaling() -> None:
    made = case()
    for kind in KINDS:
        weights = made.capture.weights(kind, 0)
        unscaled = unscaled_weights(made.capture, kind, 0)
        assert unscaled.sum(-1) == pytest.approx(1)
        assert unscaled.max(-1).sum() > weights.max(-1).sum()  # sharper
        scaled_again = unscaled**made.capture.config.d_k**-0.5
        scaled_again /= scaled_again.sum(-1, keepdims=True)
        assert scaled_again == pytest.approx(weights, abs=1e-6)


def test_masks_are_the_models() -> None:
    made = case()
    tokens = torch.tensor([[token.id for token in made.capture.tgt]])
    expected = target_mask(tokens, made.capture.config.pad_id)[0, 0].numpy()
    assert (allowed(made.capture, "decoder") == expected).all()
    assert (causal(made.capture, "decoder") == expected).all()
    for kind in KINDS:
        assert padding(made.capture, kind).all()
    for scope in attention_scopes(made.capture.config):
        layer = int(scope.split(".")[1])
        assert scope_of(kind_of(scope), layer, made.capture.config) == scope
    with pytest.raises(ValueError, match="no layer 2"):
        scope_of("cross", 2, made.capture.config)
    unknown: Any = "sideways"
    with pytest.raises(ValueError, match="no 'sideways' attention"):
        scope_of(unknown, 0, made.capture.config)


@pytest.mark.parametrize("norm", ["post", "pre"])
def test_the_stream_goes_from_the_input_to_the_memory_and_the_lens_to_the_logits(
    norm: Norm,
) -> None:
    made = case(norm=norm, tie_generator=False)
    lens = logit_lens(made.capture, made.parameters)
    assert lens.shape == (2, *made.capture.logits.shape)
    assert lens[-1] == pytest.approx(made.capture.logits, abs=1e-5)
    assert not np.allclose(lens[0], lens[1])
    assert logit_lens(made.capture, made.parameters, 1) == pytest.approx(lens[:, 1])
    names = stream_names(made.capture.config, "encoder")
    decoder = stream_names(made.capture.config, "decoder")
    assert (len(names), len(decoder)) == (5, 7)
    assert names[0] == "src.sum"
    assert decoder[-1] == f"decoder.1.add_norm_3.{'add' if norm == 'pre' else 'norm'}"
    arrays = made.capture.arrays
    if norm == "pre":  # each sub-layer only adds
        step = arrays[names[2]] - arrays[names[1]]
        assert step == pytest.approx(arrays["encoder.0.ffn.out"], abs=1e-5)
    else:
        assert (arrays[names[-1]] == arrays["memory"]).all()


@pytest.mark.parametrize("layout", ["interleaved", "half", "none"])
def test_positions_are_the_models(layout: Any) -> None:
    for d_model in (2, 16):
        table = positional_encoding(40, d_model, layout).numpy()
        assert encodings(40, d_model, layout) == pytest.approx(table, abs=1e-5)
        dots = position_dots(40, d_model, layout)
        assert dots == pytest.approx(table @ table.T, abs=1e-4)
    if layout != "none":  # only the distance counts
        assert dots[3, 8] == pytest.approx(dots[20, 25])
        assert np.diag(dots) == pytest.approx(8)


@pytest.mark.parametrize("smoothing", [0.0, 0.1])
def test_losses_are_the_training_loss(smoothing: float) -> None:
    capture = case().capture
    targets = next_tokens(capture)
    assert targets == (*(t.id for t in capture.tgt[1:]), capture.config.eos_id)
    done = losses(capture.logits, targets, smoothing)
    logits, ids = torch.tensor(capture.logits), torch.tensor(targets)
    assert done.total == pytest.approx(float(label_smoothed_loss(logits, ids, smoothing)[0]))
    assert done.mean == pytest.approx(done.total / len(targets))
    assert done.surprises == pytest.approx(-np.log(done.probabilities))
    by_hand = -(target_distribution(targets[1], 300, smoothing) * log_softmax(capture.logits[1]))
    assert done.losses[1] == pytest.approx(by_hand.sum())


def test_target_distributions_add_up_to_one() -> None:
    assert target_distribution(3, 5).tolist() == [0, 0, 0, 1, 0]
    smoothed = target_distribution(3, 5, 0.1)
    assert smoothed == pytest.approx([0.02, 0.02, 0.02, 0.92, 0.02])
    for token, smoothing, said in ((5, 0.0, "no token 5"), (0, 1.0, "smoothing")):
        with pytest.raises(ValueError, match=said):
            target_distribution(token, 5, smoothing)
    with pytest.raises(ValueError, match="cannot be compared"):
        losses(np.zeros((2, 5)), [1])


def test_the_distribution_is_what_sampling_draws_from() -> None:
    logits = case().capture.logits[1]
    for temperature, top_k, top_p in ((0.5, 0, 1.0), (2.0, 7, 1.0), (0.7, 20, 0.6), (0.001, 0, 1)):
        done = distribution(logits, temperature, top_k, top_p)
        expected = sampling_probs(torch.tensor(logits), temperature, top_k, top_p).numpy()
        assert done.final == pytest.approx(expected, abs=1e-5)
        assert ((done.final > 0) <= done.kept).all()
        assert done.probabilities.sum() == pytest.approx(1)
        assert done.powers / done.total == pytest.approx(done.probabilities)
        assert done.scaled == pytest.approx(logits / temperature, rel=1e-5)
    with pytest.raises(ValueError, match="Temperature"):
        distribution(logits, temperature=0)
