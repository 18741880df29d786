"""Vectors: those near each other, by the angle between them, and the flat map of many.

V = size of a vocabulary, D = d_model; N vectors, n axes. A word is the ids of its pieces.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

Word = Sequence[int]


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A piece of the vocabulary and its cosine with the vector asked for, −1 … 1."""

    token_id: int
    similarity: float


def word_vector(table: np.ndarray, word: Word) -> np.ndarray:
    """Return the mean vector of a word's pieces, (V, D) -> (D,); raises ValueError for none."""
    if not word:
        raise ValueError("A word needs at least one piece.")
    if not all(0 <= piece < len(table) for piece in word):
        raise ValueError(f"The embedding table has {len(table)} rows, none for {max(word)}.")
    return table[list(word)].mean(0)


def cosines(table: np.ndarray, vector: np.ndarray) -> np.ndarray:
    """Return the cosine of each row with a vector, (V,); that of a zero vector is 0."""
    lengths = np.sqrt(np.einsum("vd,vd->v", table, table)) * np.linalg.norm(vector)
    dots = table @ vector
    return np.divide(dots, lengths, out=np.zeros_like(dots), where=lengths > 0)


def cosine(a: np.ndarray, b: np.ndarray) -> float:
    """Return the cosine between two vectors (D,); 0 where one of them is 0."""
    return float(cosines(np.asarray(a, np.float64)[None], np.asarray(b, np.float64))[0])


def angle(a: np.ndarray, b: np.ndarray) -> float:
    """Return the angle between two vectors (D,), in degrees."""
    return float(np.degrees(np.arccos(np.clip(cosine(a, b), -1, 1))))


def along(vectors: np.ndarray, direction: np.ndarray) -> np.ndarray:
    """Return how far vectors (N, D) reach in a direction (D,), (N,)."""
    return np.asarray(vectors @ direction / np.linalg.norm(direction))


def nearest(
    table: np.ndarray,
    vector: np.ndarray,
    n: int = 10,
    leave_out: Collection[int] = (),
    among: Sequence[int] | None = None,
) -> tuple[Neighbour, ...]:
    """Return the n pieces nearest to a vector (D,), the nearest first.

    `among` limits the search to some pieces, such as those that start a word.
    """
    similarity = cosines(table, vector)
    candidates = np.arange(len(table)) if among is None else np.asarray(among, dtype=int)
    candidates = candidates[~np.isin(candidates, list(leave_out))]
    order = candidates[np.argsort(-similarity[candidates], kind="stable")][:n]
    return tuple(Neighbour(int(i), float(similarity[i])) for i in order)


def analogy(
    table: np.ndarray,
    plus: Sequence[Word],
    minus: Sequence[Word],
    n: int = 10,
    among: Sequence[int] | None = None,
) -> tuple[Neighbour, ...]:
    """Return what is nearest to a sum such as king − man + woman, without the words themselves."""
    asked = {piece for word in (*plus, *minus) for piece in word}
    return nearest(table, word_sum(table, plus, minus), n, asked, among)


def word_sum(table: np.ndarray, plus: Sequence[Word], minus: Sequence[Word]) -> np.ndarray:
    """Add and take away words, each of length 1, (D,); raises ValueError for one without pieces."""
    vector = np.zeros(table.shape[1])
    for sign, words in ((1, plus), (-1, minus)):
        for word in words:
            mean = word_vector(table, word)
            vector += sign * mean / (np.linalg.norm(mean) or 1)
    return vector


@dataclass(frozen=True)
class Chance:
    """Cosines of pairs of rows taken at random: their `mean` and `spread` (standard deviation).

    Rows of a trained table share a direction, so that the mean is above 0. If the cosines with one
    row were a draw of such pairs, not one of them would pass `limit` in 19 of 20 cases.
    """

    mean: float
    spread: float
    limit: float


def chance_cosine(rows: np.ndarray) -> Chance:
    """Measure what cosines rows (N, D) have by chance, over all N · (N − 1) pairs."""
    rows = np.asarray(rows, dtype=np.float64)
    n = len(rows)
    if n < 2:
        return Chance(0.0, 0.0, 1.0)
    lengths = np.linalg.norm(rows, axis=-1, keepdims=True)
    units = np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0)
    own, pairs = np.square(units).sum(-1), n * (n - 1)
    total = np.square(units.sum(0)).sum() - own.sum()
    squares = np.square(units.T @ units).sum() - np.square(own).sum()
    mean = float(total / pairs)
    spread = float(np.sqrt(max(0.0, squares / pairs - mean**2)))
    limit = mean + NormalDist().inv_cdf(1 - 0.05 / n) * spread
    return Chance(mean, spread, min(1.0, limit))


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
