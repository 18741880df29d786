"""The film, the curves and the comparison: what is sent to the browser is what was given."""

import json
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest

from app.charts.curves import Curve, curves
from app.charts.theme import coloured
from app.components import film
from app.components.board import Grid
from app.components.film import FilmFrame
from app.components.grid import Weights, numbers
from app.views.training import film as training_film
from app.views.training.film import marked, scene_of
from model.runs.folder import RunFolder
from tests.app.views.training.conftest import run_film

WEIGHTS = np.random.default_rng(0).dirichlet(np.ones(3), (4, 2)).astype(np.float32)  # (N, T, S)
MOMENTS = [FilmFrame(step, (("<b>a</b>", True), ("$x$", False)), "") for step in (0, 1, 2, 1500)]


def sent(**settings: Any) -> dict[str, Any]:
    return film.payload(Weights(WEIGHTS, ["<bos>", "a"], ["a", "\n", "$x$"]), MOMENTS, **settings)


def test_the_film_is_sent_number_for_number() -> None:
    np.testing.assert_array_equal(numbers({**sent(), "shape": WEIGHTS.shape}), WEIGHTS)
    assert sent()["steps"] == [0, 1, 2, 1500]
    assert sent(wanted=[(0, 1)])["goals"] == [(0, 1)]
    assert sent()["keys"] == ["a", "↵", "$x$"]
    assert sent()["outputs"][0] == [["<b>a</b>", True], ["$x$", False]]
    json.dumps(sent(mask=np.tri(2, 3, dtype=bool)))


def test_labels_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ValueError, match="do not fit"):
        film.payload(Weights(WEIGHTS, ["a", "b"], ["a", "b", "c"]), MOMENTS[:3])


@pytest.mark.parametrize(
    ("output", "wanted", "right"),
    [
        ("a b c", "a b c", [True, True, True]),
        ("a x c", "a b c", [True, False, True]),
        ("c", "a b c", [True]),
        ("b a a", "a b", [True, False, False]),
        ("", "a", []),
    ],
)
def test_the_words_that_are_right(output: str, wanted: str, right: list[bool]) -> None:
    found = marked(output, wanted)
    assert [word for word, _ in found] == output.split()
    assert sum(is_right for _, is_right in found) == sum(right)
    if output != "b a a":  # two ways are equally good
        assert [is_right for _, is_right in found] == right


def test_curves_are_drawn_with_their_gaps_and_the_moment() -> None:
    steps, values = np.array([1, 2, 3]), np.array([4.0, np.nan, np.inf])
    drawn = [Curve("loss <i>", steps, values, "residual"),
             Curve("$other$", steps, steps / 3, "output", "points")]  # fmt: skip
    figure = curves(drawn, step_title="step", value_title="", steps=10, here=2, span=(0, 1))
    assert go.Figure(coloured(figure, "light")).data
    assert figure["data"][0]["y"] == [4.0, None, None]
    assert figure["layout"]["shapes"][0]["x0"] == 2
    assert "<i>" not in str(figure)
    assert curves([Curve("none", np.array([]), np.array([]), "key")], step_title="s",
                  value_title="v")  # fmt: skip
    with pytest.raises(ValueError, match="values at"):
        curves([Curve("x", steps, values[:2], "key")], step_title="s", value_title="v")


def test_two_moments_are_subtracted(shown: RunFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    made = run_film()
    drawn: list[Any] = []
    monkeypatch.setattr(training_film, "draw_board", lambda items, _key: drawn.extend(items))
    now = scene_of(made)
    training_film.draw_comparison(now)
    now_, other, difference = [one for one in drawn if isinstance(one, Grid)]
    first, last = made.frames[0].capture, made.frames[-1].capture
    np.testing.assert_array_equal(other.values, first.weights("cross", now.layer, now.head))
    np.testing.assert_array_equal(now_.values, last.weights("cross", now.layer, now.head))
    np.testing.assert_allclose(difference.values, now_.values - other.values)
    np.testing.assert_allclose(difference.values.sum(-1), 0, atol=5e-3)
    assert difference.reach == 1
