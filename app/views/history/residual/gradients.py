"""How long the gradient is in each layer, with shortcuts and without them."""

from typing import Final

import numpy as np
import streamlit as st

from app.charts.curves import Curve
from app.charts.toolbar import plot_config
from app.i18n import _
from app.state import Param, one_of, whole
from app.ui.chart import theme_mode
from app.ui.section import section
from app.ui.table import table, table_fold
from app.views.history.residual import texts
from app.views.history.residual.data import Start, gradients
from app.views.history.residual.depth_chart import depth_lines

DEPTH: Final = Param[int]("rlayers", 30, lambda raw: whole(2, 50)(raw) // 2 * 2)
START: Final = Param[Start]("rstart", "default", one_of("default", "he"))
SEED: Final = Param[int]("rgseed", 0, whole(0, 999))
NORM: Final = Param[bool]("rnorm", False, lambda raw: raw == "1")
FAR: Final = 1000.0  # a factor from which on a gradient is said to vanish or to explode

RAISED: Final = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def found() -> tuple[np.ndarray, np.ndarray]:
    """Return each layer's gradient norm, plain and residual, as it is chosen."""
    return gradients(DEPTH.get(), SEED.get(), START.get(), NORM.get())


def draw_gradients() -> None:
    """Draw the choices, both networks' gradients, and what they mean for the first layer."""
    section(_(texts.GRADIENT_TITLE), _(texts.GRADIENT))
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom"):
        st.slider(
            _("Layers"), 2, 50, step=2, key=DEPTH.widget(), width=220,
            help=_(texts.GRADIENT_DEPTH_HELP),
        )  # fmt: skip
        st.segmented_control(
            _("First weights"), list(texts.STARTS), required=True, key=START.widget(),
            format_func=lambda start: _(texts.STARTS[start]), help=_(texts.START_HELP),
        )  # fmt: skip
        st.number_input(
            _("Random numbers (seed)"), 0, 999, step=1, key=SEED.widget(),
            help=_(texts.GRADIENT_SEED_HELP), width=180,
        )  # fmt: skip
        st.toggle(_("Batch normalisation"), key=NORM.widget(), help=_(texts.NORM_HELP))
    plain, residual = found()
    layers = np.arange(1, len(plain) + 1)
    title = _("Length of the gradient in each layer")
    figure = depth_lines(
        [
            Curve(_("without shortcuts"), layers, plain, "key"),
            Curve(_("with shortcuts"), layers, residual, "value"),
        ],
        layer_title=_("layer, the first one on the left"), value_title=title,
        mode=theme_mode(),
    )  # fmt: skip
    st.plotly_chart(
        figure, theme=None, config=plot_config("gradients"), key="residual-gradients", alt=title
    )
    _said(plain, residual)
    columns = {
        _("layer"): [str(layer) for layer in layers],
        _("without shortcuts"): [f"{one:.3e}" for one in plain],
        _("with shortcuts"): [f"{one:.3e}" for one in residual],
    }
    table_fold("residual-gradients", lambda: table(columns, "gradients"))


def _said(plain: np.ndarray, residual: np.ndarray) -> None:
    times, residual_times = plain[0] / plain[-1], residual[0] / residual[-1]
    said = [
        _(texts.FIRST_LAYER).format(
            depth=len(plain), plain=power(plain[0]), residual=power(residual[0]),
            plain_times=power(times), residual_times=power(residual_times),
        )
    ]  # fmt: skip
    if times < 1 / FAR:
        said.append(_(texts.VANISHES))
    if times > FAR:
        said.append(_(texts.EXPLODES))
    if residual[0] > FAR and not NORM.get():
        said.append(_(texts.RESIDUAL_EXPLODES))
    st.markdown(" ".join(said))
    st.caption(_(texts.NOT_ONLY))


def power(x: float) -> str:
    """Write a number with three digits, in powers of ten where it is far from 1."""
    if 0.01 <= x < 1000:
        return f"{x:.3g}"
    mantissa, exponent = f"{x:.1e}".split("e")
    return f"{mantissa} · 10{str(int(exponent)).translate(RAISED)}"
