"""The distribution that words are drawn from, the target words, and how far both are apart.

T target tokens, V = size of the target vocabulary.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from model.interpret.capture import Capture


@dataclass(frozen=True, eq=False)
class Losses:
    """For each target token, (T,): its probability p, −log p, and the loss with smoothing.

    All in nats.
    """

    targets: np.ndarray
    probabilities: np.ndarray
    surprises: np.ndarray
    losses: np.ndarray

    @property
    def total(self) -> float:
        return float(self.losses.sum())

    @property
    def mean(self) -> float:
        return float(self.losses.mean())


def next_tokens(capture: Capture) -> tuple[int, ...]:
    """Return the token that should follow each one of the decoder's input; <eos> comes last."""
    return (*(token.id for token in capture.tgt[1:]), capture.config.eos_id)


def target_distribution(target: int, size: int, smoothing: float = 0.0) -> np.ndarray:
    """Return the one-hot target, or the smoothed one: 1-ε for the token, ε spread over all, (V,).

    Raises ValueError for a token outside of the vocabulary or an ε outside of [0, 1).
    """
    if not 0 <= target < size:
        raise ValueError(f"The vocabulary of {size} has no token {target}.")
    if not 0 <= smoothing < 1:
        raise ValueError(f"The smoothing must be at least 0 and below 1, not {smoothing}.")
    distribution = np.full(size, smoothing / size)
    distribution[target] += 1 - smoothing
    return distribution


def floors(size: int, smoothing: float) -> tuple[float, float]:
    """Return smoothed loss and cross-entropy of a model that says exactly its target, in nats.

    No model has a smaller smoothed loss.
    """
    target = target_distribution(0, size, smoothing)
    surprise = abs(np.log(target, out=np.zeros(size), where=target > 0))
    return float(target @ surprise), float(surprise[0])


def losses(logits: np.ndarray, targets: Sequence[int], smoothing: float = 0.0) -> Losses:
    """Return the loss of each target token under logits (T, V).

    The cross-entropy against the smoothed target is (1-ε)·(−log p) + ε·(mean of all −log p).
    Raises ValueError if there is not one logits row for each target.
    """
    if len(logits) != len(targets):
        raise ValueError(f"{len(logits)} predictions cannot be compared with {len(targets)} words.")
    surprise = -log_softmax(logits)  # (T, V)
    own = surprise[np.arange(len(targets)), list(targets)]  # (T,)
    smoothed = (1 - smoothing) * own + smoothing * surprise.mean(-1)
    return Losses(np.array(targets), np.exp(-own), own, smoothed)


def log_probs(capture: Capture) -> np.ndarray:
    """Return log p of each token of a captured translation and of <eos>, (T,), in float64."""
    return -losses(capture.logits, next_tokens(capture)).surprises


def surprise(p: np.ndarray | float) -> np.ndarray:
    """Return −log p of probabilities, in nats."""
    return -np.log(np.asarray(p))


def probs(capture: Capture) -> np.ndarray:
    """Return p of the same tokens, (T,)."""
    return np.exp(log_probs(capture))


def running(p: Sequence[float]) -> np.ndarray:
    """Return p of the tokens of a translation, log p, and the sum of these so far, (3, T)."""
    log_p = np.log(p)
    return np.stack([p, log_p, log_p.cumsum()])


def divergence(target: np.ndarray, logits: np.ndarray) -> tuple[float, float]:
    """Return the entropy of a target (V,) and KL(target ‖ softmax(logits)), in nats.

    Together they are the cross-entropy.
    """
    own = np.log(target, out=np.zeros(len(target)), where=target > 0)
    return float(-(target * own).sum()), float((target * (own - log_softmax(logits))).sum())


def log_softmax(logits: np.ndarray) -> np.ndarray:
    """Return the logarithm of the probabilities, (…, V)."""
    x = np.asarray(logits, dtype=np.float64)
    x = x - x.max(-1, keepdims=True)
    return x - np.log(np.exp(x).sum(-1, keepdims=True))


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
