"""What a page asks of one attention beyond its captured stages: other weights, each head's part.

H heads, T query tokens, S key tokens, D = d_model.
"""

import numpy as np

from app.services import Kind
from app.services_walk import Walk
from model.calculation import heads, masks
from model.calculation.simple import SimpleAttention, simple_attention

__all__ = ["SimpleAttention", "simple_attention"]


def scope_of(walk: Walk, kind: Kind, layer: int) -> str:
    """Return what the names of one attention's arrays begin with: `encoder.0.self_attn`."""
    return masks.scope_of(kind, layer, walk.config)


def input_of(walk: Walk, name: str) -> str:
    """Return the array that a stage reads: of `….q` the vectors that W_Q multiplies."""
    return walk.numbers.stages[name].inputs[0]


def allowed(walk: Walk, kind: Kind) -> np.ndarray:
    """Return where one may look, (T, S)."""
    return masks.allowed(walk.capture, kind)


def unscaled_weights(walk: Walk, kind: Kind, layer: int) -> np.ndarray:
    """Return the weights that the same scores give without ÷ √d_k, (H, T, S)."""
    return heads.weights_if(walk.capture, kind, layer, scale=False)


def head_contributions(walk: Walk, kind: Kind, layer: int) -> np.ndarray:
    """Return what each head adds to each token, (H, T, D); with b_O they sum to the output."""
    return heads.head_contributions(walk.capture, walk.parameters, kind, layer)


def head_sizes(contributions: np.ndarray) -> np.ndarray:
    """Return the length of each head's contribution, (H, T, D) -> (H, T)."""
    return heads.head_sizes(contributions)
