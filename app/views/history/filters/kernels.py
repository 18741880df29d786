"""A kernel that steps over a picture, number by number."""

from functools import partial
from typing import Any, Final

import numpy as np
import streamlit as st

from app import state
from app.charts.theme import axis, layout
from app.components.board import Grid, Op, array_grid, board
from app.data.images import Greys, house
from app.data.walk import Cell, CellBlock
from app.format import listed, number, short, tex
from app.i18n import N_, _
from app.inspector.arrays import draw_board
from app.page.kit import (
    Code,
    QuizTask,
    Screens,
    everything,
    guess,
    pick,
    pick_from_list,
    say,
    show_chart,
)
from app.ui import player
from app.views.history.filters import data
from app.views.history.filters.data import FiltersChoice, convolution
from app.views.history.filters.picture import BRIGHTNESS, coloured_house, pick_picture
from app.views.history.filters.tiles_chart import columns_of, tiles

CHANNELS: Final = (N_("red"), N_("green"), N_("blue"))
STRIDES: Final = {1: N_("one pixel"), 2: N_("two pixels"), 3: N_("three pixels")}
SOBEL_NAMES: Final = {
    "horizontal": N_("horizontal"),
    "rising": N_("rising"),
    "vertical": N_("vertical"),
    "falling": N_("falling"),
}
ROOF: Final = (3, 4)  # the place of the roof's left edge in the output


def pick_stepping(choice: FiltersChoice) -> None:
    """Draw the choice of a picture and a kernel, and the buttons that step."""
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom"):
        pick_picture()
        names = {name: _(title) for name, title in data.KERNELS.items()}
        tip = _("Nine weights. Sobel kernels are large where the brightness changes.")
        pick_from_list(data.KERNEL, _("Kernel"), names, help=tip, width=230)
        rows, columns = choice.stepping.shape
        ready = _most_telling(choice.stepping)
        player.tick(rows * columns, ready=ready)
        player.controls(rows * columns, ready=ready)
    _pick_weights()


screens = Screens[FiltersChoice]()


@screens(
    "step",
    N_("A kernel steps over a picture"),
    Code(
        N_("One number of the output"),
        r"y_{r,c} = \sum_{i,j} x_{r s + i,\; c s + j} \; w_{i,j}",
        "model.history.convolution:filtered",
    ),
    pick=pick_stepping,
    was=("window", "loop"),
)
def draw_steps(choice: FiltersChoice) -> None:
    """Draw picture and output side by side, with the window and its number marked."""
    text = _(
        "Lay a small grid of weights, a **kernel**, on the picture, multiply the numbers that "
        "lie on top of each other, and add up: one number of the output. Then move on by "
        "{stride}. That is a **convolution**. The golden frames mark the window and its "
        "number; click any number of the output to go there."
    )
    stepping, (row, column) = choice.stepping, place_of(choice)
    window, k = stepping.window(row, column), range(len(stepping.kernel))
    say(text.format(stride=_(STRIDES[stepping.stride])))
    left, right = st.columns(2, gap="medium")
    with left:
        items = _picture_and_output(stepping, ("picture", "output"), 224)
        draw_board(
            items,
            "filters-board",
            asked=Cell("output", (row, column)),
            lit=[CellBlock("picture", (window.top + i, window.left + j)) for i in k for j in k],
            on_ask=lambda cell: _go(stepping, cell),
        )
    with right:
        text = _(
            "Row {row}, column {column} of the output: the nine greys in the window, times the "
            "nine weights of the kernel, added up, are **{sum}**."
        )
        say(text.format(row=row + 1, column=column + 1, sum=_number(window.sum)))
        st.latex(tex(summed(window.values, window.kernel, window.sum)))


