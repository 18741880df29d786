"""What a page asks of one attention beyond its stages: its name, its mask, other weights.

H heads, T query tokens, S key tokens, V = size of the target vocabulary.
"""

import numpy as np

from app.data.cache import cached
from app.data.walk import Walk
from model.config import Kind
from model.interpret.calculation import attention
from model.interpret.calculation.attention import (
    QueryAttention,
    entropy,
    looks,
    sensitivity,
    simple_attention,
    tokens_seen,
)
from model.interpret.calculation.numbers import softmax
from model.interpret.calculation.target import next_tokens
from model.interpret.capture import Capture
from model.interpret.experiments.interventions import logits_without_cross_attention

__all__ = ["QueryAttention", "entropy", "looks", "sensitivity", "simple_attention", "tokens_seen"]


def scope_of(walk: Walk, kind: Kind, layer: int) -> str:
    """Return what the names of one attention's arrays begin with: `encoder.0.self_attn`."""
    return attention.scope_of(kind, layer, walk.config)


def allowed(walk: Walk, kind: Kind) -> np.ndarray:
    """Return where one may look, (T, S)."""
    return attention.allowed(walk.capture, kind)


def open_cells(capture: Capture, kind: Kind, layer: int) -> np.ndarray:
    """Return where some head of a layer may look, (T, S), in a changed run as it was changed."""
    if not is_changed(capture, kind, layer, "masked"):
        return attention.allowed(capture, kind)
    return np.isfinite(capture.stage(kind, layer, "masked")).any(0)


def muted(capture: Capture, kind: Kind, layer: int) -> np.ndarray:
    """Return which heads do not hand on what their weights take together, (H,)."""
    weights = capture.stage(kind, layer, "weights")
    if not is_changed(capture, kind, layer, "context"):
        return np.zeros(len(weights), bool)
    taken = weights @ capture.stage(kind, layer, "v")  # (H, T, d_k)
    same = np.isclose(taken, capture.stage(kind, layer, "context"), rtol=1e-3, atol=1e-5)
    return np.asarray(~same.all((1, 2)))


def is_changed(capture: Capture, kind: Kind, layer: int, *stages: str) -> bool:
    """Return whether a change of the run was made to some of one attention's stages."""
    scope = attention.scope_of(kind, layer, capture.config)
    return any(f"{scope}.{stage}" in capture.overrides for stage in stages)


def unscaled_weights(walk: Walk, kind: Kind, layer: int) -> np.ndarray:
    """Return the weights that the same scores give without ÷ √d_k, (H, T, S)."""
    return attention.unscaled_weights(walk.capture, kind, layer)


def of_next(walk: Walk, logits: np.ndarray) -> np.ndarray:
    """Return what probability logits (T, V) give to each next token of the translation, (T,)."""
    probabilities = softmax(logits.astype(np.float64))
    return np.asarray(probabilities[range(len(logits)), list(next_tokens(walk.capture))])


@cached()
def without_bridge(walk: Walk) -> np.ndarray:
    """Return the same, (T,), when encoder-decoder attention's whole output is 0 in each layer."""
    src, tgt = walk.capture.src_ids, walk.capture.tgt_ids
    return of_next(walk, logits_without_cross_attention(walk.model, src, tgt))


def favourites(capture: Capture) -> np.ndarray:
    """Return what each encoder-decoder head gives to its favourite word, on average, (L, H).

    Special tokens are no words, unless there is nothing else.
    """
    heads = capture.all_weights("cross")
    words = [i for i, token in enumerate(capture.src) if not token.special]
    most: np.ndarray = (heads[..., words] if words else heads).max(-1).mean(-1)
    return most


def sharpest(capture: Capture) -> tuple[int, int]:
    """Return layer and head of the encoder-decoder attention that looks most at single words."""
    looks = favourites(capture)
    layer, head = np.unravel_index(int(looks.argmax()), looks.shape)
    return int(layer), int(head)
