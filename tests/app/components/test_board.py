"""The board: what it is sent, what it sends back, and what it refuses."""

import json
from typing import Any

import numpy as np
import pytest

from app.components import board
from app.components.board import Grid, Op
from app.components.grid import numbers
from app.data.walk import Cell, CellBlock
from tests.app.pages import unpack

VALUES = np.array([[0.5, -2.0, 0.0], [1.0, -np.inf, 0.25]])
WORDS, ROW_WORDS = ["<b>", "\n", "$x$"], ["the", "the"]


def sent(grid: Grid) -> dict[str, Any]:
    """What the browser gets of one grid."""
    return board.payload([grid])["items"][0]


def test_items_keep_their_order_and_values_arrive_in_reading_order() -> None:
    mask = np.isfinite(VALUES)
    parts: dict[str, Any] = {"row_labels": ROW_WORDS, "col_labels": WORDS, "mask": mask}
    grid = Grid("q", (0, None, None), VALUES, "Q", **parts)
    items = board.payload([grid, Op("÷ √d_k"), Op("="), grid])["items"]
    assert [item.get("op", item.get("title")) for item in items] == ["Q", "÷ √d_k", "=", "Q"]
    assert items[0]["col_labels"] == ["<b>", "↵", "$x$"]  # plain: the browser uses textContent
    json.dumps(items, allow_nan=False)
    turned = sent(Grid("q", (0, None, None), np.asfortranarray(VALUES), "Q", **parts))
    assert turned == items[0]
    assert (turned["shape"], turned["reach"]) == ((2, 3), 2.0)
    np.testing.assert_array_equal(numbers(turned), VALUES)
    np.testing.assert_array_equal(unpack(turned["mask"], np.uint8), mask.ravel())


@pytest.mark.parametrize(
    ("index", "shape", "transposed", "axes"),
    [
        ((None, None), (2, 3), False, [0, 1]),
        ((4, None, None), (2, 3), False, [1, 2]),
        ((4, None, None), (2, 3), True, [2, 1]),
        ((None, 7, None), (2, 3), True, [2, 0]),
        ((4, 2, None), (3,), False, [None, 2]),
        ((None, 5), (3,), False, [None, 0]),
    ],
)
def test_drawn_axes_are_those_of_the_array(
    index: tuple[int | None, ...], shape: tuple[int, ...], transposed: bool, axes: list[int | None]
) -> None:
    grid = sent(Grid("k", index, np.zeros(shape), "K", transposed=transposed))
    assert grid["axes"] == axes
    assert grid["index"] == index


def test_a_strip_is_one_row() -> None:
    grid = sent(Grid("x", (3, None), VALUES[0], "x", row_labels=["cat"], cols=(4, 9, 2)))
    assert (grid["shape"], grid["row_labels"], grid["cols"]) == ((1, 3), ["cat"], (4, 9, 2))


def test_reach_is_the_largest_finite_value_unless_shared() -> None:
    assert sent(Grid("m", (None, None), VALUES, "M", reach=5))["reach"] == 5.0
    assert sent(Grid("m", (None,), np.array([-np.inf]), "M"))["reach"] == 0.0
    assert sent(Grid("m", (None, None), VALUES, "M", scale="weights"))["reach"] == 1.0


@pytest.mark.parametrize(
    ("part", "wrong"),
    [
        ("free axes", {"index": (0, None)}),
        ("free axes", {"values": np.zeros((1, 2, 3)), "index": (None, None, None)}),
        ("free axes", {"values": np.float64(1.0), "index": (0,)}),
        ("row labels", {"row_labels": WORDS}),
        ("column labels", {"col_labels": ROW_WORDS}),
        ("mask", {"mask": np.ones((3, 2), bool)}),
        ("rows", {"rows": (0, 1, 2)}),
        ("rows", {"values": np.zeros(3), "index": (0, None), "rows": (0,)}),
        ("cols", {"cols": (0, 1)}),
        ("no cell", {"values": np.zeros((0, 3))}),
    ],
)
def test_parts_that_do_not_fit_are_refused(part: str, wrong: dict[str, Any]) -> None:
    parts: dict[str, Any] = {"index": (None, None), "values": VALUES, **wrong}
    with pytest.raises(ValueError, match=f"q do not fit.*{part}"):
        sent(Grid("q", title="Q", **parts))


def test_marks_and_events_are_addresses() -> None:
    chosen = board.marks(Cell("q", (0, 1, 2)), [CellBlock("k", (0, None, 2))])
    assert chosen == {
        "asked": {"name": "q", "index": (0, 1, 2)},
        "lit": [{"name": "k", "index": (0, None, 2)}],
    }
    assert board.read({"name": "q", "index": [0, 1, 2]}) == Cell("q", (0, 1, 2))
