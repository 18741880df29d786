"""A kernel that steps over a picture: where it lies, its nine products and their sum."""

from typing import Any

import numpy as np
import streamlit as st

from app import state
from app.components.board import Grid, Op, array_grid, board
from app.data.house import Greys
from app.data.walk import Block, Cell
from app.format import number, short, tex
from app.i18n import _
from app.inspector.arrays import draw_board
from app.ui import player
from app.ui.pickers import pick, pick_from_list
from app.views.history.filters import texts
from app.views.history.filters.choice import KERNEL, OWN, PADDING, STRIDE, WAY, Choice
from app.views.history.filters.data import convolution
from app.views.history.filters.picture import pick_picture

Place = tuple[int, int]  # of a number in the output


def pick_stepping(choice: Choice) -> None:
    """Draw the choice of a picture and a kernel, and the buttons that step."""
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom"):
        pick_picture()
        _pick_kernel()
        pick_place(choice)
    _pick_weights()


def pick_place(choice: Choice) -> None:
    """Draw the buttons that step over the picture."""
    rows, columns = choice.stepping.shape
    ready = _most_telling(choice.stepping)
    player.tick(rows * columns, ready=ready)
    player.controls(rows * columns, ready=ready)


def pick_steps(_choice: Choice) -> None:
    """Draw the choice of stride and padding."""
    with st.container(horizontal=True, gap="medium"):
        pick(STRIDE, _("Step (stride)"), [1, 2, 3], help=_(texts.STRIDE_HELP))
        pick(PADDING, _("Zeros around (padding)"), [0, 1, 2], help=_(texts.PADDING_HELP))


def _pick_kernel() -> None:
    names = {name: _(title) for name, title in texts.KERNELS.items()}
    pick_from_list(KERNEL, _("Kernel"), names, help=_(texts.KERNEL_HELP), width=230)


def _pick_weights() -> None:
    """Draw the nine fields of a kernel of the visitor's own."""
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


def step_text(choice: Choice) -> str:
    """Say what the kernel does, and how far it moves on."""
    return _(texts.STEP).format(stride=_(texts.STRIDES[choice.stepping.stride]))


def draw_steps(choice: Choice) -> None:
    """Draw picture and output side by side, with the window and its number marked."""
    stepping, at = choice.stepping, place_of(choice)
    window, k = stepping.window(*at), range(len(stepping.kernel))
    items = _picture_and_output(stepping, ("picture", "output"), 224)
    draw_board(
        items,
        "filters-board",
        asked=Cell("output", at),
        lit=[Block("picture", (window.top + i, window.left + j)) for i in k for j in k],
        on_ask=lambda cell: _go(stepping, cell),
    )


def place_of(choice: Choice) -> Place:
    """Return the number of the output that one looks at."""
    rows, columns = choice.stepping.shape
    step = player.step_of(rows * columns, ready=_most_telling(choice.stepping))
    row, column = divmod(step - 1, columns)
    return row, column


def _most_telling(stepping: convolution.Stepping) -> int:
    """Return the step to begin with, where the kernel answers most: the first is a flat sky."""
    return int(np.abs(stepping.output()).round(9).argmax()) + 1


def _picture_and_output(
    stepping: convolution.Stepping, names: tuple[str, str], height: int
) -> list[Grid | Op]:
    """Return both as grids, the picture `height` pixels high; names make their cells clickable."""
    values = np.round(stepping.output(), 9) + 0  # what is 0 but for rounding is 0
    small: dict[str, Any] = {"square": True, "thumb": True}
    greys = small | {"scale": "greys", "reach": 1.0, "height": height}
    output = small | {"height": height * len(values) / len(stepping.padded)}
    return [
        array_grid(stepping.padded, _("picture"), "input", name=names[0], **greys),
        Op("→"),
        array_grid(values, _("output"), "output", name=names[1], **output),
    ]


