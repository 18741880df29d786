"""Whole stages computed again from what went into them, in NumPy and float64.

Those that no capture holds are computed here by another way than in `numbers`.

H heads, T query tokens, S key tokens, D = d_model, d_k = D / H. Beside each array stands its
scale: a bound on the numbers that were added up on the way, to which float32 rounding is
proportional (for a product of vectors |a|·|b|, by Cauchy-Schwarz).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

import numpy as np

from model.interpret.calculation.masks import allowed, kind_of
from model.interpret.calculation.numbers import Numbers, deviation, softmax
from model.interpret.calculation.positions import encodings
from model.interpret.calculation.recurrent_again import RECURRENT, Recomputed, largest, longest
from model.interpret.calculation.stage import PARAM, Stage


def recompute(numbers: Numbers, stage: Stage) -> Recomputed:
    """Return a stage made anew of its captured inputs, and its scale."""
    recipes = RECURRENT if stage.kind in RECURRENT else _RECIPES
    return recipes[stage.kind](numbers, stage)


def _embed(numbers: Numbers, stage: Stage) -> Recomputed:
    side = numbers.capture.src if stage.name.startswith("src") else numbers.capture.tgt
    rows = numbers.array(stage.params[0])[[token.id for token in side]]  # (T, D)
    return _scaled(rows * math.sqrt(numbers.capture.config.d_model))


def _pos(numbers: Numbers, stage: Stage) -> Recomputed:
    config = numbers.capture.config
    length = numbers.shape(stage.name)[0]
    # The model's angles, up to `length`, are rounded before their sine is taken.
    return encodings(length, config.d_model, config.positions), float(length)


def _add(numbers: Numbers, stage: Stage) -> Recomputed:
    x, y = (numbers.double(name) for name in stage.inputs)
    return x + y, largest(x) + largest(y)


def _linear(numbers: Numbers, stage: Stage) -> Recomputed:
    x, (weight, bias) = numbers.double(stage.inputs[0]), stage.params
    y = x @ numbers.array(weight) + numbers.array(bias)  # (T, out)
    column = numbers.parameters.longest[weight.removeprefix(PARAM)]
    return y, longest(x) * column + largest(numbers.array(bias))


def _project(numbers: Numbers, stage: Stage) -> Recomputed:
    y, scale = _linear(numbers, stage)  # (T, D)
    heads = y.reshape(len(y), numbers.capture.n_heads, -1)  # (T, H, d_k)
    return heads.transpose(1, 0, 2), scale  # (H, T, d_k)


def _scores(numbers: Numbers, stage: Stage) -> Recomputed:
    q, k = (numbers.double(name) for name in stage.inputs)  # (H, T, d_k), (H, S, d_k)
    return q @ k.transpose(0, 2, 1), longest(q) * longest(k)  # (H, T, S)


def _divided(numbers: Numbers, stage: Stage) -> Recomputed:
    return _scaled(numbers.double(stage.inputs[0]) / math.sqrt(numbers.capture.config.d_k))


def _masked(numbers: Numbers, stage: Stage) -> Recomputed:
    mask = allowed(numbers.capture, kind_of(stage.scope))  # (T, S)
    return _scaled(np.where(mask, numbers.double(stage.inputs[0]), -np.inf))


def _softmax(numbers: Numbers, stage: Stage) -> Recomputed:
    x = numbers.double(stage.inputs[0])
    return softmax(x), largest(x)


def _context(numbers: Numbers, stage: Stage) -> Recomputed:
    weights, v = (numbers.double(name) for name in stage.inputs)  # (H, T, S), (H, S, d_k)
    return weights @ v, largest(v)  # (H, T, d_k); the weights of a row add up to 1


def _concat(numbers: Numbers, stage: Stage) -> Recomputed:
    context = numbers.double(stage.inputs[0])  # (H, T, d_k)
    return _scaled(context.transpose(1, 0, 2).reshape(context.shape[1], -1))  # (T, D)


def _relu(numbers: Numbers, stage: Stage) -> Recomputed:
    return _scaled(np.maximum(numbers.double(stage.inputs[0]), 0))


def _same(numbers: Numbers, stage: Stage) -> Recomputed:
    return _scaled(numbers.double(stage.inputs[0]))


def _norm(numbers: Numbers, stage: Stage) -> Recomputed:
    x = numbers.double(stage.inputs[0])  # (T, D)
    gamma, beta = (numbers.array(name) for name in stage.params)  # (D,)
    sigma = deviation(x, numbers.parameters.eps)[:, None]  # (T, 1)
    normed = (x - x.mean(-1, keepdims=True)) / sigma * gamma + beta  # (T, D)
    return normed, largest(x / sigma) * largest(gamma) + largest(beta)


def _mean(numbers: Numbers, stage: Stage) -> Recomputed:
    x = numbers.double(stage.inputs[0])  # (T, D)
    return np.einsum("td->t", x) / x.shape[1], largest(x)


def _deviation(numbers: Numbers, stage: Stage) -> Recomputed:
    x, mean = (numbers.double(name) for name in stage.inputs)  # (T, D), (T,)
    apart = x - mean[:, None]  # (T, D)
    squares = np.einsum("td,td->t", apart, apart) / x.shape[1]
    return _scaled(np.sqrt(squares + numbers.parameters.eps))


def _shares(numbers: Numbers, stage: Stage) -> Recomputed:
    """The softmax by way of its logarithm."""
    x = numbers.double(stage.inputs[0])
    with np.errstate(invalid="ignore"):
        return np.exp(x - np.logaddexp.reduce(x, axis=-1)[..., None]), largest(x)


def _likeness(numbers: Numbers, stage: Stage) -> Recomputed:
    x = numbers.double(stage.inputs[0])  # (T, D)
    return np.einsum("td,sd->ts", x, x), longest(x) ** 2


def _mixture(numbers: Numbers, stage: Stage) -> Recomputed:
    weights, x = (numbers.double(name) for name in stage.inputs)  # (T, T), (T, D)
    return np.einsum("ts,sd->td", weights, x), largest(x)


def _weighted(numbers: Numbers, stage: Stage) -> Recomputed:
    weights, v = (numbers.double(name) for name in stage.inputs)  # (H, T, S), (H, S, d_k)
    return np.einsum("hts,hsj->htsj", weights, v), largest(v)


def _part(numbers: Numbers, stage: Stage) -> Recomputed:
    """What comes out of W_O if all of `concat` is 0 but the columns of one head."""
    context = numbers.double(stage.inputs[0])  # (H, T, d_k)
    H, T, d_k = context.shape
    alone = np.zeros((H, T, H, d_k))
    alone[np.arange(H), :, np.arange(H)] = context
    w_o = numbers.array(stage.params[0])  # (D, D)
    column = numbers.parameters.longest[stage.params[0].removeprefix(PARAM)]
    return alone.reshape(H, T, -1) @ w_o, longest(context) * column  # (H, T, D)


def _length(numbers: Numbers, stage: Stage) -> Recomputed:
    part = numbers.double(stage.inputs[0])  # (H, T, D)
    return _scaled(np.sqrt(np.einsum("htd,htd->ht", part, part)))


def _scaled(x: np.ndarray) -> Recomputed:
    return x, largest(x)


_RECIPES: Mapping[str, Callable[[Numbers, Stage], Recomputed]] = {
    "embed": _embed,
    "pos": _pos,
    "sum": _add,
    "project": _project,
    "scores": _scores,
    "scaled": _divided,
    "masked": _masked,
    "weights": _softmax,
    "context": _context,
    "concat": _concat,
    "linear": _linear,
    "add": _add,
    "norm": _norm,
    "relu": _relu,
    "same": _same,
    "mean": _mean,
    "deviation": _deviation,
    "probabilities": _shares,
    "likeness": _likeness,
    "mixing": _shares,
    "mixture": _mixture,
    "weighted": _weighted,
    "part": _part,
    "length": _length,
}
