"""Whole stages of the recurrent translators computed again, as recompute.py does the others.

T tokens, S source tokens, N = d_hidden, D = d_model; beside each array stands its scale.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from model.interpret.calculation.numbers import Numbers
from model.interpret.calculation.stage import PARAM, Stage

Recomputed = tuple[np.ndarray, float]


def largest(x: np.ndarray) -> float:
    """Return the largest magnitude among the finite numbers, at least 1."""
    with np.errstate(invalid="ignore"):
        magnitudes = np.abs(x)
    return float(np.max(magnitudes, where=np.isfinite(x), initial=1.0))


def longest(rows: np.ndarray) -> float:
    """Return the length of the longest vector among the rows."""
    return float(np.sqrt(np.einsum("...i,...i->...", rows, rows).max()))


def _affine(numbers: Numbers, inputs: tuple[str, ...], params: tuple[str, ...]) -> Recomputed:
    """Add up x W of each input, and the biases that come after the matrices."""
    total, scale = np.zeros(1), 1.0
    matrices, biases = params[: len(inputs)], params[len(inputs) :]
    for name, weight in zip(inputs, matrices, strict=True):
        x = numbers.double(name)
        rows = x.reshape(-1, x.shape[-1])  # an attention's arrays have an axis of its one head
        total = total + rows @ numbers.array(weight)
        scale += longest(rows) * numbers.parameters.longest[weight.removeprefix(PARAM)]
    for name in biases:
        total = total + numbers.array(name)
        scale += largest(numbers.array(name))
    return total, scale


def _before(numbers: Numbers, stage: Stage) -> Recomputed:
    made = np.roll(numbers.double(stage.inputs[0]), 1, axis=0)
    made[0] = numbers.double(stage.inputs[1])[0] if len(stage.inputs) > 1 else 0
    return made, 1.0


def _before_backwards(numbers: Numbers, stage: Stage) -> Recomputed:
    made = np.roll(numbers.double(stage.inputs[0]), -1, axis=0)
    made[-1] = 0
    return made, 1.0


def _recall(numbers: Numbers, stage: Stage) -> Recomputed:
    h, (weight, bias) = numbers.double(stage.inputs[0]), map(numbers.array, stage.params)
    return np.einsum("ti,ij->tj", h, weight) + bias, longest(h) + largest(bias)


def _gate(numbers: Numbers, stage: Stage) -> Recomputed:
    x, scale = _affine(numbers, stage.inputs, stage.params)
    return 1 / (1 + np.exp(-x)), scale


def _candidate(numbers: Numbers, stage: Stage) -> Recomputed:
    *read, reset, recall = stage.inputs
    x, scale = _affine(numbers, tuple(read), stage.params)
    recalled = numbers.double(recall)
    # The model makes what it recalls in float32 on the way.
    h = numbers.double(numbers.stages[recall].inputs[0])
    column = numbers.parameters.longest[numbers.stages[recall].params[0].removeprefix(PARAM)]
    return np.tanh(x + numbers.double(reset) * recalled), scale + longest(h) * column


def _state(numbers: Numbers, stage: Stage) -> Recomputed:
    candidate, update, before = (numbers.double(name) for name in stage.inputs)  # (T, N)
    return (1 - update) * candidate + update * before, largest(candidate) + largest(before)


def _last(numbers: Numbers, stage: Stage) -> Recomputed:
    return numbers.double(stage.inputs[0])[-1:], 1.0


def _joined(numbers: Numbers, stage: Stage) -> Recomputed:
    return np.hstack([numbers.double(name) for name in stage.inputs]), 1.0


def _tanh(numbers: Numbers, stage: Stage) -> Recomputed:
    x, scale = _affine(numbers, stage.inputs, stage.params)
    return np.tanh(x)[: numbers.shape(stage.name)[0]], scale


def _one_head(numbers: Numbers, stage: Stage) -> Recomputed:
    x, scale = _affine(numbers, stage.inputs, stage.params)
    return x[None], scale  # (1, T, D)


def _value(numbers: Numbers, stage: Stage) -> Recomputed:
    return numbers.double(stage.inputs[0])[None], 1.0  # (1, S, 2N)


def _match(numbers: Numbers, stage: Stage) -> Recomputed:
    """The tanh by way of the exponential."""
    q, k = (numbers.double(name)[0] for name in stage.inputs)  # (T, D), (S, D)
    sums = q[:, None] + k[None]  # (T, S, D)
    return (1 - 2 / (1 + np.exp(2 * sums)))[None], largest(sums)


def _alignment(numbers: Numbers, stage: Stage) -> Recomputed:
    match, v_a = numbers.double(stage.inputs[0]), numbers.array(stage.params[0])
    q, k = (numbers.double(name) for name in numbers.stages[stage.inputs[0]].inputs)
    # Each tanh is as exact as its argument, and there are D of them.
    scale = (largest(q) + largest(k)) * float(np.abs(v_a).sum())
    return np.einsum("htsj,j->hts", match, v_a), max(1.0, scale)


RECURRENT: Mapping[str, Callable[[Numbers, Stage], Recomputed]] = {
    "before": _before,
    "before_backwards": _before_backwards,
    "recall": _recall,
    "gate": _gate,
    "candidate": _candidate,
    "state": _state,
    "last": _last,
    "joined": _joined,
    "tanh": _tanh,
    "query": _one_head,
    "key": _one_head,
    "value": _value,
    "match": _match,
    "alignment": _alignment,
}
