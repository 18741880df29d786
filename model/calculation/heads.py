"""What each head adds, and what attention would be without its scaling or its mask.

H heads, T query tokens, S key tokens, D = d_model, d_k = D / H.
"""

from __future__ import annotations

import math

import numpy as np

from model.calculation.masks import allowed, scope_of
from model.calculation.numbers import softmax
from model.calculation.parameters import Parameters
from model.capture import Capture, Kind


def head_contributions(
    capture: Capture, parameters: Parameters, kind: Kind, layer: int
) -> np.ndarray:
    """Return z_h × (its rows of W_O) for each head, (H, T, D).

    Together with b_O they add up to the attention's `out`. Raises ValueError for an attention
    that the model does not have.
    """
    scope = scope_of(kind, layer, capture.config)
    context = capture.stage(kind, layer, "context").astype(np.float64)  # (H, T, d_k)
    return context @ parameters.heads(f"{scope}.W_O")  # (H, T, D)


def head_sizes(contributions: np.ndarray) -> np.ndarray:
    """Return the length of each head's contribution to each token, (H, T, D) -> (H, T)."""
    sizes: np.ndarray = np.linalg.norm(contributions, axis=-1)
    return sizes


def weights_if(
    capture: Capture, kind: Kind, layer: int, scale: bool = True, mask: bool = True
) -> np.ndarray:
    """Return the weights from the captured scores with scaling or mask left away, (H, T, S).

    What went before in the model stays as it was. Raises ValueError for an attention that the
    model does not have.
    """
    scores = capture.stage(kind, layer, "scores").astype(np.float64)  # (H, T, S)
    if scale:
        scores = scores / math.sqrt(capture.config.d_k)
    if mask:
        scores = np.where(allowed(capture, kind), scores, -np.inf)
    return softmax(scores)
