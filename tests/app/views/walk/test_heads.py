"""Chapter 5: the heads side by side are the model's, and their parts add up to its output."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from app.components.board import Grid, Op
from app.data.translation import Decoding
from app.data.walk import Walk, walk
from app.inspect.head import Head
from app.views.walk.heads import output as heads_output
from tests.app.pages import opened

TEXT = "Qué será, será"


@pytest.fixture
def head(models: Path) -> Head:
    return Head(walk("es-en", TEXT, Decoding("greedy")), "encoder", 1, 2, 1)


@pytest.fixture
def pictures(monkeypatch: pytest.MonkeyPatch) -> dict[str, list[Grid]]:
    """The grids that are drawn, by the name of their picture."""
    made: dict[str, list[Grid]] = {}

    def keep(_walk: Walk, items: Sequence[Grid | Op], key: str) -> None:
        made[key] = [item for item in items if isinstance(item, Grid)]

    monkeypatch.setattr(heads_output, "arrays", keep)
    return made


def test_heads_side_by_side_times_w_o_is_the_output(
    head: Head, pictures: dict[str, list[Grid]]
) -> None:
    heads_output.draw_join(head)
    every, side = (grid.values for grid in pictures["heads-joined"])
    np.testing.assert_array_equal(every.ravel(), side)
    side, w, b, out = (grid.values for grid in pictures["heads-output"])
    np.testing.assert_allclose(side @ w + b, out, atol=1e-4)


def test_what_the_heads_add_is_the_output(head: Head, pictures: dict[str, list[Grid]]) -> None:
    heads_output.draw_parts(head)
    rows, bias, out = (grid.values for grid in pictures["heads-parts"])
    np.testing.assert_allclose(rows.sum(0) + bias, out, atol=1e-4)
    lengths = pictures["heads-every"][0].values
    np.testing.assert_allclose(lengths[:, head.query], np.linalg.norm(rows, axis=1))


def test_the_task_is_right(models: Path) -> None:
    app = opened("heads", text=TEXT, word="1", layer="2", head="mean")
    assert not app.exception
    weights = walk("es-en", TEXT, Decoding("beam", beam=4)).capture.weights("encoder", 1)[:, 1]
    first, second = np.sort(weights, axis=0)[[-1, -2]]
    clear = np.where(np.arange(weights.shape[1]) == 1, -1, first - second)
    right = int(weights[:, int(clear.argmax())].argmax())
    for option in range(len(weights)):
        answered(app, option)
        assert bool(app.success) == (option == right)


def answered(app: AppTest, option: int) -> None:
    app.radio[0].set_value(option).run()
