"""Attention by hand: who may look at whom, and what it is without parameters or scaling.

A mask is True where one may look. H heads, T query tokens, S key tokens, D = d_model.
"""

from dataclasses import dataclass

import numpy as np

from model.config import ATTENTIONS, KINDS, Kind, ModelConfig
from model.interpret.calculation.derived import likeness, mixture
from model.interpret.calculation.numbers import softmax
from model.interpret.calculation.stages import stages
from model.interpret.capture import Capture


def kind_of(scope: str) -> Kind:
    """Return which attention `encoder.0.self_attn` is."""
    layer = scope.split(".")[1]
    return next(kind for kind, one in ATTENTIONS.items() if one.scope(layer) == scope)


def scope_of(kind: Kind, layer: int, config: ModelConfig) -> str:
    """Return the scope of one attention; raises ValueError if the model does not have it."""
    if kind not in KINDS:
        raise ValueError(f"There is no {kind!r} attention, only {', '.join(KINDS)}.")
    layers = config.n_attentions(kind)
    if not 0 <= layer < layers:
        only = f"only 0 to {layers - 1}" if layers else "for this model has no such attention"
        raise ValueError(f"There is no layer {layer}, {only}.")
    return ATTENTIONS[kind].scope(layer)


def attention_scopes(config: ModelConfig) -> tuple[str, ...]:
    """Return the scopes of all attentions, in the order of computing within each stack."""
    return tuple(stage.scope for stage in stages(config).values() if stage.kind == "weights")


def padding(capture: Capture, kind: Kind) -> np.ndarray:
    """Return the mask that hides padding: the same row for each query, (T, S)."""
    real = np.array([token.id != capture.config.pad_id for token in capture.keys(kind)])
    real[0] |= ATTENTIONS[kind].keys == "tgt"  # what begins a sentence is never padding
    return np.broadcast_to(real, (len(capture.queries(kind)), real.size))  # (T, S)


def causal(capture: Capture, kind: Kind) -> np.ndarray:
    """Return the mask that hides the future, (T, S); only the decoder's self-attention has one."""
    T, S = len(capture.queries(kind)), len(capture.keys(kind))
    everything = np.ones((T, S), dtype=bool)
    return np.tril(everything) if ATTENTIONS[kind].causal else everything


def allowed(capture: Capture, kind: Kind) -> np.ndarray:
    """Return both masks together, (T, S)."""
    return padding(capture, kind) & causal(capture, kind)


@dataclass(frozen=True, eq=False)
class SimpleAttention:
    """`scores` w′ᵢⱼ = xᵢ · xⱼ and `weights` w, their softmax, (T, T); `outputs` y, (T, D)."""

    scores: np.ndarray
    weights: np.ndarray
    outputs: np.ndarray


def simple_attention(x: np.ndarray) -> SimpleAttention:
    """Let vectors (T, D), such as `src.embed`, attend to each other as they are."""
    x = np.asarray(x, dtype=np.float64)
    scores = likeness(x)
    weights = softmax(scores)
    return SimpleAttention(scores, weights, mixture(weights, x))


def looks(queries: np.ndarray, keys: np.ndarray) -> np.ndarray:
    """Return the weights (T, S) of queries (T, d_k) that look at keys (S, d_k), without ÷ √d_k."""
    return softmax(queries @ keys.T)


@dataclass(frozen=True, eq=False)
class QueryAttention:
    """One query's attention to S keys: q (d_k,), k (S, d_k), v (S, d_v) and what follows."""

    q: np.ndarray
    k: np.ndarray
    v: np.ndarray

    @property
    def scores(self) -> np.ndarray:
        """Return q · k of each key, (S,)."""
        return np.asarray(self.k @ self.q)

    @property
    def scaled(self) -> np.ndarray:
        """Return the scores divided by √d_k, (S,)."""
        return self.scores / np.sqrt(len(self.q))

    @property
    def weights(self) -> np.ndarray:
        """Return the share of each key, (S,)."""
        return softmax(self.scaled)

    @property
    def z(self) -> np.ndarray:
        """Return the weighted sum of the values, (d_v,)."""
        return np.asarray(self.weights @ self.v)


def entropy(weights: np.ndarray) -> float:
    """Return how spread weights (S,) are, in bits: 0 for one token alone, log₂ n for n alike."""
    some = weights[weights > 0]
    return float(-(some * np.log2(some)).sum())


def tokens_seen(weights: np.ndarray) -> float:
    """Return how many tokens of equal weight would be as spread as these."""
    return float(2 ** entropy(weights))


def sensitivity(weights: np.ndarray) -> float:
    """Return how strongly weights react to their scores: Σ ∂w/∂score = Σ w (1 − w)."""
    return float((weights * (1 - weights)).sum())


def unscaled_weights(capture: Capture, kind: Kind, layer: int) -> np.ndarray:
    """Return the weights from the captured scores without ÷ √d_k, (H, T, S).

    Raises ValueError for an attention that the model does not have.
    """
    scores = capture.stage(kind, layer, "scores").astype(np.float64)  # (H, T, S)
    return softmax(np.where(allowed(capture, kind), scores, -np.inf))
