"""From the decoder's last vector to a word: the whole vocabulary's scores, and each layer's."""

import numpy as np

from app.data.cache import cached
from app.data.walk import Walk
from model.interpret.calculation import parts as latex
from model.interpret.calculation.derived import powers
from model.interpret.calculation.numbers import softmax
from model.interpret.calculation.stream import logit_lens
from model.interpret.calculation.target import Distribution, distribution

__all__ = ["Distribution", "distribution", "latex", "powers"]


def drawn_from(walk: Walk, at: int, temperature: float, top_k: int, top_p: float) -> Distribution:
    """Return what sampling draws the piece after a token from: signs never written are left out."""
    logits = np.array(walk.capture.logits[at], dtype=np.float64)
    logits[[walk.config.pad_id, walk.config.bos_id]] = -np.inf
    return distribution(logits, temperature, top_k, top_p)


@cached()
def lens(walk: Walk, at: int) -> np.ndarray:
    """Return the probabilities that each decoder layer's output would give, (L, V)."""
    return softmax(logit_lens(walk.capture, walk.parameters, at))
