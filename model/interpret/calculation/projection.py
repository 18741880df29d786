"""Principal components: the flat map that keeps as much of the vectors' spread as possible.

N vectors, D numbers each, n axes.
"""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, eq=False)
class Projection:
    """`points` (N, n) of the vectors, the `axes` (n, D), their `centre` (D,).

    `explained` is the share of the whole spread that each axis keeps, (n,).
    """

    points: np.ndarray
    axes: np.ndarray
    centre: np.ndarray
    explained: np.ndarray

    def project(self, vectors: np.ndarray) -> np.ndarray:
        """Put other vectors on the same map, (M, D) -> (M, n)."""
        return (vectors - self.centre) @ self.axes.T


def principal_components(vectors: np.ndarray, n: int = 2) -> Projection:
    """Find the n axes of largest spread of vectors (N, D).

    An axis points to where its largest number is positive, so that a map never flips. Raises
    ValueError if there are fewer vectors or numbers than axes.
    """
    vectors = np.asarray(vectors, dtype=np.float64)
    if n < 1 or min(vectors.shape) < n:
        raise ValueError(f"{len(vectors)} vectors of {vectors.shape[1]} have no {n} axes.")
    centre = vectors.mean(0)
    spread = vectors - centre
    if len(spread) > spread.shape[1]:  # the squares have the same axes, and are far fewer
        _, squares, axes = np.linalg.svd(spread.T @ spread, hermitian=True)
    else:
        _, lengths, axes = np.linalg.svd(spread, full_matrices=False)
        squares = lengths**2
    axes = axes[:n]
    signs = np.sign(axes[np.arange(n), np.abs(axes).argmax(-1)])  # (n,)
    axes = axes * signs[:, None]
    whole = float(squares.sum())
    explained = squares[:n] / whole if whole else np.zeros(n)
    return Projection(spread @ axes.T, axes, centre, explained)
