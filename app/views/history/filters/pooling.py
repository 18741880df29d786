"""Max pooling: of each square of 2 × 2 numbers of a feature map, the largest."""

from typing import Final

import numpy as np

from app.components.board import Grid, Op, array_grid
from app.data.walk import Block, Cell
from app.format import number
from app.i18n import _
from app.inspector.arrays import draw_board
from app.state import Param, whole
from app.ui.pickers import pick_from_list
from app.views.history.filters import texts
from app.views.history.filters.choice import Choice
from app.views.history.filters.data import cnn, reading

MAP: Final = Param[int]("fmap", 0, whole(1, cnn.FILTERS[1]))  # 0: the one that answers most
SQUARE: Final = Param[int]("fpool", 0, whole(1, 16))  # 0: the one with the largest number


def pick_map(choice: Choice) -> None:
    """Draw the choice of a feature map."""
    maps = {i: str(i) for i in range(1, cnn.FILTERS[1] + 1)}
    label, tip = _("Feature map"), _(texts.MAP_HELP)
    pick_from_list(MAP, label, maps, value=_map(choice) + 1, help=tip, width=140)


def _map(choice: Choice) -> int:
    """Return the chosen feature map, from 0; without a choice, the one with the largest number."""
    pooled = reading(choice.network, choice.digit).pooled
    return MAP.get() - 1 if MAP.get() else int(pooled.max((1, 2)).argmax())


def _place(choice: Choice) -> tuple[int, int]:
    pooled = _pooled(choice)
    at = SQUARE.get() - 1 if SQUARE.get() else int(pooled.argmax())
    row, column = divmod(at, pooled.shape[1])
    return row, column


def _pooled(choice: Choice) -> np.ndarray:
    return np.asarray(reading(choice.network, choice.digit).pooled[_map(choice)])


def _whole(choice: Choice) -> np.ndarray:
    return np.asarray(reading(choice.network, choice.digit).maps2[_map(choice)])


def pool_text(choice: Choice) -> str:
    """Say what is kept of the square that is marked."""
    row, column = _place(choice)
    map_, pooled = _whole(choice), _pooled(choice)
    square = map_[2 * row : 2 * row + 2, 2 * column : 2 * column + 2]
    numbers = "; ".join(number(float(x)) for x in square.ravel())
    sizes = {"before": map_.size, "after": pooled.size}
    largest = number(float(pooled[row, column]))
    return _(texts.POOL).format(numbers=numbers, largest=largest, **sizes)


def draw_pool(choice: Choice) -> None:
    """Draw a feature map and what is kept of it, with one square marked."""
    row, column = _place(choice)
    map_, pooled = _whole(choice), _pooled(choice)
    look = {"square": True, "height": 224, "reach": float(map_.max()) or 1.0}
    items: list[Grid | Op] = [
        array_grid(map_, _("feature map"), "value", name="map", **look),
        Op("max →"),
        array_grid(pooled, _("pooled"), "output", name="pooled", **look),
    ]
    draw_board(
        items,
        "filters-pool",
        asked=Cell("pooled", (row, column)),
        lit=[Block("map", (2 * row + i, 2 * column + j)) for i in range(2) for j in range(2)],
        on_ask=lambda cell: _go(cell, pooled.shape[1]),
    )


def _go(cell: Cell, across: int) -> None:
    row, column = cell.index if cell.name == "pooled" else (i // 2 for i in cell.index)
    SQUARE.set(row * across + column + 1)
