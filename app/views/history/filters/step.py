"""A kernel that steps over a picture: where it lies, its nine products and their sum."""

from collections.abc import Sequence
from typing import Final

import numpy as np
import streamlit as st

from app import state
from app.components.board import Grid, Op, board
from app.data.house import Greys
from app.data.walk import Block, Cell
from app.format import number
from app.i18n import _
from app.inspect.arrays import twins
from app.state import Param, decimal, one_of, whole
from app.ui import player
from app.views.history.filters import texts
from app.views.history.filters.data import KERNELS, Stepping, rotated
from app.views.history.filters.picture import pick_picture, picture

KERNEL: Final = Param[str]("fker", "horizontal", one_of(*texts.KERNELS))
# To begin with, a kernel that sharpens: five times the pixel, less its four neighbours.
OWN: Final = tuple(
    Param[float](f"fk{i}", weight, decimal(-9, 9))
    for i, weight in enumerate((0.0, -1.0, 0.0, -1.0, 5.0, -1.0, 0.0, -1.0, 0.0))
)
WAY: Final = Param[str]("fway", "plain", one_of(*texts.WAYS))
STRIDE: Final = Param[int]("fstride", 1, whole(1, 3))
PADDING: Final = Param[int]("fpad", 0, whole(0, 2))


def chosen() -> Stepping:
    """Return the stepping that is chosen."""
    kernel = KERNELS.get(KERNEL.get())
    return Stepping(
        picture(), _own() if kernel is None else kernel, STRIDE.get(), PADDING.get(),
        flipped=WAY.get() == "turned",
    )  # fmt: skip


def draw_steps() -> None:
    """Draw all choices, the kernel that steps over the picture, and its numbers."""
    pick_picture()
    _pick_kernel()
    _pick_steps()
    now = chosen()
    count = now.shape[0] * now.shape[1]
    player.tick(count)
    player.controls(count)
    at = divmod(player.step_of(count) - 1, now.shape[1])
    _board(now, at)
    _window(now, at)
    _turned(now, at)
    _size(now)


def _own() -> Greys:
    return np.array([param.get() for param in OWN]).reshape(3, 3)


def _pick_kernel() -> None:
    """Draw the choice of kernel, and nine fields for one's own."""
    st.segmented_control(
        _("Kernel"), list(texts.KERNELS), format_func=lambda name: _(texts.KERNELS[name]),
        required=True, wrap=True, key=KERNEL.widget(), help=_(texts.KERNEL_HELP),
    )  # fmt: skip
    if KERNEL.get() != "own":
        return
    st.caption(_(texts.OWN_KERNEL_TITLE))
    for row in range(3):
        with st.container(horizontal=True, gap="small"):
            for column in range(3):
                param = OWN[3 * row + column]
                st.number_input(
                    _(texts.OWN_KERNEL).format(row=row + 1, column=column + 1), -9.0, 9.0,
                    step=1.0, format="%.2f", key=param.widget(), width=96,
                    label_visibility="collapsed", help=_(texts.OWN_KERNEL_HELP),
                )  # fmt: skip


def _pick_steps() -> None:
    """Draw the choices of stride, padding, and the way the kernel is laid down."""
    with st.container(horizontal=True, gap="medium"):
        st.segmented_control(
            _("Step (stride)"), [1, 2, 3], required=True, key=STRIDE.widget(),
            help=_(texts.STRIDE_HELP),
        )  # fmt: skip
        st.segmented_control(
            _("Zeros around (padding)"), [0, 1, 2], required=True, key=PADDING.widget(),
            help=_(texts.PADDING_HELP),
        )  # fmt: skip
        st.segmented_control(
            _("The kernel is laid down"), list(texts.WAYS), required=True, key=WAY.widget(),
            format_func=lambda way: _(texts.WAYS[way]), help=_(texts.FLIPPED_HELP), wrap=True,
        )  # fmt: skip


