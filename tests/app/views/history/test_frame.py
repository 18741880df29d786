"""What the pages of the history share: the badge's sums, the slices of a training, the timeline."""

from collections.abc import Iterator

import numpy as np
import pytest

from app.data.child import timed
from app.page.declare import Proof, Recomputed
from app.page.live_training import Live
from app.registry import HISTORY, VIEWS, path_of


def stage(ours: list[float], again: list[float]) -> Recomputed:
    return Recomputed("numbers", np.array(ours), np.array(again), tolerance=1e-6)


def test_the_badge_shows_the_stage_that_is_nearest_to_its_bound() -> None:
    near, far = stage([1.0, 2.0], [1.0, 2.0 + 5e-7]), stage([1.0], [1.5])
    assert near.passed
    assert near.difference == pytest.approx(5e-7)
    assert not far.passed
    assert Proof([near, far], "by hand").worst is far


@pytest.mark.parametrize("again", [[1.0], [1.0, float("nan")], [1.0, float("inf")]])
def test_what_cannot_be_compared_never_passes(again: list[float]) -> None:
    assert not stage([1.0, 2.0], again).passed


def training(steps: int) -> Live[int]:
    def begin() -> Iterator[int]:
        yield from range(steps)

    return Live("live", "about", timed(begin))


def test_a_training_goes_on_in_slices_and_ends() -> None:
    made = training(5)
    made.advance(2)
    assert (made.reports, made.over) == ([0, 1], False)
    made.advance(seconds=0.0)
    assert made.reports == [0, 1], "no time, no step"
    made.advance(None)
    assert (made.reports, made.over) == ([0, 1, 2, 3, 4], True)
    made.advance(1)
    assert len(made.reports) == 5


def test_the_seconds_of_training_are_those_that_compute() -> None:
    """The perceptron and the XOR network once slept between their steps, and that was counted.

    Seconds of training were said that nobody had trained: now the page waits, and not the training.
    """
    made, pauses = training(4), list[int]()

    def pause(count: int) -> float:
        pauses.append(count)
        return 0.03

    made.advance(pause=pause)
    assert made.over
    assert made.reports == [0, 1, 2, 3]
    assert pauses == [1, 2, 3, 4]
    assert made.seconds < 0.03


def test_a_slice_ends_in_time_where_the_page_waits() -> None:
    made = training(1000)
    made.advance(seconds=0.05, pause=lambda _count: 0.02)
    assert 1 <= len(made.reports) <= 3


def test_a_second_run_of_the_page_does_not_enter_a_training_at_work() -> None:
    """Two runs of a page may overlap for a moment; a generator raises when entered twice."""

    def begin() -> Iterator[int]:
        made.advance(1)  # as another thread would, in the middle of a step
        yield 1

    made: Live[int] = Live("live", "about", iter(()))
    made.steps = timed(begin)
    made.advance(1)
    assert made.reports == [1]


def test_every_point_of_the_timeline_opens_a_page_of_the_section() -> None:
    slugs = {view.slug for view in VIEWS if view.section == HISTORY}
    assert {view.slug for view in VIEWS if view.points} == slugs
    for slug in slugs:
        assert path_of(slug) == f"views/history/{slug}/page.py"
    assert path_of("no such page") is None
