"""Whole stages of the recurrent translators computed again, as recompute.py does for the others.

T tokens, S source tokens, N = d_hidden, D = d_model; beside each array stands its scale.
"""

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from model.interpret.calculation.numbers import Numbers
from model.interpret.calculation.stage import Stage

Recomputed = tuple[np.ndarray, float]
Recipe = Callable[..., Recomputed]  # of the numbers, a stage, and the arrays of its inputs


def largest(x: np.ndarray) -> float:
    """Return the largest magnitude among the finite numbers, at least 1."""
    with np.errstate(invalid="ignore"):
        magnitudes = np.abs(x)
    return float(np.max(magnitudes, where=np.isfinite(x), initial=1.0))


def longest(rows: np.ndarray) -> float:
    """Return the length of the longest vector among the rows."""
    return float(np.sqrt(np.einsum("...i,...i->...", rows, rows).max()))


def _affine(numbers: Numbers, params: Sequence[str], *inputs: np.ndarray) -> Recomputed:
    """Add up x W of each input, and the biases that come after the matrices."""
    total, scale = np.zeros(1), 1.0
    for x, weight in zip(inputs, params, strict=False):
        rows = x.reshape(-1, x.shape[-1])  # an attention's arrays have an axis of its one head
        total = total + rows @ numbers.array(weight)
        scale += longest(rows) * numbers.parameters.longest[weight]
    for name in params[len(inputs) :]:
        total = total + numbers.array(name)
        scale += largest(numbers.array(name))
    return total, scale


def _before(numbers: Numbers, stage: Stage, states: np.ndarray, *start: np.ndarray) -> Recomputed:
    shift, first = (-1, -1) if stage.kind == "before_backwards" else (1, 0)
    shifted = np.roll(states, shift, axis=0)
    shifted[first] = start[0][0] if start else 0
    return shifted, 1.0


def _recall(numbers: Numbers, stage: Stage, h: np.ndarray) -> Recomputed:
    weight, bias = map(numbers.array, stage.params)
    return np.einsum("ti,ij->tj", h, weight) + bias, longest(h) + largest(bias)


def _gate(numbers: Numbers, stage: Stage, *inputs: np.ndarray) -> Recomputed:
    x, scale = _affine(numbers, stage.params, *inputs)
    return 1 / (1 + np.exp(-x)), scale


def _candidate(numbers: Numbers, stage: Stage, *inputs: np.ndarray) -> Recomputed:
    *vectors, reset, recalled = inputs
    x, scale = _affine(numbers, stage.params, *vectors)
    # The model computes the recalled state in float32 on the way.
    recall = numbers.stages[stage.inputs[-1]]
    column = numbers.parameters.longest[recall.params[0]]
    h = numbers.double(recall.inputs[0])
    return np.tanh(x + reset * recalled), scale + longest(h) * column


def _state(
    numbers: Numbers, stage: Stage, candidate: np.ndarray, update: np.ndarray, before: np.ndarray
) -> Recomputed:
    return (1 - update) * candidate + update * before, largest(candidate) + largest(before)


def _tanh(numbers: Numbers, stage: Stage, *inputs: np.ndarray) -> Recomputed:
    x, scale = _affine(numbers, stage.params, *inputs)
    return np.tanh(x)[: numbers.shape(stage.name)[0]], scale


def _one_head(numbers: Numbers, stage: Stage, x: np.ndarray) -> Recomputed:
    y, scale = _affine(numbers, stage.params, x)
    return y[None], scale  # (1, T, D)


def _match(numbers: Numbers, stage: Stage, q: np.ndarray, k: np.ndarray) -> Recomputed:
    """Compute the tanh through the exponential."""
    sums = q[0][:, None] + k[0][None]  # (T, S, D)
    return (1 - 2 / (1 + np.exp(2 * sums)))[None], largest(sums)


def _alignment(numbers: Numbers, stage: Stage, match: np.ndarray) -> Recomputed:
    v_a = numbers.array(stage.params[0])
    q, k = map(numbers.double, numbers.stages[stage.inputs[0]].inputs)
    # Each tanh is as exact as its argument, and there are D of them.
    scale = (largest(q) + largest(k)) * float(np.abs(v_a).sum())
    return np.einsum("htsj,j->hts", match, v_a), max(1.0, scale)


RECURRENT: Mapping[str, Recipe] = {
    "before": _before,
    "before_backwards": _before,
    "recall": _recall,
    "gate": _gate,
    "candidate": _candidate,
    "state": _state,
    "last": lambda _, __, states: (states[-1:], 1.0),
    "joined": lambda _, __, *states: (np.hstack(states), 1.0),
    "tanh": _tanh,
    "query": _one_head,
    "key": _one_head,
    "value": lambda _, __, annotations: (annotations[None], 1.0),  # (1, S, 2N)
    "match": _match,
    "alignment": _alignment,
}
