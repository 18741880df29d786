"""Sobel's four kernels: one ring of weights turned four ways, and what each makes of the house."""

from functools import partial
from typing import Final

import numpy as np

from app.components.board import array_grid, board
from app.data.house import house
from app.format import listed, number
from app.i18n import _
from app.page.quiz import Task
from app.ui.chart import show_chart
from app.views.history.filters import texts
from app.views.history.filters.choice import Choice
from app.views.history.filters.data import convolution
from app.views.history.filters.tiles_chart import columns_of, tiles

ROOF: Final = (3, 4)  # of the output: where the left edge of the roof is


def outputs() -> dict[str, np.ndarray]:
    """Return what each of the four kernels makes of the house, (P, Q)."""
    return {name: convolution.filtered(house(), _kernel(name)) for name in texts.SOBEL_NAMES}


def draw_sobel(_choice: Choice) -> None:
    """Draw the four kernels, and below them their outputs."""
    names = [_(name) for name in texts.SOBEL_NAMES.values()]
    kernels = [
        array_grid(_kernel(kernel), name, "key")
        for kernel, name in zip(texts.SOBEL_NAMES, names, strict=True)
    ]
    board(kernels, key="filters-sobel")
    drawn = np.stack(list(outputs().values()))
    figure = tiles(drawn, names, across=4, scale="signed", tile=110)
    columns = partial(columns_of, drawn, names)
    show_chart(figure, "filters-sobel-outputs", _(texts.SOBEL_ALT), columns)


def guess_sobel(_choice: Choice) -> Task:
    """Ask which kernel answers to the left edge of the roof."""
    names = [_(name) for name in texts.SOBEL_NAMES.values()]
    answers = np.array([each[ROOF] for each in outputs().values()])
    pairs = zip(names, answers.tolist(), strict=True)
    values = {
        "numbers": listed(f"{name} {number(answer)}" for name, answer in pairs),
        "row": ROOF[0] + 1,
        "column": ROOF[1] + 1,
    }
    best = [int(np.abs(answers).argmax())]
    return Task.of(texts.SOBEL_ASK, names, best, texts.SOBEL_RIGHT, texts.SOBEL_WRONG, **values)


def _kernel(name: str) -> np.ndarray:
    return convolution.KERNELS[name]
