"""What a page asks of one attention beyond its stages: its name, its mask, other weights.

H heads, T query tokens, S key tokens.
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
