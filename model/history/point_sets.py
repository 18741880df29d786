"""Sets of points to learn from, by the width of the street between the two kinds."""

from collections.abc import Mapping, Sequence
from typing import Final

from model.history.perceptron import Point

Spots = Sequence[tuple[int, int]]


def _points(positive: Spots, negative: Spots) -> tuple[Point, ...]:
    return (
        *(Point(x1, x2, 1) for x1, x2 in positive),
        *(Point(x1, x2, -1) for x1, x2 in negative),
    )


_WIDE: Final = _points(
    [(3, 3), (2, 4), (5, 3), (4, 5), (1, 5), (5, 1)],
    [(1, 0), (-1, 1), (-3, 1), (0, -1), (2, -3), (-2, 3), (-4, -2)],
)
POINT_SETS: Final[Mapping[str, tuple[Point, ...]]] = {
    "wide": _WIDE,
    "narrow": _points(
        [(-4, 4), (-2, 2), (0, 1), (2, 0), (4, -1), (3, 4)],
        [(-5, 3), (-3, 2), (-1, 1), (1, 0), (3, -2), (-2, -3)],
    ),
    "nearly": (*_WIDE, Point(-2, 1, 1)),
    "xor": _points([(-2, 2), (2, -2)], [(-2, -2), (2, 2)]),
}
