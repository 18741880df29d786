"""The perceptron: its rule, its bound, and XOR, which it never gets right."""

import numpy as np
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from model.history.perceptron import (
    Point,
    bound,
    distances,
    mistakes,
    score,
    separator,
    train,
)

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
def test_mistakes_stay_within_the_bound(
    spots: list[tuple[int, int]], w: tuple[int, int, int]
) -> None:
    points = separated(spots, w)
    found = bound(points)
    assume(points)
    assert found is not None
    made = list(train(points, 20_000))
    assert len(made) <= found.mistakes * (1 + 1e-9)
    assert mistakes(made[-1].after, points) == 0


@given(places, st.lists(st.sampled_from((-1, 1)), min_size=9, max_size=9))
@settings(max_examples=30)
def test_the_margin_is_the_largest(spots: list[tuple[int, int]], sides: list[int]) -> None:
    points = [Point(a, b, side) for (a, b), side in zip(spots, sides, strict=False)]
    found = bound(points)
    signed = np.array([p.side * np.array(p.x) for p in points])
    others = np.random.default_rng(0).normal(size=(4000, 3))
    reached = (others / np.linalg.norm(others, axis=1, keepdims=True) @ signed.T).min(1).max()
    if found is None:
        assert reached <= 0
        return
    # Any direction bounds the margin from below, any mixture of points from above: they meet.
    assert np.isclose((signed @ found.best).min(), found.margin, rtol=1e-9)
    mixed = found.mix @ signed[list(found.support)]
    assert np.isclose(np.linalg.norm(mixed), found.margin, rtol=1e-9)
    assert np.isclose(found.mix.sum(), 1)
    assert (found.mix >= 0).all()
    assert reached <= found.margin + 1e-9


def test_xor_has_no_bound_and_never_ends() -> None:
    assert bound(XOR) is None
    made = list(train(XOR, 500))
    assert len(made) == 500
    assert all(mistakes(update.after, XOR) for update in made)
    # The weights come back to where they were: it could go on like this for ever.
    assert made[-1].after in {update.after for update in made[:20]}


def test_every_update_repairs_a_mistake() -> None:
    points = separated([(1, 4), (2, -3), (-5, 0), (3, 3), (-2, 5)], (2, -1, 1))
    for update in train(points, 1000):
        assert update.point.side * update.score <= 0
        gained = update.point.side * (score(update.after, update.point) - update.score)
        assert gained == sum(x * x for x in update.point.x)


@given(places, st.lists(st.sampled_from((-1, 1)), min_size=9, max_size=9))
@settings(max_examples=30)
def test_no_line_of_the_plane_has_a_larger_margin(
    spots: list[tuple[int, int]], sides: list[int]
) -> None:
    """Each direction has its best line halfway between the two kinds; all directions are tried."""
    points = [Point(a, b, side) for (a, b), side in zip(spots, sides, strict=False)]
    assume(len({point.side for point in points}) == 2)
    found, limit = separator(points), bound(points)
    assert (found is None) == (limit is None)
    angles = np.linspace(0, 2 * np.pi, 20_000)
    along = np.column_stack([np.cos(angles), np.sin(angles)]) @ np.array(spots[: len(points)]).T
    plus = np.array([point.side for point in points]) > 0
    gaps = (along[:, plus].min(1) - along[:, ~plus].max(1)) / 2
    if found is None:
        assert gaps.max() <= 1e-9
        return
    assert limit is not None
    assert np.isclose(distances(found.weights, points).min(), found.margin, rtol=1e-9)
    assert np.isclose(np.linalg.norm(found.nearest[0] - found.nearest[1]) / 2, found.margin)
    assert np.isclose(np.hypot(*found.weights[:2]), 1)
    assert gaps.max() <= found.margin * (1 + 1e-9)
    assert np.isclose(gaps.max(), found.margin, atol=5e-3)
    assert limit.margin <= found.margin * (1 + 1e-9)  # (x₁, x₂, 1) measures the threshold too


def test_one_kind_alone_has_no_largest_margin() -> None:
    assert separator([Point(1, 2, 1), Point(0, 0, 1)]) is None
    assert separator([]) is None
