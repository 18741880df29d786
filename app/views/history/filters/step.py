"""A kernel that steps over a picture: where it lies, its nine products and their sum."""

from typing import Any

import numpy as np
import streamlit as st

from app import state
from app.components.board import Grid, Op, array_grid, board
from app.data.house import Greys
from app.data.walk import Block, Cell
from app.format import number
from app.i18n import _
from app.inspect.arrays import twins
from app.ui import player
from app.ui.pickers import pick
from app.views.history.filters import texts
from app.views.history.filters.choice import KERNEL, OWN, PADDING, STRIDE, WAY, Choice
from app.views.history.filters.data import convolution
from app.views.history.filters.picture import pick_picture

Place = tuple[int, int]  # of a number in the output


def draw_steps(choice: Choice) -> None:
    """Draw all choices, the kernel that steps over the picture, and its numbers."""
    pick_picture()
    _pick_kernel()
    _pick_steps()
    stepping = choice.stepping
    rows, columns = stepping.shape
    player.tick(rows * columns)
    player.controls(rows * columns)
    at = divmod(player.step_of(rows * columns) - 1, columns)
    _draw_board(stepping, at)
    _draw_window(stepping, at)
    _draw_turned(stepping, at)
    _draw_size(stepping)


def _pick_kernel() -> None:
    pick(KERNEL, _("Kernel"), texts.KERNELS, wrap=True, help=_(texts.KERNEL_HELP))
    if KERNEL.get() != "own":
        return
    st.caption(_("Your kernel, row by row:"))
    look: dict[str, Any] = {"width": 96, "format": "%.2f", "label_visibility": "collapsed"}
    for row in range(3):
        with st.container(horizontal=True, gap="small"):
            for column in range(3):
                key = OWN[3 * row + column].widget()
                label = _(texts.OWN_KERNEL).format(row=row + 1, column=column + 1)
                tip = _(texts.OWN_KERNEL_HELP)
                st.number_input(label, -9.0, 9.0, step=1.0, key=key, help=tip, **look)


def _pick_steps() -> None:
    with st.container(horizontal=True, gap="medium"):
        pick(STRIDE, _("Step (stride)"), [1, 2, 3], help=_(texts.STRIDE_HELP))
        pick(PADDING, _("Zeros around (padding)"), [0, 1, 2], help=_(texts.PADDING_HELP))
        tip = _(texts.FLIPPED_HELP)
        pick(WAY, _("The kernel is laid down"), texts.WAYS, wrap=True, help=tip)


def _draw_board(stepping: convolution.Stepping, at: Place) -> None:
    """Draw picture and output side by side, with the window and its number marked."""
    window = stepping.window(*at)
    values = np.round(stepping.output(), 9) + 0  # what is 0 but for rounding is 0
    greys = {"scale": "greys", "reach": 1.0, "square": True}
    items: list[Grid | Op] = [
        array_grid(stepping.padded, _("picture"), "input", name="picture", **greys),
        Op("→"),
        array_grid(values, _("output"), "output", name="output", square=True),
    ]
    k = range(len(stepping.kernel))
    board(
        items,
        key="filters-board",
        asked=Cell("output", at),
        lit=[Block("picture", (window.top + i, window.left + j)) for i in k for j in k],
        on_ask=lambda cell: _go(stepping, cell),
        fold=twins(items, "filters-board"),
    )
    st.caption(_(texts.BOARD))


def _go(stepping: convolution.Stepping, cell: Cell) -> None:
    """Step to a number of the output, or to the first one that a pixel goes into."""
    row, column = cell.index
    if cell.name == "picture":
        row, column = (
            min(max(0, -(-(place - len(stepping.kernel) + 1) // stepping.stride)), last - 1)
            for place, last in zip((row, column), stepping.shape, strict=True)
        )
    state.STEP.set(row * stepping.shape[1] + column + 1)


def _draw_window(stepping: convolution.Stepping, at: Place) -> None:
    window = stepping.window(*at)
    st.markdown(_(texts.WINDOW).format(row=at[0] + 1, column=at[1] + 1))
    items: list[Grid | Op] = [
        array_grid(window.values, _("window"), "input", scale="greys", reach=1.0),
        Op("×"),
        array_grid(window.kernel, _("kernel"), "key"),
        Op("="),
        array_grid(window.products, _("products"), "output"),
    ]
    board(items, key="filters-window")
    st.latex(summed(window.values, window.kernel, window.sum))


def summed(values: Greys, kernel: Greys, total: float) -> str:
    """Write the sum of products as LaTeX, one row of the kernel a line."""
    factors = [[f"({w:.3g})" if w < 0 else f"{w:.3g}" for w in row] for row in kernel]
    lines = [
        " + ".join(rf"{value:.2f} \cdot {factor}" for value, factor in zip(*row, strict=True))
        for row in zip(values, factors, strict=True)
    ]
    joined = r" \\ + \; & ".join(lines)
    result = f"{round(total, 3) + 0:.3f}"  # + 0: what is rounded to −0 is 0
    return rf"\begin{{aligned}} & {joined} \\ = \; & \mathbf{{{result}}} \end{{aligned}}"


def _draw_turned(stepping: convolution.Stepping, at: Place) -> None:
    """Draw the kernel as it is and turned, with what both give at this window."""
    st.subheader(_("The same kernel turned by 180°"), anchor=False)
    kernel, turned = stepping.kernel, np.rot90(stepping.kernel, 2)
    values = stepping.window(*at).values
    items: list[Grid | Op] = [
        array_grid(kernel, _("as it is"), "key"),
        Op("↻ 180°"),
        array_grid(turned, _("turned"), "key"),
    ]
    board(items, key="filters-turned")
    # What is 0 but for rounding is 0.
    sums = [number(round(float((values * each).sum()), 9), 3) for each in (kernel, turned)]
    text = _(texts.TURNED).format(plain=sums[0], turned=sums[1])
    if np.array_equal(kernel, turned):
        text = f"{text} {_(texts.TURNED_SAME)}"
    elif np.array_equal(kernel, -turned):
        text = f"{text} {_(texts.TURNED_OPPOSITE)}"
    st.markdown(text)


def _draw_size(stepping: convolution.Stepping) -> None:
    st.markdown(_(texts.SIZE))
    n, k, (rows, _columns) = len(stepping.picture), len(stepping.kernel), stepping.shape
    st.latex(
        r"\left\lfloor \frac{n + 2p - k}{s} \right\rfloor + 1 = "
        rf"\left\lfloor \frac{{{n} + 2 \cdot {stepping.padding} - {k}}}{{{stepping.stride}}} "
        rf"\right\rfloor + 1 = \mathbf{{{rows}}}"
    )
