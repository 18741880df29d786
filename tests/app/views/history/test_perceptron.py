"""The page on the perceptron: points, updates, the bound, XOR."""

from pathlib import Path

import numpy as np
import pytest

from app.views.history.perceptron.bound import both_ways
from app.views.history.perceptron.data import (
    MOST,
    POINT_SETS,
    TARGETS,
    bound,
    updates,
    updates_again,
)
from app.views.history.perceptron.demands import demands
from app.views.history.perceptron.points import read, write
from tests.app.pages import opened

PAGE = "perceptron"


@pytest.mark.parametrize("name", list(POINT_SETS))
def test_the_sets_are_what_they_are_called(name: str) -> None:
    points = POINT_SETS[name]
    assert read(write(points)) == points
    found = bound(points)
    assert (found is not None) == (name in ("wide", "narrow"))
    assert (len(updates(points)) == MOST) == (found is None)
    if found is not None:
        assert 1 < len(updates(points)) <= found.mistakes
        np.testing.assert_allclose(both_ways(points, found), found.margin, rtol=1e-12)


def test_a_narrow_street_takes_longer_and_has_a_larger_bound() -> None:
    wide, narrow = POINT_SETS["wide"], POINT_SETS["narrow"]
    assert len(updates(wide)) < len(updates(narrow))
    first, second = bound(wide), bound(narrow)
    assert first is not None
    assert second is not None
    assert first.mistakes < second.mistakes


def test_the_badge_computes_the_updates_again() -> None:
    for points in POINT_SETS.values():
        after, scores = updates_again(points)
        np.testing.assert_array_equal(after, [update.after for update in updates(points)])
        np.testing.assert_array_equal(scores, [update.score for update in updates(points)])


@pytest.mark.parametrize("raw", ["6.0.1", "1.1.2", "1.1", "a.b.c", "1.1.1.1"])
def test_what_is_no_point_is_refused(raw: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        read(raw)


def test_no_numbers_satisfy_all_four_demands() -> None:
    grid = np.linspace(-3, 3, 25)
    held = [sum(demands(a, b, t)) for a in grid for b in grid for t in grid]
    assert max(held) == len(TARGETS) - 1


def test_points_are_placed_and_taken_away_by_the_fields(models: Path) -> None:
    app = opened(PAGE)
    app.button("points-clear").click().run()
    assert app.query_params["pset"] == "own"
    assert any("There is no point yet" in each.value for each in app.info)
    app.number_input("px-en").set_value(2).run()
    app.button("points-put").click().run()
    assert app.query_params["pts"] == "2.0.1"
    app.button_group("pbrush-en").set_value("0").run()
    app.button("points-put").click().run()
    assert "pts" not in app.query_params
    assert not app.exception


def test_one_step_is_one_update(models: Path) -> None:
    app = opened(PAGE)
    said = " ".join(each.value for each in app.markdown)
    assert "**Update 1**" in said
    app.button("live-perceptron-step").click().run()
    said = " ".join(each.value for each in app.markdown)
    assert "**Update 2**" in said


def test_the_task_asks_for_the_last_update(models: Path) -> None:
    app = opened(PAGE)
    last = updates(POINT_SETS["wide"])[-1].after
    options = [option.replace("\\", "").replace("−", "-") for option in app.radio[0].options]
    right = options.index("({}, {}, {})".format(*last))
    app.radio[0].set_value(right).run()
    assert "Yes" in app.success[-1].value
    app.radio[0].set_value((right + 1) % len(options)).run()
    assert not any("Yes" in each.value for each in app.success)


def test_two_layers_turned_wrong_are_told(models: Path) -> None:
    app = opened(PAGE, x2t="1")
    assert any("of the 4 rows are right" in each.value for each in app.info)


@pytest.mark.parametrize(
    "query",
    [
        {"pset": "own", "pts": "0.0.1"},
        {"pset": "own", "pts": "x"},
        {"pset": "xor", "lang": "es"},
        {"pset": "own", "pts": "0.0.1_1.1.1_2.2.1", "lang": "fr"},
        {"x1": "nan", "x0a": "99"},
    ],
)
def test_the_page_opens_at_any_address(models: Path, query: dict[str, str]) -> None:
    app = opened(PAGE, **query)
    assert not app.exception
    assert not app.error
