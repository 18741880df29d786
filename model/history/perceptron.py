"""The perceptron: a neuron that learns its weights from its mistakes.

Rosenblatt (1957), The Perceptron; the bound on its mistakes is Novikoff's (1962).
N points, each as x = (x₁, x₂, 1): the 1 makes the threshold one more weight.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement
from operator import itemgetter
from typing import Final

import numpy as np

Vector = tuple[int, int, int]
Spots = Sequence[tuple[int, int]]


@dataclass(frozen=True)
class Point:
    """A point of the plane and its side, +1 or −1."""

    x1: int
    x2: int
    side: int

    @property
    def x(self) -> Vector:
        return self.x1, self.x2, 1


@dataclass(frozen=True)
class Correction:
    """One mistake and its correction; `passes` counts the complete passes before it."""

    passes: int
    point: Point
    before: Vector
    after: Vector

    @property
    def score(self) -> int:
        """w·x before the update: it has the wrong sign, or is 0."""
        return score(self.before, self.point)


@dataclass(frozen=True, eq=False)
class MistakeBound:
    """Mistakes ≤ (R/γ)²: `radius` is the length R of the longest x, `margin` the largest γ.

    `best` (3,) is the unit vector with the largest margin; it points along Σ mix · y · x over the
    points whose indices are `support`.
    """

    radius: float
    margin: float
    best: np.ndarray
    support: tuple[int, ...]
    mix: np.ndarray

    @property
    def mistakes(self) -> float:
        return (self.radius / self.margin) ** 2


@dataclass(frozen=True, eq=False)
class Separator:
    """The line of the plane with the largest margin: w₁x₁ + w₂x₂ + w₃ = 0, (w₁, w₂) of length 1.

    `nearest` (2, 2) are the closest points of the two kinds' convex hulls: the line runs halfway
    between them, at right angles to the segment that joins them.
    """

    weights: tuple[float, float, float]
    margin: float
    nearest: np.ndarray


def _points(positive: Spots, negative: Spots) -> tuple[Point, ...]:
    kinds = ((1, positive), (-1, negative))
    return tuple(Point(x1, x2, side) for side, spots in kinds for x1, x2 in spots)


_WIDE: Final = _points(
    [(3, 3), (2, 4), (5, 3), (4, 5), (1, 5), (5, 1)],
    [(1, 0), (-1, 1), (-3, 1), (0, -1), (2, -3), (-2, 3), (-4, -2)],
)
# Named after the margin between the two kinds.
POINT_SETS: Final[Mapping[str, tuple[Point, ...]]] = {
    "wide": _WIDE,
    "narrow": _points(
        [(-4, 4), (-2, 2), (0, 1), (2, 0), (4, -1), (3, 4)],
        [(-5, 3), (-3, 2), (-1, 1), (1, 0), (3, -2), (-2, -3)],
    ),
    "nearly": (*_WIDE, Point(-2, 1, 1)),
    "xor": _points([(-2, 2), (2, -2)], [(-2, -2), (2, 2)]),
}


def score(weights: Vector, point: Point) -> int:
    """Return w·x."""
    return sum(w * x for w, x in zip(weights, point.x, strict=True))


def is_wrong(weights: Vector, point: Point) -> bool:
    """Return whether a point lies on the wrong side of the line, or on it."""
    return point.side * score(weights, point) <= 0


def mistakes(weights: Vector, points: Sequence[Point]) -> int:
    """Return how many points lie on the wrong side, or on the line."""
    return sum(is_wrong(weights, point) for point in points)


def train(points: Sequence[Point], most: int) -> Iterator[Correction]:
    """Go through the points again and again; at each mistake, w becomes w + y x.

    Ends when a whole pass makes no mistake, or after `most` updates.
    """
    weights: Vector = (0, 0, 0)
    count, passes = 0, 0
    while mistakes(weights, points):
        for point in points:
            if not is_wrong(weights, point):
                continue
            if count == most:
                return
            w1, w2, w3 = (w + point.side * x for w, x in zip(weights, point.x, strict=True))
            update = Correction(passes, point, weights, (w1, w2, w3))
            yield update
            weights, count = update.after, count + 1
        passes += 1


def distances(weights: Sequence[float], points: Sequence[Point]) -> np.ndarray:
    """Return each point's distance from a line of the plane, (N,), negative on the wrong side."""
    w1, w2, w3 = weights
    sums = [point.side * (w1 * point.x1 + w2 * point.x2 + w3) for point in points]
    return np.array(sums, float) / np.hypot(w1, w2)


