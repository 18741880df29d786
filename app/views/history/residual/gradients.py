"""How long the gradient is in each layer, with shortcuts and without them."""

from typing import Final

import numpy as np
import streamlit as st

from app.charts.curves import Curve
from app.format import short
from app.i18n import _
from app.page.quiz import Task
from app.ui.chart import show_chart
from app.ui.pickers import pick, pick_seed
from app.views.history.residual import texts
from app.views.history.residual.choice import GRADIENT_SEED, LAYERS, NORM, START, Choice
from app.views.history.residual.depth_chart import depth_lines

FAR: Final = 1000.0  # a factor from which on a gradient is said to vanish or to explode


def pick_networks(_choice: Choice) -> None:
    """Draw the choice of the two networks."""
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom"):
        tip = _(texts.GRADIENT_DEPTH_HELP)
        st.slider(_("Layers"), 2, 50, step=2, key=LAYERS.widget(), width=220, help=tip)
        pick(START, _("First weights"), texts.STARTS, help=_(texts.START_HELP))
        pick_seed(GRADIENT_SEED, _(texts.GRADIENT_SEED_HELP), width=180)
        st.toggle(_("Batch normalisation"), key=NORM.widget(), help=_(texts.NORM_HELP))


def guess_gradient(choice: Choice) -> Task:
    """Ask how long the first layer's gradient is in the plain network."""
    plain, _residual = choice.gradients
    times = float(plain[0] / plain[-1])
    answer = 0 if times >= 0.1 else 1 if times >= 1e-6 else 2
    options = [_(option) for option in texts.LENGTHS]
    asked = texts.GRADIENT_ASK, options, [answer], texts.GRADIENT_RIGHT, texts.GRADIENT_WRONG
    return Task.of(*asked, depth=len(plain), times=short(times, 3))


def draw_gradients(choice: Choice) -> None:
    """Draw both networks' gradients, and what they mean for the first layer."""
    plain, residual = choice.gradients
    layers = np.arange(1, len(plain) + 1)
    names = _("without shortcuts"), _("with shortcuts")
    lines = [Curve(names[0], layers, plain, "key"), Curve(names[1], layers, residual, "value")]
    layer, title = _("layer, the first one on the left"), _("Length of the gradient in each layer")
    figure = depth_lines(lines, layer_title=layer, value_title=title)
    lengths = {names[0]: plain.tolist(), names[1]: residual.tolist()}
    columns = {_("layer"): [str(layer) for layer in layers], **lengths}
    left, right = st.columns([0.66, 0.34], gap="small", vertical_alignment="center")
    with left:
        show_chart(figure, "residual-gradients", title, lambda: columns)
    with right:
        _draw_lengths(choice)


def _draw_lengths(choice: Choice) -> None:
    plain, residual = choice.gradients
    times, residual_times = plain[0] / plain[-1], residual[0] / residual[-1]
    lengths = {"plain": plain[0], "residual": residual[0]}
    lengths |= {"plain_times": times, "residual_times": residual_times}
    written = {name: short(length, 3) for name, length in lengths.items()}
    sentences = [_(texts.FIRST_LAYER).format(depth=len(plain), **written)]
    if times < 1 / FAR:
        sentences.append(_(texts.VANISHES))
    if times > FAR:
        sentences.append(_(texts.EXPLODES))
    if residual[0] > FAR and not NORM.get():
        sentences.append(_(texts.RESIDUAL_EXPLODES))
    st.markdown(" ".join(sentences))
