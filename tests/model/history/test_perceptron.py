"""The perceptron: its rule, and XOR, which it never gets right."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from model.history.perceptron import POINT_SETS, Point, mistakes, score, train

XOR = [Point(-1, -1, -1), Point(-1, 1, 1), Point(1, -1, 1), Point(1, 1, -1)]
at = st.integers(-5, 5)
places = st.lists(st.tuples(at, at), min_size=2, max_size=9, unique=True)


def separated(spots: list[tuple[int, int]], w: tuple[int, int, int]) -> list[Point]:
    sums = [w[0] * a + w[1] * b + w[2] for a, b in spots]
    return [Point(a, b, 1 if s > 0 else -1) for (a, b), s in zip(spots, sums, strict=True) if s]


def test_an_update_adds_the_point_to_the_weights() -> None:
    first, second = list(train([Point(1, 2, 1), Point(2, 1, -1)], 2))
    assert (first.before, first.after, first.score) == ((0, 0, 0), (1, 2, 1), 0)
    assert (second.before, second.after, second.score) == ((1, 2, 1), (-1, 1, 0), 5)


@given(places, st.tuples(at, at, at))
@settings(max_examples=30)
def test_it_ends_where_a_line_separates_the_points(
    spots: list[tuple[int, int]], w: tuple[int, int, int]
) -> None:
    points = separated(spots, w)
    assume(points)
    made = list(train(points, 20_000))
    assert mistakes(made[-1].after, points) == 0


def test_xor_never_ends() -> None:
    made = list(train(XOR, 500))
    assert len(made) == 500
    assert all(mistakes(update.after, XOR) for update in made)
    # The weights come back to where they were: it could go on like this for ever.
    assert made[-1].after in {update.after for update in made[:20]}


@pytest.mark.parametrize("name", list(POINT_SETS))
def test_the_weights_are_the_sum_of_the_points_that_were_repaired(name: str) -> None:
    """And the sets are what they are called: two of them can be separated."""
    made = list(train(POINT_SETS[name], 200))
    assert (len(made) < 200) == (name in ("wide", "narrow"))
    x = np.array([update.point.x for update in made])
    after = np.cumsum(np.array([[update.point.side] for update in made]) * x, axis=0)
    np.testing.assert_array_equal([update.after for update in made], after)
    before = np.concatenate([np.zeros((1, 3)), after[:-1]])
    np.testing.assert_array_equal([update.score for update in made], (before * x).sum(1))


def test_every_update_repairs_a_mistake() -> None:
    points = separated([(1, 4), (2, -3), (-5, 0), (3, 3), (-2, 5)], (2, -1, 1))
    for update in train(points, 1000):
        assert update.point.side * update.score <= 0
        gained = update.point.side * (score(update.after, update.point) - update.score)
        assert gained == sum(x * x for x in update.point.x)
