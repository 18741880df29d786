"""A Bottleneck block in numbers: x, F(x), their sum, and what comes out."""

from typing import Final, NamedTuple

import numpy as np
import streamlit as st

from app.components.board import Grid, Op, board
from app.format import grouped, number
from app.i18n import _
from app.inspect.arrays import twins
from app.state import Param, decimal, whole
from app.views.history.residual import texts
from app.views.history.residual.data import CHANNELS, PICTURES, Block, block, sizes
from app.views.history.residual.race import SEED

DIGIT: Final = Param[int]("rdigit", 1, whole(1, PICTURES))
CHANNEL: Final = Param[int]("rchannel", 1, whole(1, CHANNELS))
GAMMA: Final = Param[float]("rgamma", 1.0, decimal(0, 2))
SHORTCUT: Final = Param[bool]("rshort", True, lambda raw: raw == "1")
NARROW: Final = 64  # the inner width of ResNet-50's first stage


class Place(NamedTuple):
    """One number of the channel that is shown: where it stands, from 0, x and F(x)."""

    row: int
    column: int
    x: float
    f: float


def chosen() -> Block:
    """Return the block as it is chosen."""
    return block(SEED.get(), GAMMA.get(), SHORTCUT.get())


def at() -> tuple[int, int]:
    """Return the picture and the channel that are shown, counted from 0."""
    return DIGIT.get() - 1, CHANNEL.get() - 1


def loudest(made: Block) -> Place:
    """Return the place where F(x) is largest, whatever its sign."""
    return _place(made, np.abs(made.f[at()]))


def brightest(made: Block) -> Place:
    """Return the place where x is largest."""
    return _place(made, made.x[at()])


def _place(made: Block, sizes: np.ndarray) -> Place:
    row, column = (int(i) for i in np.unravel_index(int(sizes.argmax()), sizes.shape))
    x, f = (float(array[at()][row, column]) for array in (made.x, made.f))
    return Place(row, column, x, f)


def draw_block() -> None:
    """Draw the choices, the arrays of one channel, and the sum at one place."""
    st.header(_(texts.BLOCK_TITLE), anchor=False)
    made = chosen()
    height, width = made.x.shape[2:]
    st.markdown(_(texts.BLOCK).format(channels=CHANNELS, height=height, width=width))
    _choices(made)
    x, f, out = (array[at()] for array in (made.x, made.f, made.out))
    items: list[Grid | Op] = [
        Grid("", (None, None), x, "x", "residual"),
        Op(_("F: 1×1, 3×3, 1×1 →")),
        Grid("", (None, None), f, "F(x)", "value"),
    ]
    if made.sum is not None:
        items += [Op(_("+ x =")), Grid("", (None, None), made.sum[at()], "F(x) + x", "residual")]
    items += [Op(_("ReLU →")), Grid("", (None, None), out, _("out"), "output")]
    board(items, key="residual-block", fold=twins(items, "residual-block"))
    _said(made)
    st.latex(r"\frac{\partial}{\partial x}\big(x + F(x)\big) = 1 + F'(x)")
    st.markdown(_(texts.DERIVATIVE))
    counted = sizes(NARROW)
    three = counted["reduce"] + counted["look"] + counted["expand"]
    st.caption(
        _(texts.CHEAP).format(wide=4 * NARROW, three=grouped(three), two=grouped(counted["wide"]))
    )


def _choices(made: Block) -> None:
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom"):
        st.selectbox(
            _("Digit"), range(1, PICTURES + 1), key=DIGIT.widget(), width=110,
            format_func=lambda i: f"{i}: {made.labels[i - 1]}", help=_(texts.DIGIT_HELP),
        )  # fmt: skip
        st.segmented_control(
            _("Channel"), range(1, CHANNELS + 1), required=True, key=CHANNEL.widget(),
            help=_(texts.CHANNEL_HELP), wrap=True,
        )  # fmt: skip
        st.slider(
            _("γ of the last normalisation"), 0.0, 2.0, step=0.1, key=GAMMA.widget(),
            help=_(texts.GAMMA_HELP), width=190,
        )  # fmt: skip
        st.toggle(_("Shortcut"), key=SHORTCUT.widget(), help=_(texts.SHORTCUT_HELP))


def _said(made: Block) -> None:
    """Write out the sum at the place where it changes most."""
    if not made.f.any():
        st.info(_(texts.SILENT if made.sum is None else texts.QUIET))
        return
    place = loudest(made)
    out = number(float(made.out[at()][place.row, place.column]), 3)
    if made.sum is None:
        calculation = f"ReLU({number(place.f, 3)}) = {out}"
    else:
        total = number(float(made.sum[at()][place.row, place.column]), 3)
        calculation = (
            f"{number(place.x, 3)} + ({number(place.f, 3)}) = {total}, ReLU({total}) = {out}"
        )
    st.markdown(
        _(texts.PLACE).format(
            row=place.row + 1, column=place.column + 1, calculation=f"`{calculation}`"
        )
    )