def _go(stepping: convolution.Stepping, cell: Cell) -> None:
    """Step to a number of the output, or to the first one that a pixel goes into."""
    row, column = cell.index
    if cell.name == "picture":
        row, column = (
            min(max(0, -(-(place - len(stepping.kernel) + 1) // stepping.stride)), last - 1)
            for place, last in zip((row, column), stepping.shape, strict=True)
        )
    state.STEP.set(row * stepping.shape[1] + column + 1)


def window_text(choice: Choice) -> str:
    """Say which number is made, and what it is."""
    row, column = at = place_of(choice)
    total = _number(choice.stepping.window(*at).sum)
    return _(texts.WINDOW).format(row=row + 1, column=column + 1, sum=total)


def draw_window(choice: Choice) -> None:
    """Write out the nine products in the window, and their sum."""
    window = choice.stepping.window(*place_of(choice))
    st.latex(tex(summed(window.values, window.kernel, window.sum)))


def summed(values: Greys, kernel: Greys, total: float) -> str:
    """Write the sum of products as LaTeX, one row of the kernel a line."""
    factors = [[f"({short(w, 3)})" if w < 0 else short(w, 3) for w in row] for row in kernel]
    lines = [
        " + ".join(rf"{number(value)} \cdot {factor}" for value, factor in zip(*row, strict=True))
        for row in zip(values, factors, strict=True)
    ]
    joined = r" \\ + \; & ".join(lines)
    result = number(round(total, 9), 3)  # what is 0 but for rounding is 0
    return rf"\begin{{aligned}} & {joined} \\ = \; & \mathbf{{{result}}} \end{{aligned}}"


def turned_text(choice: Choice) -> str:
    """Say what the kernel gives at the window as it is, and turned."""
    kernel, turned = choice.stepping.kernel, np.rot90(choice.stepping.kernel, 2)
    (row, column), (plain, after) = place_of(choice), map(_number, _sums(choice))
    place = {"row": row + 1, "column": column + 1}
    text = _(texts.TURNED).format(plain=plain, turned=after, **place)
    if np.array_equal(kernel, turned):
        return f"{text} {_(texts.TURNED_SAME)}"
    if np.array_equal(kernel, -turned):
        return f"{text} {_(texts.TURNED_OPPOSITE)}"
    return text


def draw_turned(choice: Choice) -> None:
    """Draw the kernel as it is and turned, and the choice of the way it is laid down."""
    pick(WAY, _("The kernel is laid down"), texts.WAYS, wrap=True)
    kernel = choice.stepping.kernel
    items: list[Grid | Op] = [
        array_grid(kernel, _("as it is"), "key"),
        Op("↻ 180°"),
        array_grid(np.rot90(kernel, 2), _("turned"), "key"),
    ]
    draw_board(items, "filters-turned")


def _sums(choice: Choice) -> tuple[float, float]:
    stepping = choice.stepping
    values = stepping.window(*place_of(choice)).values
    # What is 0 but for rounding is 0.
    plain, turned = (
        round(float((values * each).sum()), 9) + 0
        for each in (stepping.kernel, np.rot90(stepping.kernel, 2))
    )
    return plain, turned


def _number(value: float) -> str:
    return number(round(value, 9), 3)


def draw_size(choice: Choice) -> None:
    """Draw the picture with its zeros, the output, and the formula of its size."""
    stepping = choice.stepping
    items = _picture_and_output(stepping, ("", ""), 208)
    n, k, (rows, _columns) = len(stepping.picture), len(stepping.kernel), stepping.shape
    st.latex(
        r"\left\lfloor \frac{n + 2p - k}{s} \right\rfloor + 1 = "
        rf"\left\lfloor \frac{{{n} + 2 \cdot {stepping.padding} - {k}}}{{{stepping.stride}}} "
        rf"\right\rfloor + 1 = \mathbf{{{rows}}}"
    )
    board(items, key="filters-size")
