"""Attention without its scaling or without its mask.

H heads, T query tokens, S key tokens.
"""

import math

import numpy as np

from model.config import Kind
from model.interpret.calculation.masks import allowed
from model.interpret.calculation.numbers import softmax
from model.interpret.capture import Capture


def weights_if(
    capture: Capture, kind: Kind, layer: int, scale: bool = True, mask: bool = True
) -> np.ndarray:
    """Return the weights from the captured scores without scaling or without the mask, (H, T, S).

    What went before in the model stays as it was. Raises ValueError for an attention that the
    model does not have.
    """
    scores = capture.stage(kind, layer, "scores").astype(np.float64)  # (H, T, S)
    if scale:
        scores = scores / math.sqrt(capture.config.d_k)
    if mask:
        scores = np.where(allowed(capture, kind), scores, -np.inf)
    return softmax(scores)
