"""Attention weights as people have them, in one shape: (L, H, T, S).

L layers, H heads, T query tokens, S key tokens.
"""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

WANTED: Final = (
    "wanted is (T, S), (H, T, S), a list of layers of (H, T, S), or what `generate` returns, "
    "of one sentence"
)
NONE_INSIDE: Final = 'There are no weights in it: load the model with attn_implementation="eager".'
ROUNDING: Final = 1e-2  # of weights in half precision


def stacked(weights: Any) -> np.ndarray:
    """Return the weights of layers as (L, H, T, S); raises ValueError for anything else.

    They are (T, S), (H, T, S), (L, H, T, S), a list of such layers, or a list of the steps of
    `generate`, each with all layers; a layer of transformers has a batch axis of one sentence.
    """
    if _holds(weights, lambda step: _holds(step, _is_array)):
        if len({len(step) for step in weights}) > 1:
            raise ValueError(f"The steps have different numbers of layers; {WANTED}.")
        layers = [joined([_layer(one) for one in steps]) for steps in zip(*weights, strict=True)]
    elif _holds(weights, lambda one: _is_array(one) and one.ndim > 1):
        layers = [_layer(one) for one in weights]
    else:
        array = _numbers(weights)
        layers = list(array) if array.ndim == 4 else [_layer(array)]
    shapes = {layer.shape for layer in layers}
    if len(shapes) > 1:
        raise ValueError(f"The layers have different shapes, {sorted(shapes)}; {WANTED}.")
    found = np.stack(layers)
    if not (found.size and -ROUNDING <= found.min() and found.max() <= 1 + ROUNDING):
        raise ValueError("These are no attention weights: each is a number from 0 to 1.")
    return found


def joined(calls: Sequence[np.ndarray]) -> np.ndarray:
    """Return the rows of the last call, (…, T, S), and of those that it continues.

    Where keys are cached, each step computes its own row alone. What was no key yet has weight 0.
    """
    calls = calls[start_of(calls) :]
    longest = calls[-1].shape[-1]
    rows = [np.pad(a, [(0, 0)] * (a.ndim - 1) + [(0, longest - a.shape[-1])]) for a in calls]
    return np.concatenate(rows, axis=-2)


def start_of(calls: Sequence[np.ndarray]) -> int:
    """Return which call the last one continues: steps of one row, whose keys grow or stay."""
    at = len(calls) - 1
    while at and calls[at].shape[-2] == 1 and _continues(calls[at - 1].shape, calls[at].shape):
        at -= 1
    return at


def _continues(before: tuple[int, ...], after: tuple[int, ...]) -> bool:
    return before[:-2] == after[:-2] and before[-1] <= after[-1]


def _layer(weights: Any) -> np.ndarray:
    """Return the weights of one layer, (H, T, S)."""
    array = _numbers(weights)
    if array.ndim == 4 and len(array) == 1:
        array = array[0]
    if array.ndim not in (2, 3):
        raise ValueError(f"A layer of shape {array.shape} cannot be drawn; {WANTED}.")
    return array if array.ndim == 3 else array[None]  # (H, T, S)


def _numbers(weights: Any) -> np.ndarray:
    if weights is None or _holds(weights, lambda one: one is None):
        raise ValueError(NONE_INSIDE)
    if hasattr(weights, "detach"):  # a tensor of torch; NumPy knows no bfloat16
        weights = weights.detach().cpu().float().numpy()
    try:
        array = np.asarray(weights, np.float32)
    except (ValueError, TypeError) as error:
        raise ValueError(f"This is no array of numbers; {WANTED}.") from error
    if array.ndim < 2:
        raise ValueError(f"Weights of shape {array.shape} cannot be drawn; {WANTED}.")
    return array


def _is_array(one: Any) -> bool:
    return hasattr(one, "ndim")


def _holds(listed: Any, fits: Any) -> bool:
    return isinstance(listed, list | tuple) and len(listed) > 0 and all(map(fits, listed))
