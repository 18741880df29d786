"""Attention weights are taken in every shape that people have them in, and no other."""

from typing import Any

import numpy as np
import pytest
import torch

from model.interpret.weights import stacked

L, H, T, S = 2, 4, 3, 5
LAYERS = np.random.default_rng(0).dirichlet(np.ones(S), (L, H, T)).astype(np.float32)
BATCHED = [torch.from_numpy(layer)[None] for layer in LAYERS]  # as transformers return them
CROSS_STEPS = tuple(tuple(layer[:, :, t : t + 1] for layer in BATCHED) for t in range(T))
ACCEPTED: dict[str, tuple[Any, np.ndarray]] = {
    "a head": (LAYERS[0, 0], LAYERS[:1, :1]),
    "a head in lists": (LAYERS[0, 0].tolist(), LAYERS[:1, :1]),
    "rows of a head": ([*LAYERS[0, 0]], LAYERS[:1, :1]),
    "heads": (LAYERS[0], LAYERS[:1]),
    "heads in lists": (LAYERS[0].tolist(), LAYERS[:1]),
    "heads that learn": (torch.nn.Parameter(torch.from_numpy(LAYERS[0])), LAYERS[:1]),
    "layers": ([*LAYERS], LAYERS),
    "layers of one head": ([*LAYERS[:, 0]], LAYERS[:, :1]),
    "layers in lists": (LAYERS.tolist(), LAYERS),
    "layers in one array": (LAYERS, LAYERS),
    "layers of transformers": (tuple(BATCHED), LAYERS),
    "a layer of transformers": (BATCHED[0], LAYERS[:1]),
    "steps of cross-attention": (CROSS_STEPS, LAYERS),
}


@pytest.mark.parametrize("name", ACCEPTED)
def test_every_shape_that_people_have_is_taken(name: str) -> None:
    given, expected = ACCEPTED[name]
    np.testing.assert_array_equal(stacked(given), expected)


def test_half_precision_is_taken() -> None:
    halves = torch.from_numpy(LAYERS).to(torch.bfloat16)
    np.testing.assert_allclose(stacked(halves), LAYERS, atol=4e-3)


def causal(size: int) -> np.ndarray:
    """Return weights (L, 1, H, size, size) of a decoder, the same ones for every size."""
    weights = np.tril(np.random.default_rng(1).random((L, 1, H, 9, 9)))[..., :size, :size]
    whole: np.ndarray = (weights / weights.sum(-1, keepdims=True)).astype(np.float32)
    return whole


@pytest.mark.parametrize("prompt", [1, 4])
def test_steps_are_rows_whether_keys_are_cached_or_not(prompt: int) -> None:
    """The prompt is read in one step, of as many rows."""
    whole = causal(7)
    sizes = range(prompt, 8)
    firsts = {prompt: 0}
    cached = [[layer[:, :, firsts.get(n, n - 1) : n, :n] for layer in whole] for n in sizes]
    again = [[*causal(n)] for n in sizes]
    for steps in (cached, again, tuple(map(tuple, cached))):
        np.testing.assert_array_equal(stacked(steps), whole[:, 0])


REFUSED: dict[str, tuple[Any, str]] = {
    "numbers": ([0.5, 0.5], r"Weights of shape \(2,\) cannot be drawn; wanted is \(T, S\)"),
    "nothing": ([], r"wanted is \(T, S\)"),
    "no array": ("weights", r"no array of numbers; wanted is \(T, S\)"),
    "ragged": ([[0.5, 0.5], [1.0]], r"no array of numbers; wanted is"),
    "no rows": (np.zeros((2, 0, 3)), "a number from 0 to 1"),
    "five axes": (np.zeros((1, 1, 1, 2, 2)), r"\(1, 1, 1, 2, 2\) cannot be drawn; wanted is"),
    "a batch": ([np.full((2, H, T, S), 1 / S)] * L, r"\(2, 4, 3, 5\) .*of one sentence"),
    "a beam": ([[np.full((2, H, 1, S), 1 / S)] * L] * T, "of one sentence"),
    "two shapes": ([LAYERS[0], LAYERS[1][:, :2]], r"different shapes, .*; wanted is"),
    "uneven steps": ([CROSS_STEPS[0], CROSS_STEPS[1][:1]], "different numbers of layers"),
    "scores": (LAYERS * 9 - 4, "a number from 0 to 1"),
    "not finite": (LAYERS * np.nan, "a number from 0 to 1"),
    "none": (None, 'attn_implementation="eager"'),
    "none inside": ((None, None), 'attn_implementation="eager"'),
}


@pytest.mark.parametrize("name", REFUSED)
def test_anything_else_is_refused_in_one_sentence(name: str) -> None:
    given, said = REFUSED[name]
    with pytest.raises(ValueError, match=said) as refused:
        stacked(given)
    assert len(str(refused.value).splitlines()) == 1
