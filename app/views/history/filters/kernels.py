"""A kernel that steps over a picture, number by number."""

from typing import Any, Final

import numpy as np
import streamlit as st

from app import state
from app.charts.theme import axis, layout
from app.components.board import Grid, Op, array_grid
from app.data.images import Greys, house
from app.data.walk import Cell, CellBlock
from app.format import number, short, tex
from app.i18n import N_, _
from app.inspector.arrays import draw_board
from app.page.kit import Code, Screens, pick, pick_from_list, say, show_chart
from app.ui import player
from app.views.history.filters import data
from app.views.history.filters.data import FiltersChoice, convolution
from app.views.history.filters.tiles_chart import columns_of, tiles

CHANNELS: Final = (N_("red"), N_("green"), N_("blue"))
# How bright red, green and blue look to the eye: television's rule (ITU-R BT.601), and PIL's.
BRIGHTNESS: Final = np.array([0.299, 0.587, 0.114])
# How much redder and bluer than its grey each part of the house is, by that grey.
TINTS: Final = {
    0.35: (-0.2, -0.2),  # the ground
    0.95: (0.04, -0.15),  # the wall
    0.15: (0.3, -0.05),  # the roof
    0.4: (-0.2, 0.3),  # the windows
    0.2: (0.15, -0.1),  # the door
}
SKY: Final = (-0.25, 0.2)


def pick_stepping(choice: FiltersChoice) -> None:
    """Draw the choice of a kernel and its steps, and the buttons that step."""
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom"):
        names = {name: _(title) for name, title in data.KERNELS.items()}
        tip = _("Nine weights. Sobel kernels are large where the brightness changes.")
        pick_from_list(data.KERNEL, _("Kernel"), names, help=tip, width=230)
        tip = _("How many pixels the kernel moves at each step.")
        pick(data.STRIDE, _("Step (stride)"), [1, 2, 3], help=tip)
        tip = _("How many lines of zeros are put around the picture.")
        pick(data.PADDING, _("Zeros around (padding)"), [0, 1, 2], help=tip)
        rows, columns = choice.stepping.shape
        ready = _most_telling(choice.stepping)
        player.tick(rows * columns, ready=ready)
        player.controls(rows * columns, ready=ready)


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
    was=("window", "loop", "sobel", "size", "turned"),
)
def draw_steps(choice: FiltersChoice) -> None:
    """Draw picture, kernel and output side by side, with the window and its number marked."""
    say()
    stepping, (row, column) = choice.stepping, place_of(choice)
    window, k = stepping.window(row, column), range(len(stepping.kernel))
    values = np.round(stepping.output(), 9) + 0  # 0 in place of −0 and of rounding errors
    small: dict[str, Any] = {"square": True, "thumb": True}
    greys = small | {"scale": "greys", "reach": 1.0, "height": 240}
    output = small | {"height": 240 * len(values) / len(stepping.padded)}
    items: list[Grid | Op] = [
        array_grid(stepping.padded, _("picture"), "input", name="picture", **greys),
        Op("∗"),
        array_grid(stepping.kernel, _("kernel"), "key", square=True, height=96.0),
        Op("="),
        array_grid(values, _("output"), "output", name="output", **output),
    ]
    n, (rows, _columns) = len(stepping.picture), stepping.shape
    left, right = st.columns([0.62, 0.38], gap="medium")
    with left:
        draw_board(
            items,
            "filters-board",
            asked=Cell("output", (row, column)),
            lit=[CellBlock("picture", (window.top + i, window.left + j)) for i in k for j in k],
            on_ask=lambda cell: _go(stepping, cell),
        )
    with right:
        st.latex(tex(summed(window.values, window.kernel, window.sum)))
        text = _(
            "Lay a **kernel** of weights on the pixels, multiply, add up, move on: that is a "
            "**convolution**. With this padding and stride, ⌊({n} + 2 · {padding} − 3) ÷ "
            "{stride}⌋ + 1 = {rows} numbers are left. Sobel's kernels differ by turns of 45°."
        )
        say(text, n=n, padding=stepping.padding, stride=stepping.stride, rows=rows)


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
        alt = _("The three channels of the house, and the grey they add up to")
        show_chart(figure, "filters-channels", alt, lambda: columns_of(grids, names))


def coloured_house() -> Greys:
    """Return the house in colour, (3, H, W), from 0 to 1; its greys are those of the grey house."""
    greys = house()
    red, blue = np.moveaxis(np.array([[TINTS.get(x, SKY) for x in row] for row in greys]), -1, 0)
    r, g, b = BRIGHTNESS
    green = -(r * red + b * blue) / g  # so that the grey stays
    return np.stack([greys + red, greys + green, greys + blue])


def place_of(choice: FiltersChoice) -> tuple[int, int]:
    """Return the row and column of the output's number that is shown."""
    rows, columns = choice.stepping.shape
    step = player.step_of(rows * columns, ready=_most_telling(choice.stepping))
    row, column = divmod(step - 1, columns)
    return row, column


def _most_telling(stepping: convolution.Stepping) -> int:
    """Return the initial step, where the kernel responds most: the very first is on a flat sky."""
    return int(np.abs(stepping.output()).round(9).argmax()) + 1


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
    joined, sum_of = r" \\ + \; & ".join(lines), number(round(total, 9) + 0, 3)
    return rf"\begin{{aligned}} & {joined} \\ = \; & \mathbf{{{sum_of}}} \end{{aligned}}"