@screens.drawer("colour", N_("Colour is three grids"))
def draw_colour(_choice: FiltersChoice) -> None:
    """Draw the picture, its channels, and the grey picture."""
    red, green, blue = (number(share, 3) for share in BRIGHTNESS)
    text = _(
        "In a colour picture each pixel has three numbers: how much red, green and blue. So it is "
        "three grids on top of each other, its three **channels**. {red} of red, {green} of green "
        "and {blue} of blue add up to the grey picture that the kernel steps over."
    )
    say(text.format(red=red, green=green, blue=blue))
    channels = coloured_house()
    look = layout("", height=140) | {"margin": {"l": 0, "r": 0, "t": 0, "b": 0}}
    look["xaxis"] = axis(visible=False)
    look["yaxis"] = axis(visible=False, scaleanchor="x", autorange="reversed")
    pixels = np.round(255 * np.moveaxis(channels, 0, -1)).astype(int).tolist()
    picture = {"data": [{"type": "image", "z": pixels}], "layout": look}
    left, right = st.columns([0.22, 0.78], gap="small", vertical_alignment="center")
    with left:
        show_chart(picture, "filters-colour", _("A house in colour"))
    grids = np.stack([*channels, house()])
    names = [_(name) for name in (*CHANNELS, N_("grey"))]
    with right:
        figure = tiles(grids, names, across=4, scale="greys", tile=150)
        show_chart(
            figure,
            "filters-channels",
            _("The three channels of the house, and the grey they add up to"),
            lambda: columns_of(grids, names),
        )


@screens.drawer("size", N_("How large is the output?"))
def draw_size(choice: FiltersChoice) -> None:
    """Draw the picture with its zeros, the output, and the formula of its size."""
    text = _(
        "Zeros around the picture (padding) make the output larger, longer steps (stride) make it "
        "smaller: n pixels with p zeros on both sides, a kernel of k, a step of s."
    )
    say(text)
    if not everything():
        pick_steps(choice)
    stepping = choice.stepping
    items = _picture_and_output(stepping, ("", ""), 208)
    n, k, (rows, _columns) = len(stepping.picture), len(stepping.kernel), stepping.shape
    st.latex(
        r"\left\lfloor \frac{n + 2p - k}{s} \right\rfloor + 1 = "
        rf"\left\lfloor \frac{{{n} + 2 \cdot {stepping.padding} - {k}}}{{{stepping.stride}}} "
        rf"\right\rfloor + 1 = \mathbf{{{rows}}}"
    )
    board(items, key="filters-size")


@screens.drawer("turned", N_("The same kernel, turned by 180°"))
def draw_turned(choice: FiltersChoice) -> None:
    """Draw the kernel as it is and turned, and the choice between the two."""
    kernel, turned = choice.stepping.kernel, np.rot90(choice.stepping.kernel, 2)
    row, column = place_of(choice)
    values = choice.stepping.window(row, column).values
    plain, after = (_number(float((values * each).sum())) for each in (kernel, turned))
    text = _(
        "In mathematics, the kernel is turned by 180° before it is laid down, and only that is "
        "called a convolution. Without the turn, it is a **cross-correlation**. Networks, and "
        "PyTorch's `Conv2d`, do not turn it: they learn the kernel anyway. At row {row}, "
        "column {column} it gives **{plain}**, turned **{turned}**."
    ).format(plain=plain, turned=after, row=row + 1, column=column + 1)
    if np.array_equal(kernel, turned):
        text += " " + _("Turned, this kernel is still the same: the two are equal.")
    elif np.array_equal(kernel, -turned):
        text += " " + _(
            "Turned, this kernel is its own opposite: every number of the output only changes "
            "its sign, and an edge from dark to bright is taken for one from bright to dark."
        )
    say(text)
    pick(data.WAY, _("The kernel is laid down"), data.WAYS, wrap=True)
    items: list[Grid | Op] = [
        array_grid(kernel, _("as it is"), "key"),
        Op("↻ 180°"),
        array_grid(turned, _("turned"), "key"),
    ]
    draw_board(items, "filters-turned")


def pick_steps(_choice: FiltersChoice) -> None:
    with st.container(horizontal=True, gap="medium"):
        tip = _("How many pixels the kernel moves at each step.")
        pick(data.STRIDE, _("Step (stride)"), [1, 2, 3], help=tip)
        tip = _("How many lines of zeros are put around the picture.")
        pick(data.PADDING, _("Zeros around (padding)"), [0, 1, 2], help=tip)


def _pick_weights() -> None:
    """Draw the nine fields of the visitor's own kernel."""
    if data.KERNEL.get() != "own":
        return
    st.caption(_("Your kernel, row by row:"))
    look: dict[str, Any] = {"width": 96, "format": "%.2f", "label_visibility": "collapsed"}
    for row in range(3):
        with st.container(horizontal=True, gap="small"):
            for column in range(3):
                key = data.OWN[3 * row + column].widget()
                label = _("Row {row}, column {column}").format(row=row + 1, column=column + 1)
                tip = _("This weight of your kernel, from −9 to 9.")
                st.number_input(label, -9.0, 9.0, step=1.0, key=key, help=tip, **look)


