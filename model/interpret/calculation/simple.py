"""Self-attention with no parameters: yᵢ = Σⱼ wᵢⱼ xⱼ.

T tokens, D = d_model.
"""

from dataclasses import dataclass

import numpy as np

from model.interpret.calculation.derived import likeness, mixture
from model.interpret.calculation.numbers import softmax


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
