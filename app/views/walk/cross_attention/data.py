"""The door to encoder-decoder attention as a bridge: the model with it, and without."""

import numpy as np

from app.data.cache import cached
from app.data.walk import Walk
from model.interpret.calculation.numbers import softmax
from model.interpret.calculation.target import next_tokens
from model.interpret.experiments.interventions import logits_without_cross_attention


def with_bridge(walk: Walk) -> np.ndarray:
    """Return the probability that the model gives to each next word of its translation, (T,)."""
    return _of_next(walk, walk.capture.logits)


@cached()
def without_bridge(walk: Walk) -> np.ndarray:
    """Return the same, (T,), when what encoder-decoder attention hands over is 0 in each layer."""
    src, tgt = walk.capture.src_ids, walk.capture.tgt_ids
    return _of_next(walk, logits_without_cross_attention(walk.model, src, tgt))


def _of_next(walk: Walk, logits: np.ndarray) -> np.ndarray:
    probabilities = softmax(logits.astype(np.float64))  # (T, V)
    return probabilities[range(len(probabilities)), list(next_tokens(walk.capture))]
