"""A bottleneck block in numbers: x, F(x), their sum, what comes out, and its slopes."""

from typing import NamedTuple

import numpy as np
import streamlit as st

from app.components.board import Grid, Op, array_grid
from app.format import number
from app.i18n import _
from app.inspector.arrays import draw_board
from app.ui.pickers import pick, pick_from_list
from app.views.history.residual import texts
from app.views.history.residual.choice import BLOCK_GAMMA, CHANNEL, DIGIT, SEED, SHORTCUT, Choice
from app.views.history.residual.data import CHANNELS, slopes


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


def pick_block(choice: Choice) -> None:
    """Draw the choice of a digit, a channel, γ and the shortcut."""
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom"):
        digits = {i: f"{i}: {digit}" for i, digit in enumerate(choice.block.labels, start=1)}
        pick_from_list(DIGIT, _("Digit"), digits, help=_(texts.DIGIT_HELP), width=110)
        channels = range(1, CHANNELS + 1)
        pick(CHANNEL, _("Channel"), channels, help=_(texts.CHANNEL_HELP), wrap=True)
        label, tip = _("γ of the last normalisation"), _(texts.GAMMA_HELP)
        st.slider(label, 0.0, 2.0, step=0.1, key=BLOCK_GAMMA.widget(), help=tip, width=190)
        st.toggle(_("Shortcut"), key=SHORTCUT.widget(), help=_(texts.SHORTCUT_HELP))


def block_text(choice: Choice) -> str:
    """Say why a block only adds, and what goes in."""
    height, width = choice.block.x.shape[2:]
    sizes = {"channels": CHANNELS, "height": height, "width": width}
    return f"{_(texts.IDEA)} {_(texts.BLOCK).format(**sizes)}"


def draw_block(choice: Choice) -> None:
    """Draw one channel of what comes in, of F(x), of their sum, and of what comes out."""
    shown = choice.block
    f = array_grid(choice.part(shown.f), "F(x)", "value")
    items: list[Grid | Op] = [array_grid(choice.part(shown.x), "x"), Op("F →"), f]
    if shown.sum is not None:
        items += [Op("+ x ="), array_grid(choice.part(shown.sum), "F(x) + x")]
    items += [Op("ReLU →"), array_grid(choice.part(shown.out), _("out"), "output")]
    draw_board(items, "residual-block")
    _draw_place(choice)


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


def slopes_of(choice: Choice) -> np.ndarray:
    """Return how F(x) changes with x at its own place, in the channel that is shown, (H, W)."""
    return slopes(SEED.get(), BLOCK_GAMMA.get(), choice.picture, choice.channel)


def slope_text(choice: Choice) -> str:
    """Say what the shortcut adds to a slope."""
    own = slopes_of(choice)
    least = number(float(own.flat[int(np.abs(own).argmin())]), 3)
    text = texts.SLOPE_ALONE if choice.block.sum is None else texts.SLOPE
    return _(text).format(least=least)


def draw_slope(choice: Choice) -> None:
    """Draw the slopes of F, and with the shortcut those of the sum."""
    own = slopes_of(choice)
    items: list[Grid | Op] = [array_grid(own, "F′(x)", "value")]
    if choice.block.sum is not None:
        items += [Op("+ 1 ="), array_grid(own + 1, "1 + F′(x)")]
        st.latex(r"\frac{\partial}{\partial x}\big(x + F(x)\big) = 1 + F'(x)")
    draw_board(items, "residual-slope")