def _board(now: Stepping, at: tuple[int, int]) -> None:
    """Draw picture and output side by side, with the window and its number marked."""
    window = now.window(*at)
    picture = Grid(
        "picture", (None, None), now.padded, _("picture"), "input", "greys", reach=1.0, square=True
    )
    values = np.round(now.output(), 9) + 0  # what is 0 but for rounding is 0
    output = Grid("output", (None, None), values, _("output"), "output", square=True)
    k = range(len(now.kernel))
    lit = [Block("picture", (window.top + i, window.left + j)) for i in k for j in k]
    items: list[Grid | Op] = [picture, Op("→"), output]
    board(
        items, key="filters-board", asked=Cell("output", at), lit=lit,
        on_ask=lambda cell: _go(now, cell), fold=twins(items, "filters-board"),
    )  # fmt: skip
    st.caption(_(texts.BOARD))


def _go(now: Stepping, cell: Cell) -> None:
    """Step to a number of the output, or to the first one that a pixel goes into."""
    row, column = cell.index
    if cell.name == "picture":
        row, column = (
            min(max(0, -(-(place - len(now.kernel) + 1) // now.stride)), last - 1)
            for place, last in zip((row, column), now.shape, strict=True)
        )
    state.STEP.set(row * now.shape[1] + column + 1)


def _window(now: Stepping, at: tuple[int, int]) -> None:
    """Draw the window's nine products, and write out their sum."""
    window = now.window(*at)
    st.markdown(_(texts.WINDOW).format(row=at[0] + 1, column=at[1] + 1))
    items: list[Grid | Op] = [
        Grid("", (None, None), window.values, _("window"), "input", "greys", reach=1.0),
        Op("×"),
        Grid("", (None, None), window.kernel, _("kernel"), "key"),
        Op("="),
        Grid("", (None, None), window.products, _("products"), "output"),
    ]
    board(items, key="filters-window")
    st.latex(summed(window.values, window.kernel, window.sum))


def summed(values: Greys, kernel: Greys, total: float) -> str:
    """Write the sum of products as LaTeX, one row of the kernel a line."""
    lines: Sequence[str] = [
        " + ".join(
            rf"{value:.2f} \cdot {_factor(weight)}" for value, weight in zip(*rows, strict=True)
        )
        for rows in zip(values, kernel, strict=True)
    ]
    joined = r" \\ + \; & ".join(lines)
    result = f"{round(total, 3) + 0:.3f}"  # + 0: what is rounded to −0 is 0
    return rf"\begin{{aligned}} & {joined} \\ = \; & \mathbf{{{result}}} \end{{aligned}}"


def _factor(weight: float) -> str:
    return f"({weight:.3g})" if weight < 0 else f"{weight:.3g}"


def _turned(now: Stepping, at: tuple[int, int]) -> None:
    """Draw the kernel as it is and turned, with what both give at this window."""
    st.subheader(_(texts.TURNED_TITLE), anchor=False)
    kernel, turned = now.kernel, rotated(now.kernel)
    values = now.window(*at).values
    items: list[Grid | Op] = [
        Grid("", (None, None), kernel, _("as it is"), "key"),
        Op("↻ 180°"),
        Grid("", (None, None), turned, _("turned"), "key"),
    ]
    board(items, key="filters-turned")
    said = _(texts.TURNED).format(
        plain=number(_sum(values, kernel), 3),
        turned=number(_sum(values, turned), 3),
    )  # fmt: skip
    if np.array_equal(kernel, turned):
        said = f"{said} {_(texts.TURNED_SAME)}"
    elif np.array_equal(kernel, -turned):
        said = f"{said} {_(texts.TURNED_OPPOSITE)}"
    st.markdown(said)


def _sum(values: Greys, kernel: Greys) -> float:
    """Add up the products; what is 0 but for rounding is 0."""
    return round(float((values * kernel).sum()), 9)


def _size(now: Stepping) -> None:
    """Write the formula of the output's size with its numbers."""
    st.markdown(_(texts.SIZE))
    n, k, (rows, _columns) = len(now.picture), len(now.kernel), now.shape
    st.latex(
        r"\left\lfloor \frac{n + 2p - k}{s} \right\rfloor + 1 = "
        rf"\left\lfloor \frac{{{n} + 2 \cdot {now.padding} - {k}}}{{{now.stride}}} "
        rf"\right\rfloor + 1 = \mathbf{{{rows}}}"
    )
