"""Batch normalisation: its four formulas with the numbers of a small batch, and its use."""

import numpy as np
import streamlit as st

from app.charts.theme import Role
from app.components.board import Grid, Op, array_grid, board
from app.format import number
from app.i18n import _
from app.inspect.arrays import twins
from app.ui.pickers import pick
from app.views.history.residual import texts
from app.views.history.residual.choice import BETA, FEATURE, GAMMA, OTHERS, SEEN, Choice
from app.views.history.residual.data import COMPANY, FEATURES, Normed


def norm_text(_choice: Choice) -> str:
    """Say what the batch is."""
    return _(texts.NORM).format(features=FEATURES, count=COMPANY)


def draw_norm(choice: Choice) -> None:
    """Draw the batch, the four formulas for one channel, and the difference in use."""
    _draw_choices()
    batch, k = choice.batch, choice.feature
    channels = [_("channel {n}").format(n=i + 1) for i in range(FEATURES)]
    labels = {"row_labels": channels, "col_labels": _digits(batch)}
    whole_batch = array_grid(batch.x.T, _("what the layer gave"), "input", **labels)
    board([whole_batch], key="residual-batch")
    _draw_formulas(choice)
    items: list[Grid | Op] = [
        _strip(batch, batch.x[:, k], "x", "input"),
        Op("−μ, ÷√(σ² + ε)"),
        _strip(batch, batch.normalised[:, k], "x̂", "residual"),
        Op("· γ + β"),
        _strip(batch, batch.out[:, k], "y", "output"),
    ]
    board(items, key="residual-norm", fold=twins(items, "residual-norm"))
    _draw_in_use(batch, k)


def _draw_choices() -> None:
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom"):
        tip = _(texts.COMPANY_HELP)
        st.slider(_("Other digits"), 1, 20, key=OTHERS.widget(), help=tip, width=160)
        pick(FEATURE, _("Channel"), range(1, FEATURES + 1), help=_(texts.FEATURE_HELP))
        factors = ("γ", GAMMA, texts.NORM_GAMMA_HELP), ("β", BETA, texts.NORM_BETA_HELP)
        for name, param, tip in factors:
            st.slider(name, -2.0, 2.0, step=0.1, key=param.widget(), help=_(tip), width=140)


def _draw_formulas(choice: Choice) -> None:
    """Write the four formulas with the numbers of one channel, for the first digit."""
    batch, k = choice.batch, choice.feature
    x, mean, variance = batch.x[:, k], batch.mean[k], batch.variance[k]
    normalised = f"{batch.normalised[0, k]:.3f}"
    squares = r"\sigma^2 = \tfrac{1}{B}\textstyle\sum_i (x_i - \mu)^2"
    formulas = {
        texts.MEAN: _averaged(r"\mu = \tfrac{1}{B}\textstyle\sum_i x_i", x, mean),
        texts.VARIANCE: _averaged(squares, (x - mean) ** 2, variance),
        texts.NORMALISE: r"\hat{x}_1 = \frac{x_1 - \mu}{\sqrt{\sigma^2 + \varepsilon}} = "
        rf"\frac{{{x[0]:.3f} - ({mean:.3f})}}{{\sqrt{{{variance:.3f} + 10^{{-5}}}}}}"
        rf" = {normalised}",
        texts.SCALE: rf"y_1 = \gamma \hat{{x}}_1 + \beta = {choice.gamma:.1f} \cdot "
        rf"({normalised}) + ({choice.beta:.1f}) = {batch.out[0, k]:.3f}",
    }
    for title, formula in formulas.items():
        st.markdown(f"**{_(title)}**")
        st.latex(formula)


def _draw_in_use(batch: Normed, k: int) -> None:
    st.subheader(_(texts.USE_TITLE), anchor=False)
    label, tip = _("Batches seen in training"), _(texts.SEEN_HELP)
    st.slider(label, 0, 200, key=SEEN.widget(), help=tip, width=320)
    averages = {"mean": batch.running_mean, "variance": batch.running_variance}
    averages |= {"own_mean": batch.mean, "own_variance": batch.variance}
    written = {name: number(float(values[k]), 3) for name, values in averages.items()}
    st.markdown(_(texts.USE).format(seen=SEEN.get(), **written))
    items: list[Grid | Op] = [
        _strip(batch, batch.out[:, k], _("y, in training"), "output"),
        _strip(batch, batch.used[:, k], _("y, in use"), "output"),
    ]
    board(items, key="residual-use", fold=twins(items, "residual-use"))
    trained, used = (f"**{number(float(y[0, k]), 3)}**" for y in (batch.out, batch.used))
    st.markdown(_(texts.FIRST_DIGIT).format(trained=trained, used=used))


def _strip(batch: Normed, values: np.ndarray, title: str, role: Role) -> Grid:
    return array_grid(values, title, role, col_labels=_digits(batch))


def _digits(batch: Normed) -> list[str]:
    """Name the digits of the batch; some show the same."""
    return [f"“{digit}”" for digit in batch.labels]


def _averaged(formula: str, values: np.ndarray, result: float) -> str:
    """Write a mean with its numbers in lines that fit a phone."""
    terms = [f"({value:.3f})" if value < 0 else f"{value:.3f}" for value in values]
    lines = [" + ".join(terms[i : i + 2]) for i in range(0, len(terms), 2)]
    added = r" \\ & \quad + ".join(lines)
    return (
        rf"\begin{{aligned}} {formula} & = \tfrac{{1}}{{{len(terms)}}}\big({added}\big)"
        rf" \\ & = {result:.3f} \end{{aligned}}"
    )
