"""The perceptron: a neuron that learns its weights from its mistakes.

Rosenblatt (1957), The Perceptron. A point is x = (x₁, x₂, 1): the 1 makes the threshold one more
weight.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

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
