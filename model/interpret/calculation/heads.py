"""Attention without its scaling.

H heads, T query tokens, S key tokens.
"""

import numpy as np

from model.config import Kind
from model.interpret.calculation.masks import allowed
from model.interpret.calculation.numbers import softmax
from model.interpret.capture import Capture


def unscaled_weights(capture: Capture, kind: Kind, layer: int) -> np.ndarray:
    """Return the weights from the captured scores without ÷ √d_k, (H, T, S).

    Raises ValueError for an attention that the model does not have.
    """
    scores = capture.stage(kind, layer, "scores").astype(np.float64)  # (H, T, S)
    return softmax(np.where(allowed(capture, kind), scores, -np.inf))
