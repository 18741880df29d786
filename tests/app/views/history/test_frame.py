"""What the pages of the history share: the slices of a training, the timeline, old addresses."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.util import calc_hash

from app.data.child import timed
from app.page.contents import every_drawer, every_screen, now
from app.page.live_training import Live
from app.registry import HISTORY, MERGED, VIEWS, Address, path_of
from tests.app.pages import opened


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


# The screens and drawers that the nine pages had in November 2026, and those before them.
OLD = {
    "neuron": "sum gate search veto line",
    "perceptron": "mark xor two hidden linear why points own margin rule bound",
    "backprop": "expression result rounding steps xor winter weights starts linear",
    "filters": (
        "step colour size turned sobel window loop train read pool said alexnet layers "
        "kernels deeper drawn network imagenet alexnet-code"
    ),
    "residual": (
        "normalise norm use resnet stages moments bottleneck block slope race gradient idea "
        "relu block-code"
    ),
    "words_as_vectors": (
        "sum test translator update errors changes one_hot text train near story apart pairs "
        "learned"
    ),
    "seq2seq": (
        "gru unit forget bridge try new cells fade kept batch block padding unrolled write "
        "target encoder loop next decoder"
    ),
    "rnnsearch": ("read query score sum state map back annotation keys match softmax weigh lines"),
    "evolution": (
        "beside where roles made range vector numbers length row speed better six formulas "
        "vectors additive dot scaled self cross multi-head"
    ),
}


def test_old_addresses_lead_to_screens_that_are_there() -> None:
    """Nine pages of some fifty screens became five of fifteen."""
    there = {*every_screen(), *every_drawer()}
    for page, named in OLD.items():
        for screen in named.split():
            assert now(Address(page, screen)) in there, (page, screen)
    left = [at for at in every_screen() if at.page in {view.slug for view in VIEWS if view.points}]
    assert len([at for at in left if at.screen]) <= 20


@pytest.mark.parametrize("page", MERGED)
def test_the_address_of_a_merged_page_opens_where_its_screens_are(models: Path, page: str) -> None:
    app = opened("start")
    app._page_hash = calc_hash(page)
    app.run()
    assert not app.exception
    assert app.query_params["part"] == MERGED[page].screen
