"""Batch normalisation: its four formulas with the numbers of a small batch, and its use."""

from typing import Final

import numpy as np
import streamlit as st

from app.charts.theme import Role
from app.components.board import Grid, Op, board
from app.format import number
from app.i18n import _
from app.inspect.arrays import twins
from app.state import Param, decimal, whole
from app.ui.section import section
from app.views.history.residual import texts
from app.views.history.residual.data import COMPANY, FEATURES, Normed, normed

WITH: Final = Param[int]("rwith", 1, whole(1, 20))
FEATURE: Final = Param[int]("rfeature", 1, whole(1, FEATURES))
GAMMA: Final = Param[float]("rscale", 1.0, decimal(-2, 2))
BETA: Final = Param[float]("rshift", 0.0, decimal(-2, 2))
SEEN: Final = Param[int]("rseen", 50, whole(0, 200))


def chosen() -> Normed:
    """Return the batch as it is chosen."""
    return normed(WITH.get() - 1, SEEN.get(), GAMMA.get(), BETA.get())


def draw_norm() -> None:
    """Draw the batch, the four formulas for one channel, and the difference in use."""
    section(_(texts.NORM_TITLE), _(texts.NORM).format(features=FEATURES, count=COMPANY))
    _choices()
    made, k = chosen(), FEATURE.get() - 1
    x, mean, variance = made.x[:, k], float(made.mean[k]), float(made.variance[k])
    whole_batch = Grid(
        "", (None, None), made.x.T, _("what the layer gave"), "input",
        row_labels=[_("channel {n}").format(n=i + 1) for i in range(FEATURES)],
        col_labels=_digits(made),
    )  # fmt: skip
    board([whole_batch], key="residual-batch")
    st.markdown(f"**{_(texts.MEAN)}**")
    st.latex(_averaged(r"\mu = \tfrac{1}{B}\textstyle\sum_i x_i", x, mean))
    st.markdown(f"**{_(texts.VARIANCE)}**")
    squares = (x - mean) ** 2
    st.latex(_averaged(r"\sigma^2 = \tfrac{1}{B}\textstyle\sum_i (x_i - \mu)^2", squares, variance))
    st.markdown(f"**{_(texts.NORMALISE)}**")
    st.latex(
        r"\hat{x}_1 = \frac{x_1 - \mu}{\sqrt{\sigma^2 + \varepsilon}} = "
        rf"\frac{{{_tex(float(x[0]))} - ({_tex(mean)})}}{{\sqrt{{{_tex(variance)} + 10^{{-5}}}}}}"
        rf" = {_tex(float(made.normalised[0, k]))}"
    )
    st.markdown(f"**{_(texts.SCALE)}**")
    st.latex(
        rf"y_1 = \gamma \hat{{x}}_1 + \beta = {GAMMA.get():.1f} \cdot "
        rf"({_tex(float(made.normalised[0, k]))}) + ({BETA.get():.1f}) = "
        rf"{_tex(float(made.out[0, k]))}"
    )
    items: list[Grid | Op] = [
        _strip(made, x, "x", "input"),
        Op("−μ, ÷√(σ² + ε)"),
        _strip(made, made.normalised[:, k], "x̂", "residual"),
        Op("· γ + β"),
        _strip(made, made.out[:, k], "y", "output"),
    ]
    board(items, key="residual-norm", fold=twins(items, "residual-norm"))
    _in_use(made, k)


def _choices() -> None:
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom"):
        st.slider(
            _("Other digits"), 1, 20, key=WITH.widget(), help=_(texts.COMPANY_HELP), width=160
        )
        st.segmented_control(
            _("Channel"), range(1, FEATURES + 1), required=True, key=FEATURE.widget(),
            help=_(texts.FEATURE_HELP),
        )  # fmt: skip
        st.slider(
            "γ", -2.0, 2.0, step=0.1, key=GAMMA.widget(), help=_(texts.NORM_GAMMA_HELP), width=140
        )
        st.slider(
            "β", -2.0, 2.0, step=0.1, key=BETA.widget(), help=_(texts.NORM_BETA_HELP), width=140
        )


def _in_use(made: Normed, k: int) -> None:
    st.subheader(_(texts.USE_TITLE), anchor=False)
    st.slider(
        _("Batches seen in training"), 0, 200, key=SEEN.widget(), help=_(texts.SEEN_HELP),
        width=320,
    )  # fmt: skip
    st.markdown(
        _(texts.USE).format(
            seen=SEEN.get(), mean=number(float(made.running_mean[k]), 3),
            variance=number(float(made.running_variance[k]), 3),
            own_mean=number(float(made.mean[k]), 3),
            own_variance=number(float(made.variance[k]), 3),
        )
    )  # fmt: skip
    items: list[Grid | Op] = [
        _strip(made, made.out[:, k], _("y, in training"), "output"),
        _strip(made, made.used[:, k], _("y, in use"), "output"),
    ]
    board(items, key="residual-use", fold=twins(items, "residual-use"))
    st.markdown(
        _(texts.FIRST_DIGIT).format(
            trained=f"**{number(float(made.out[0, k]), 3)}**",
            used=f"**{number(float(made.used[0, k]), 3)}**",
        )
    )


def _strip(made: Normed, values: np.ndarray, title: str, role: Role) -> Grid:
    return Grid("", (None,), values, title, role, col_labels=_digits(made))


def _digits(made: Normed) -> list[str]:
    """Name the digits of the batch; some show the same."""
    return [f"“{digit}”" for digit in made.labels]


def _averaged(formula: str, values: np.ndarray, result: float) -> str:
    """Write a mean with its numbers in lines that fit a phone."""
    terms = [f"({_tex(v)})" if v < 0 else _tex(v) for v in map(float, values)]
    lines = [" + ".join(terms[i : i + 2]) for i in range(0, len(terms), 2)]
    added = r" \\ & \quad + ".join(lines)
    return (
        rf"\begin{{aligned}} {formula} & = \tfrac{{1}}{{{len(terms)}}}\big({added}\big)"
        rf" \\ & = {_tex(result)} \end{{aligned}}"
    )


def _tex(value: float) -> str:
    return f"{value:.3f}"
