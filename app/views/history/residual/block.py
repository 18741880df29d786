"""A Bottleneck block in numbers: x, F(x), their sum, and what comes out."""

from typing import Final, NamedTuple

import numpy as np
import streamlit as st

from app.components.board import Grid, Op, array_grid, board
from app.format import grouped, number
from app.i18n import _
from app.inspect.arrays import twins
from app.ui.pickers import pick, pick_from_list
from app.views.history.residual import texts
from app.views.history.residual.choice import BLOCK_GAMMA, CHANNEL, DIGIT, SHORTCUT, Choice
from app.views.history.residual.data import CHANNELS, Block, sizes

NARROW: Final = 64  # the inner width of ResNet-50's first stage


class Place(NamedTuple):
    """One number of the channel that is shown: where it stands, from 0, x and F(x)."""

    row: int
    column: int
    x: float
    f: float


def brightest(choice: Choice) -> Place:
    """Return the place where x is largest."""
    return _place(choice, choice.part(choice.block.x))


def _place(choice: Choice, sizes: np.ndarray) -> Place:
    row, column = (int(i) for i in np.unravel_index(int(sizes.argmax()), sizes.shape))
    x, f = choice.part(choice.block.x), choice.part(choice.block.f)
    return Place(row, column, float(x[row, column]), float(f[row, column]))


def block_text(choice: Choice) -> str:
    """Say what goes in."""
    height, width = choice.block.x.shape[2:]
    return _(texts.BLOCK).format(channels=CHANNELS, height=height, width=width)


def draw_block(choice: Choice) -> None:
    """Draw the choices, the arrays of one channel, and the sum at one place."""
    block, part = choice.block, choice.part
    _draw_choices(block)
    items: list[Grid | Op] = [
        array_grid(part(block.x), "x"),
        Op(_("F: 1×1, 3×3, 1×1 →")),
        array_grid(part(block.f), "F(x)", "value"),
    ]
    if block.sum is not None:
        items += [Op(_("+ x =")), array_grid(part(block.sum), "F(x) + x")]
    items += [Op(_("ReLU →")), array_grid(part(block.out), _("out"), "output")]
    board(items, key="residual-block", fold=twins(items, "residual-block"))
    _draw_place(choice)
    st.latex(r"\frac{\partial}{\partial x}\big(x + F(x)\big) = 1 + F'(x)")
    st.markdown(_(texts.DERIVATIVE))
    counts = sizes(NARROW)
    three = grouped(counts["reduce"] + counts["look"] + counts["expand"])
    st.caption(_(texts.CHEAP).format(wide=4 * NARROW, three=three, two=grouped(counts["wide"])))


def _draw_choices(block: Block) -> None:
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom"):
        digits = {i: f"{i}: {digit}" for i, digit in enumerate(block.labels, start=1)}
        pick_from_list(DIGIT, _("Digit"), digits, help=_(texts.DIGIT_HELP), width=110)
        channels = range(1, CHANNELS + 1)
        pick(CHANNEL, _("Channel"), channels, help=_(texts.CHANNEL_HELP), wrap=True)
        label, tip = _("γ of the last normalisation"), _(texts.GAMMA_HELP)
        st.slider(label, 0.0, 2.0, step=0.1, key=BLOCK_GAMMA.widget(), help=tip, width=190)
        st.toggle(_("Shortcut"), key=SHORTCUT.widget(), help=_(texts.SHORTCUT_HELP))


def _draw_place(choice: Choice) -> None:
    """Write out the sum at the place where it changes most."""
    block = choice.block
    if not block.f.any():
        st.info(_(texts.SILENT if block.sum is None else texts.QUIET))
        return
    row, column, x, f = _place(choice, np.abs(choice.part(block.f)))
    out = number(float(choice.part(block.out)[row, column]), 3)
    if block.sum is None:
        calculation = f"ReLU({number(f, 3)}) = {out}"
    else:
        total = number(float(choice.part(block.sum)[row, column]), 3)
        calculation = f"{number(x, 3)} + ({number(f, 3)}) = {total}, ReLU({total}) = {out}"
    text = _(texts.PLACE)
    st.markdown(text.format(row=row + 1, column=column + 1, calculation=f"`{calculation}`"))
