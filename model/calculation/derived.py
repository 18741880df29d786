"""What no capture holds, computed from what it holds, in float64.

H heads, T query tokens, S key tokens, D = d_model, d_k = D / H.
"""

from __future__ import annotations

import numpy as np


def likeness(x: np.ndarray) -> np.ndarray:
    """Return w′ᵢⱼ = xᵢ · xⱼ, (T, D) -> (T, T)."""
    scores: np.ndarray = x @ x.T
    return scores


def mixture(weights: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Return yᵢ = Σⱼ wᵢⱼ xⱼ, (T, T) and (T, D) -> (T, D)."""
    outputs: np.ndarray = weights @ x
    return outputs


def powers(masked: np.ndarray) -> np.ndarray:
    """Return e to the power of each score; divided by its row's sum, it is the weight."""
    with np.errstate(over="ignore"):
        raised: np.ndarray = np.exp(masked)
    return raised


def weighted(weights: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Return each value times its weight, (H, T, S) and (H, S, d_k) -> (H, T, S, d_k)."""
    rows: np.ndarray = weights[..., None] * v[:, None]
    return rows


def part(context: np.ndarray, w_o: np.ndarray) -> np.ndarray:
    """Return z_h × its rows of W_O for each head, (H, T, d_k) and (H, d_k, D) -> (H, T, D).

    Together with b_O they add up to the attention's `out`.
    """
    added: np.ndarray = context @ w_o
    return added


def length(vectors: np.ndarray) -> np.ndarray:
    """Return the length of each vector, (H, T, D) -> (H, T)."""
    lengths: np.ndarray = np.linalg.norm(vectors, axis=-1)
    return lengths
