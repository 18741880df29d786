"""This page's door to the model: its softmax, for attention that is worked by hand."""

from dataclasses import dataclass

import numpy as np

from model.interpret.calculation.numbers import softmax


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


def look(queries: np.ndarray, keys: np.ndarray) -> np.ndarray:
    """Return the weights (T, S) of queries (T, d_k) that look at keys (S, d_k)."""
    return softmax(queries @ keys.T)
