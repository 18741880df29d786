"""Attention without its parameters, yᵢ = Σⱼ wᵢⱼ xⱼ, or without its scaling.

H heads, T query tokens, S key tokens, D = d_model.
"""

from dataclasses import dataclass

import numpy as np

from model.config import Kind
from model.interpret.calculation.derived import likeness, mixture
from model.interpret.calculation.masks import allowed
from model.interpret.calculation.numbers import softmax
from model.interpret.capture import Capture


@dataclass(frozen=True, eq=False)
class SimpleAttention:
    """`scores` w′ᵢⱼ = xᵢ · xⱼ and `weights` w, their softmax, (T, T); `outputs` y, (T, D)."""

    scores: np.ndarray
    weights: np.ndarray
    outputs: np.ndarray


def simple_attention(x: np.ndarray) -> SimpleAttention:
    """Let vectors (T, D), such as `src.embed`, attend to each other as they are."""
    x = np.asarray(x, dtype=np.float64)
    scores = likeness(x)
    weights = softmax(scores)
    return SimpleAttention(scores, weights, mixture(weights, x))


def unscaled_weights(capture: Capture, kind: Kind, layer: int) -> np.ndarray:
    """Return the weights from the captured scores without ÷ √d_k, (H, T, S).

    Raises ValueError for an attention that the model does not have.
    """
    scores = capture.stage(kind, layer, "scores").astype(np.float64)  # (H, T, S)
    return softmax(np.where(allowed(capture, kind), scores, -np.inf))
