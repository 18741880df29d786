"""Whole stages computed again from their inputs, in NumPy and float64, and where a model differs.

Those that no capture holds are computed in another way than in `numbers`.

H heads, T query tokens, S key tokens, D = d_model, d_k = D / H, N = d_hidden. Beside each array
stands its scale: a bound on the numbers that were added up on the way, to which float32 rounding is
proportional (for a product of vectors |a|·|b|, by Cauchy-Schwarz).
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from model.interpret.calculation.attention import allowed, kind_of
from model.interpret.calculation.cell import Cell
from model.interpret.calculation.numbers import Numbers, deviation, softmax
from model.interpret.calculation.parameters import Parameters
from model.interpret.calculation.positions import encodings
from model.interpret.calculation.stages import Stage
from model.interpret.capture import Capture

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


_normal_cdf = np.vectorize(NormalDist().cdf, otypes=[np.float64])


def recompute(numbers: Numbers, stage: Stage) -> Recomputed:
    """Return a stage computed again from its captured inputs, and its scale."""
    return _RECIPES[stage.kind](numbers, stage, *map(numbers.double, stage.inputs))


def _embed(numbers: Numbers, stage: Stage) -> Recomputed:
    capture = numbers.capture
    ids = capture.src_ids if stage.scope == "src" else capture.tgt_ids
    rows = numbers.array(stage.params[0])[ids].astype(np.float64)  # (T, D)
    return _with_scale(rows * capture.config.embedding_scale)


def _pos(numbers: Numbers, stage: Stage) -> Recomputed:
    config = numbers.capture.config
    length = len(numbers.capture.tokens("src" if stage.scope == "src" else "tgt"))
    # The model's angles, up to `length`, are rounded before their sine is taken.
    return encodings(length, config.d_model, config.positions), float(length)


def _linear(numbers: Numbers, stage: Stage, x: np.ndarray) -> Recomputed:
    weight, bias = stage.params
    y = x @ numbers.array(weight) + numbers.array(bias)  # (T, out)
    column = numbers.parameters.longest[weight]
    return y, longest(x) * column + largest(numbers.array(bias))


def _project(numbers: Numbers, stage: Stage, x: np.ndarray) -> Recomputed:
    y, scale = _linear(numbers, stage, x)  # (T, D)
    heads = y.reshape(len(y), numbers.capture.n_heads, -1)  # (T, H, d_k)
    return heads.transpose(1, 0, 2), scale  # (H, T, d_k)


def _masked(numbers: Numbers, stage: Stage, x: np.ndarray) -> Recomputed:
    mask = allowed(numbers.capture, kind_of(stage.scope))  # (T, S)
    return _with_scale(np.where(mask, x, -np.inf))


def _norm(numbers: Numbers, stage: Stage, x: np.ndarray, *_: np.ndarray) -> Recomputed:
    gamma, beta = (numbers.array(name) for name in stage.params)  # (D,)
    sigma = deviation(x, numbers.parameters.eps)[:, None]  # (T, 1)
    normed = (x - x.mean(-1, keepdims=True)) / sigma * gamma + beta  # (T, D)
    return normed, largest(x / sigma) * largest(gamma) + largest(beta)


def _deviation(numbers: Numbers, stage: Stage, x: np.ndarray, mean: np.ndarray) -> Recomputed:
    centred = x - mean[:, None]  # (T, D)
    squares = np.einsum("td,td->t", centred, centred) / x.shape[1]
    return _with_scale(np.sqrt(squares + numbers.parameters.eps))


def _softmax_by_logarithm(numbers: Numbers, stage: Stage, x: np.ndarray) -> Recomputed:
    """Compute the softmax through its logarithm."""
    with np.errstate(invalid="ignore"):
        return np.exp(x - np.logaddexp.reduce(x, axis=-1)[..., None]), largest(x)


def _part(numbers: Numbers, stage: Stage, context: np.ndarray) -> Recomputed:
    """Return the output of W_O where all of `concat` is 0 but the columns of one head."""
    H, T, d_k = context.shape
    alone = np.zeros((H, T, H, d_k))
    alone[np.arange(H), :, np.arange(H)] = context
    w_o = numbers.array(stage.params[0])  # (D, D)
    column = numbers.parameters.longest[stage.params[0]]
    return alone.reshape(H, T, -1) @ w_o, longest(context) * column  # (H, T, D)


def _with_scale(x: np.ndarray) -> Recomputed:
    return x, largest(x)


_RECIPES: Mapping[str, Recipe] = {
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
    "embed": _embed,
    "pos": _pos,
    "sum": lambda _, __, x, y: (x + y, largest(x) + largest(y)),
    "project": _project,
    "scores": lambda _, __, q, k: (q @ k.transpose(0, 2, 1), longest(q) * longest(k)),
    "scaled": lambda numbers, _, x: _with_scale(x / math.sqrt(numbers.capture.config.d_k)),
    "masked": _masked,
    "weights": lambda _, __, x: (softmax(x), largest(x)),
    "context": lambda _, __, weights, v: (weights @ v, largest(v)),  # a row of weights adds up to 1
    "concat": lambda _, __, z: _with_scale(z.transpose(1, 0, 2).reshape(z.shape[1], -1)),  # (T, D)
    "linear": _linear,
    "add": lambda _, __, x, y: (x + y, largest(x) + largest(y)),
    "norm": _norm,
    "relu": lambda _, __, x: _with_scale(np.maximum(x, 0)),
    "gelu": lambda _, __, x: (x * _normal_cdf(x), largest(x)),  # |x Φ(x)| ≤ |x|
    "swish": lambda _, __, x: (x * np.exp(-np.logaddexp(0, -x)), largest(x)),  # x σ(x)
    "same": lambda _, __, x: _with_scale(x),
    "mean": lambda _, __, x: (np.einsum("td->t", x) / x.shape[1], largest(x)),
    "deviation": _deviation,
    "probabilities": _softmax_by_logarithm,
    "likeness": lambda _, __, x: (np.einsum("td,sd->ts", x, x), longest(x) ** 2),
    "mixing": _softmax_by_logarithm,
    "mixture": lambda _, __, weights, x: (np.einsum("ts,sd->td", weights, x), largest(x)),
    "weighted": lambda _, __, weights, v: (np.einsum("hts,hsj->htsj", weights, v), largest(v)),
    "part": _part,
    "length": lambda _, __, part: _with_scale(np.sqrt(np.einsum("htd,htd->ht", part, part))),
}


# How far float32 may be off, in units of its rounding (1.2e-7) times the scale of a stage.
ROUNDINGS = 16
FLOAT32 = float(np.finfo(np.float32).eps)


@dataclass(frozen=True)
class StageCheck:
    """One stage: its largest difference, where that is, and what rounding may account for.

    `changes` are the texts of those that it was computed with, in a changed run.
    """

    cell: Cell
    captured: float
    recomputed: float
    difference: float
    tolerance: float
    changes: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        return self.difference <= self.tolerance


@dataclass(frozen=True)
class Check:
    """The stages in the order of computing."""

    stages: tuple[StageCheck, ...]

    @property
    def passed(self) -> bool:
        return all(stage.passed for stage in self.stages)

    @property
    def changed(self) -> tuple[StageCheck, ...]:
        """The stages that changes of this run were made to."""
        return tuple(stage for stage in self.stages if stage.changes)

    @property
    def worst(self) -> StageCheck:
        """The first stage that fails, as others may only follow, or the largest difference."""
        largest = max(self.stages, key=lambda stage: stage.difference)
        return next((stage for stage in self.stages if not stage.passed), largest)


def check(capture: Capture, parameters: Parameters, scopes: Sequence[str] = ()) -> Check:
    """Recompute each stage of the scopes from the captured numbers that went into it.

    A scope is a name (`logits`) or its beginning (`encoder.0`, `encoder.0.self_attn`); none at
    all means everything. What the changes of a run did to a stage is done to the recomputed
    numbers too. Raises ValueError for a scope that the model does not have.
    """
    numbers = Numbers(capture, parameters)
    chosen = _chosen(numbers.stages.values(), scopes)
    return Check(tuple(_check(numbers, stage) for stage in chosen))


def _chosen(stages: Iterable[Stage], scopes: Sequence[str]) -> list[Stage]:
    # e to the power of a score has no bound to hold it to: the weight, its share, is checked.
    kept = [stage for stage in stages if stage.kind != "powers"]
    by_name = {f"{stage.name}.": stage for stage in kept}
    for scope in scopes:
        if not any(name.startswith(f"{scope}.") for name in by_name):
            raise ValueError(f"There is nothing to check in {scope!r}.")
    starts = tuple(f"{scope}." for scope in scopes) or ""
    return [stage for name, stage in by_name.items() if name.startswith(starts)]


def _check(numbers: Numbers, stage: Stage) -> StageCheck:
    captured = numbers.array(stage.name)
    recomputed, scale = recompute(numbers, stage)
    overrides = numbers.capture.overrides.get(stage.name, ())
    for override in overrides:
        recomputed = override.apply(recomputed, numbers.capture.arrays)
        scale = max(scale, largest(recomputed))
    with np.errstate(invalid="ignore"):
        differences = np.abs(captured - recomputed)
    # −∞ − (−∞) is NaN, and so is every difference to NaN: the same on both sides is no difference.
    unclear = ~np.isfinite(differences)
    if unclear.any():
        same = (captured == recomputed) | (np.isnan(captured) & np.isnan(recomputed))
        differences = np.where(unclear, np.where(same, 0.0, np.inf), differences)
    index = np.unravel_index(int(differences.argmax()), differences.shape)
    return StageCheck(
        Cell(stage.name, tuple(int(i) for i in index)),
        float(captured[index]),
        float(recomputed[index]),
        float(differences[index]),
        ROUNDINGS * FLOAT32 * scale,
        tuple(override.change for override in overrides),
    )
