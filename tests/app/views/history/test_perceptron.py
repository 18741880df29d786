"""The page on the perceptron: points, updates, the bound, XOR."""

from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from app.format import short
from app.views.history.perceptron.data import (
    MOST,
    NUMBERS,
    bound,
    read,
    updates,
    write,
)
from app.views.history.perceptron.limits import SOLUTION
from app.views.history.perceptron.points import NO_POINTS
from model.history.perceptron import POINT_SETS
from model.history.xor import INPUTS
from tests.app.pages import charts, grids, judged, numbers, opened, option, said, step

PAGE = "perceptron"
# The address of three neurons that compute XOR.
SOLVED = {param.name: str(number) for param, number in zip(NUMBERS, SOLUTION, strict=True)}


@pytest.mark.parametrize("name", list(POINT_SETS))
def test_the_sets_are_what_they_are_called(name: str) -> None:
    points = POINT_SETS[name]
    assert read(write(points)) == points
    is_separable = name in ("wide", "narrow")
    assert (bound(points) is not None) == is_separable
    assert (len(updates(points)) < MOST) == is_separable


@pytest.mark.parametrize("raw", ["6.0.1", "1.1.2", "1.1", "a.b.c", "1.1.1.1"])
def test_what_is_no_point_is_refused(raw: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        read(raw)


def test_points_are_placed_and_taken_away_by_the_fields(models: Path) -> None:
    app = step(PAGE, "own")
    app.button("points-clear").click().run()
    assert app.query_params["pset"] == "own"
    assert any("There are no points yet" in each.value for each in app.info)
    app.number_input("px-en").set_value(2).run()
    app.button("points-put").click().run()
    assert app.query_params["pts"] == "2.0.1"
    app.button_group("pbrush-en").set_value("0").run()
    app.button("points-put").click().run()
    assert "pts" not in app.query_params
    assert not app.exception


def test_without_a_point_it_is_said_once_and_the_plane_stays_where_it_is(models: Path) -> None:
    """Three screens said it, and the legend came with the first point: the plane jumped."""
    empty = opened("perceptron", pset="own")
    assert [info.value for info in empty.info].count(NO_POINTS) == 1
    legends = [legend(step("perceptron", "own", pset="own", pts=pts)) for pts in ("", "1.2.1")]
    assert legends[0] == legends[1] == ["w·x = 0", "+1", "−1"]


def legend(app: AppTest) -> list[str]:
    """The rows of the legend."""
    figure = charts(app)["perceptron-own"]
    return [trace["name"] for trace in figure["data"] if trace.get("name") and trace["x"]]


def test_layers_without_thresholds_are_one_neuron(models: Path) -> None:
    app = step(PAGE, "linear", **SOLVED | {"x2b": "-2"})
    drawn = grids(app)
    hidden, out = numbers(drawn["hidden weights"]), numbers(drawn["output weights"])
    np.testing.assert_array_equal(hidden, np.array([[1, -1], [1, -1]]))
    one = numbers(drawn["one neuron"])
    np.testing.assert_array_equal(hidden @ out, one)
    np.testing.assert_array_equal(numbers(drawn["w·x"]), np.array(INPUTS) @ one)
    assert f"({short(one[0, 0])}, {short(one[1, 0])})" in said(app)
    assert "even says the same" not in said(app)
    assert "even says the same" in said(step(PAGE, "linear", **SOLVED))


def test_two_layers_begin_unsolved_and_are_solved_by_a_press(models: Path) -> None:
    """The task was solved before anybody had tried."""
    app = step(PAGE, "two")
    assert any("Rows that are right: 3 of 4" in each.value for each in app.info)
    app.button(key="layers-solve").click().run()
    assert "All 4 rows are right: two layers compute XOR." in [each.value for each in app.success]
    assert not app.exception


def test_the_task_asks_for_the_last_update(models: Path) -> None:
    app = step(PAGE, "task")
    last = updates(POINT_SETS["wide"])[-1].after
    judged(app, option(app, "({}, {}, {})".format(*map(short, last))))