def separator(points: Sequence[Point]) -> Separator | None:
    """Return the line with the largest margin in the plane; None where no line separates them.

    Two polygons are closest at a corner of one of them, so every point is tried against every
    segment between two of the other kind. With only one kind, any line far away would do, so there
    is no best one: None.
    """
    kinds = [
        np.array([(point.x1, point.x2) for point in points if point.side == side], float)
        for side in (1, -1)
    ]
    if not all(map(len, kinds)):
        return None
    ends = [_closest(a, b) for a, b in (kinds, kinds[::-1])]
    (plus, minus), (other_minus, other_plus) = ends
    pairs = np.stack([plus, minus]), np.stack([other_plus, other_minus])
    nearest = min(pairs, key=lambda pair: float(np.linalg.norm(pair[0] - pair[1])))
    way = nearest[0] - nearest[1]
    length = float(np.linalg.norm(way))
    if length < 1e-9:
        return None
    (w1, w2), middle = (way / length).tolist(), nearest.mean(0)
    weights = w1, w2, -float(way @ middle) / length
    if distances(weights, points).min() < length / 2 * (1 - 1e-9):
        return None  # the hulls overlap: their nearest points give no separating line
    return Separator(weights, length / 2, nearest)


def _closest(spots: np.ndarray, others: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the spot (2,) that is nearest to a segment between others, and the place on it."""
    first, second = np.array(list(combinations_with_replacement(range(len(others)), 2))).T
    start, along = others[first], others[second] - others[first]  # (S, 2)
    squares = np.maximum((along**2).sum(1), 1e-300)
    away = spots[:, None] - start  # (N, S, 2)
    share = np.clip((away * along).sum(2) / squares, 0, 1)
    places = start + share[..., None] * along  # (N, S, 2)
    lengths = np.linalg.norm(spots[:, None] - places, axis=2)
    spot, segment = np.unravel_index(int(lengths.argmin()), lengths.shape)
    return spots[spot], places[spot, segment]


def bound(points: Sequence[Point]) -> MistakeBound | None:
    """Return the bound for a set of points, or None where no line separates them.

    The largest margin is the distance from 0 to the convex hull of the y x. Its nearest point lies
    on a corner, an edge or a triangle of the hull: each is tried, so the answer is exact.
    """
    if not points:
        return None
    signed = np.array([point.side * np.array(point.x) for point in points], float)  # (N, 3)
    faces = [face for size in (1, 2, 3) for face in _nearest(signed, size)]
    margin, support, mix = min(faces, key=itemgetter(0))
    if margin < 1e-9:
        return None
    best = mix @ signed[list(support)] / margin  # (3,)
    if (signed @ best).min() < margin * (1 - 1e-9):
        return None  # 0 lies inside the hull: its nearest faces give no separating line
    radius = float(np.linalg.norm(signed, axis=1).max())
    return MistakeBound(radius, margin, best, support, mix)


def _nearest(signed: np.ndarray, size: int) -> list[tuple[float, tuple[int, ...], np.ndarray]]:
    """Return the point nearest to 0 of each corner, edge or triangle, if it lies inside that."""
    if len(signed) < size:
        return []
    chosen = np.array(list(combinations(range(len(signed)), size)))  # (M, size)
    corners = signed[chosen]  # (M, size, 3)
    mixes, inside = _mixes(corners)
    spots = np.einsum("mk,mkd->md", mixes, corners)
    lengths = np.where(inside, np.linalg.norm(spots, axis=1), np.inf)
    at = int(lengths.argmin())
    if lengths[at] == np.inf:
        return []
    return [(float(lengths[at]), tuple(chosen[at].tolist()), mixes[at])]


def _mixes(corners: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Solve for the mixtures, each adding up to 1, that lie nearest to 0: (M, size), (M,)."""
    count, size, _ = corners.shape
    system = np.zeros((count, size + 1, size + 1))
    system[:, :size, :size] = corners @ corners.transpose(0, 2, 1)
    system[:, :size, size] = system[:, size, :size] = 1
    # Collinear or repeated points make no triangle: their edges are tried instead. (The
    # coordinates are whole numbers, and so is the determinant.)
    solvable = np.abs(np.linalg.det(system)) > 0.5
    goal = np.zeros((count, size + 1, 1))
    goal[:, size] = 1
    mixes = np.zeros((count, size))
    mixes[solvable] = np.linalg.solve(system[solvable], goal[solvable])[:, :size, 0]
    return mixes, solvable & (mixes >= 0).all(1)