def place_of(choice: FiltersChoice) -> tuple[int, int]:
    """Return the row and column of the output's number that is shown."""
    rows, columns = choice.stepping.shape
    step = player.step_of(rows * columns, ready=_most_telling(choice.stepping))
    row, column = divmod(step - 1, columns)
    return row, column


def _most_telling(stepping: convolution.Stepping) -> int:
    """Return the initial step, where the kernel responds most: the very first is on a flat sky."""
    return int(np.abs(stepping.output()).round(9).argmax()) + 1


def _picture_and_output(
    stepping: convolution.Stepping, names: tuple[str, str], height: int
) -> list[Grid | Op]:
    """Return both as grids, the picture `height` pixels high; `names` make cells clickable."""
    values = np.round(stepping.output(), 9) + 0  # 0 in place of −0 and of rounding errors
    small: dict[str, Any] = {"square": True, "thumb": True}
    greys = small | {"scale": "greys", "reach": 1.0, "height": height}
    output = small | {"height": height * len(values) / len(stepping.padded)}
    return [
        array_grid(stepping.padded, _("picture"), "input", name=names[0], **greys),
        Op("→"),
        array_grid(values, _("output"), "output", name=names[1], **output),
    ]


def _go(stepping: convolution.Stepping, cell: Cell) -> None:
    """Step to a number of the output, or to the first one that a pixel contributes to."""
    row, column = cell.index
    if cell.name == "picture":
        row, column = (
            min(max(0, -(-(place - len(stepping.kernel) + 1) // stepping.stride)), last - 1)
            for place, last in zip((row, column), stepping.shape, strict=True)
        )
    state.STEP.set(row * stepping.shape[1] + column + 1)


def summed(values: Greys, kernel: Greys, total: float) -> str:
    """Write the sum of products as LaTeX, one line per row of the kernel."""
    factors = [[f"({short(w, 3)})" if w < 0 else short(w, 3) for w in row] for row in kernel]
    lines = [
        " + ".join(rf"{number(value)} \cdot {factor}" for value, factor in zip(*row, strict=True))
        for row in zip(values, factors, strict=True)
    ]
    joined = r" \\ + \; & ".join(lines)
    return rf"\begin{{aligned}} & {joined} \\ = \; & \mathbf{{{_number(total)}}} \end{{aligned}}"


def _number(value: float) -> str:
    """Write a number, 0 in place of −0 and of rounding errors."""
    return number(round(value, 9) + 0, 3)


@screens("sobel", N_("Four Sobel kernels"), pick=False)
def draw_sobel(_choice: FiltersChoice) -> None:
    """Draw the four kernels, and below them their outputs."""
    text = _(
        "Turn the ring of eight weights by 45°, and the kernel for horizontal edges responds "
        "to diagonal ones; by 90°, to vertical ones. Blue: brighter on the side of the "
        "positive weights; red: darker."
    )
    say(text)
    names = [_(name) for name in SOBEL_NAMES.values()]
    kernels = [convolution.KERNELS[name] for name in SOBEL_NAMES]
    outputs = np.stack([convolution.filtered(house(), kernel) for kernel in kernels])  # (4, P, Q)
    answers = outputs[:, *ROOF]
    pairs = zip(names, answers.tolist(), strict=True)
    values = {
        "numbers": listed(f"{name} {number(answer)}" for name, answer in pairs),
        "row": ROOF[0] + 1,
        "column": ROOF[1] + 1,
    }
    best = [int(np.abs(answers).argmax())]
    ask = N_(
        "The left edge of the roof rises from bottom left to top right. Which kernel "
        "responds to it with the number farthest from 0?"
    )
    yes, no = N_("Yes: {numbers}."), N_("At row {row}, column {column} of the outputs: {numbers}.")
    guess(QuizTask.of(ask, names, best, yes, no, **values))
    grids = (array_grid(*each, "key") for each in zip(kernels, names, strict=True))
    board(list(grids), key="filters-sobel")
    figure = tiles(outputs, names, across=4, scale="signed", tile=110)
    columns = partial(columns_of, outputs, names)
    alt = _("What the four Sobel kernels make of the house")
    show_chart(figure, "filters-sobel-outputs", alt, columns)
