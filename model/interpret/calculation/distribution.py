"""From logits to the distribution that a word is drawn from, over the whole vocabulary.

V = size of the target vocabulary.
"""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, eq=False)
class Distribution:
    """Every step for every word, (V,).

    `scaled` is logits ÷ temperature, `powers` e^(scaled − largest), `probabilities` powers ÷ their
    `total`. `kept` says which words top-k and top-p leave, `final` is what they are drawn from.
    `order` has all words, the likeliest first.
    """

    scaled: np.ndarray
    largest: float
    powers: np.ndarray
    total: float
    probabilities: np.ndarray
    kept: np.ndarray
    final: np.ndarray
    order: np.ndarray


def distribution(
    logits: np.ndarray, temperature: float = 1.0, top_k: int = 0, top_p: float = 1.0
) -> Distribution:
    """Turn logits (V,) into the distribution that sampling draws from.

    The `top_k` likeliest words are kept (0: all), and of these the fewest that together reach
    `top_p` of what is left. Raises ValueError for what cannot be.
    """
    if not temperature > 0 or top_k < 0 or not 0 < top_p <= 1:
        raise ValueError("Temperature must be above 0, top_k at least 0, top_p in (0, 1].")
    scaled = np.asarray(logits, dtype=np.float64) / temperature
    largest = float(scaled.max())
    powers = np.exp(scaled - largest)
    total = float(powers.sum())
    probabilities = powers / total
    order = np.argsort(-probabilities, kind="stable")
    kept = np.zeros(len(order), dtype=bool)
    kept[_nucleus(probabilities, order[: top_k or None], top_p)] = True
    final = np.where(kept, probabilities, 0)
    final /= final.sum()
    return Distribution(scaled, largest, powers, total, probabilities, kept, final, order)


def _nucleus(probabilities: np.ndarray, order: np.ndarray, top_p: float) -> np.ndarray:
    """Return the fewest words of the order that together reach top_p of all in it."""
    p = probabilities[order] / probabilities[order].sum()
    before = np.cumsum(p) - p  # what the likelier ones have together
    return order[before < top_p]
