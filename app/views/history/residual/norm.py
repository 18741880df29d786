"""Batch normalisation: its four formulas with the numbers of a small batch, and its use."""

import numpy as np
import streamlit as st

from app.charts.theme import Role
from app.components.board import Grid, Op, array_grid
from app.format import number, quoted, tex
from app.i18n import _
from app.inspector.arrays import draw_board
from app.page.quiz import Task
from app.ui.pickers import pick
from app.views.history.residual import texts
from app.views.history.residual.choice import BETA, FEATURE, GAMMA, OTHERS, SEEN, Choice
from app.views.history.residual.data import COMPANY, FEATURES, Normed


def pick_batch(_choice: Choice) -> None:
    """Draw the choice of the digits beside the first one."""
    label, tip = _("Other digits"), _(texts.COMPANY_HELP)
    st.slider(label, 1, 20, key=OTHERS.widget(), help=tip, width=200)


def pick_factors(_choice: Choice) -> None:
    """Draw the choice of a channel, γ and β."""
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom"):
        pick(FEATURE, _("Channel"), range(1, FEATURES + 1), help=_(texts.FEATURE_HELP))
        factors = ("γ", GAMMA, texts.NORM_GAMMA_HELP), ("β", BETA, texts.NORM_BETA_HELP)
        for name, param, tip in factors:
            st.slider(name, -2.0, 2.0, step=0.1, key=param.widget(), help=_(tip), width=160)


def pick_use(choice: Choice) -> None:
    """Draw the choice of the other digits, and of how many batches were seen."""
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom"):
        pick_batch(choice)
        pick_seen()


def pick_seen() -> None:
    """Draw the choice of how many batches were seen in training."""
    label, tip = _("Batches seen in training"), _(texts.SEEN_HELP)
    st.slider(label, 0, 200, key=SEEN.widget(), help=tip, width=320)


def batch_text(_choice: Choice) -> str:
    """Say what the batch is."""
    return _(texts.BATCH).format(features=FEATURES, count=COMPANY)


def draw_batch(choice: Choice) -> None:
    """Draw the batch, a channel a row."""
    batch = choice.batch
    channels = [_("channel {n}").format(n=i + 1) for i in range(FEATURES)]
    labels = {"row_labels": channels, "col_labels": _digits(batch)}
    whole_batch = array_grid(batch.x.T, _("what the layer gave"), "input", **labels)
    draw_board([whole_batch], "residual-batch")


def norm_text(choice: Choice) -> str:
    """Say what becomes of mean and variance."""
    return _(texts.NORM).format(n=choice.feature + 1)


def draw_norm(choice: Choice) -> None:
    """Draw one channel normalised, scaled and shifted, with the formulas for its first digit."""
    batch, k = choice.batch, choice.feature
    x, mean, variance = batch.x[:, k], batch.mean[k], batch.variance[k]
    squares = r"\sigma^2 = \tfrac{1}{B}\textstyle\sum_i (x_i - \mu)^2"
    normalised = number(batch.normalised[0, k], 3)
    _draw_formulas(
        {
            texts.MEAN: _averaged(r"\mu = \tfrac{1}{B}\textstyle\sum_i x_i", x, mean),
            texts.VARIANCE: _averaged(squares, (x - mean) ** 2, variance),
            texts.NORMALISE: r"\hat{x}_1 = \frac{x_1 - \mu}{\sqrt{\sigma^2 + \varepsilon}} = "
            rf"\frac{{{number(batch.x[0, k], 3)} - ({number(batch.mean[k], 3)})}}"
            rf"{{\sqrt{{{number(batch.variance[k], 3)} + 10^{{-5}}}}}} = {normalised}",
            texts.SCALE: rf"y_1 = \gamma \hat{{x}}_1 + \beta = {number(choice.gamma, 1)} \cdot "
            rf"({normalised}) + ({number(choice.beta, 1)}) = {number(batch.out[0, k], 3)}",
        }
    )
    rows = np.stack([batch.x[:, k], batch.normalised[:, k], batch.out[:, k]])
    names = {"row_labels": ["x", "x̂", "y"], "col_labels": _digits(batch)}
    title = _("channel {n}").format(n=k + 1)
    items = [array_grid(rows, title, "residual", height=66, **names)]
    draw_board(items, "residual-norm")


def _draw_formulas(formulas: dict[str, str]) -> None:
    """Write formulas two side by side, each with its title."""
    columns = (*st.columns(2), *st.columns(2))
    for column, (title, formula) in zip(columns, formulas.items(), strict=True):
        with column:
            st.markdown(f"**{_(title)}**\n\n$$\n{tex(formula)}\n$$")


def use_text(choice: Choice) -> str:
    """Say what the averages are, and the batch's own moments."""
    batch, k = choice.batch, choice.feature
    averages = {"mean": batch.running_mean, "variance": batch.running_variance}
    averages |= {"own_mean": batch.mean, "own_variance": batch.variance}
    written = {name: number(float(values[k]), 3) for name, values in averages.items()}
    return _(texts.USE).format(seen=SEEN.get(), **written)


def guess_use(choice: Choice) -> Task:
    """Ask whether the others count in use."""
    options = [_(texts.USE_STAYS), _(texts.USE_CHANGES)]
    used = number(float(choice.batch.used[0, choice.feature]), 3)
    return Task.of(texts.USE_ASK, options, [0], texts.USE_RIGHT, texts.USE_WRONG, used=used)


def draw_use(choice: Choice) -> None:
    """Draw what comes out in training and in use."""
    batch, k = choice.batch, choice.feature
    items: list[Grid | Op] = [
        _strip(batch, batch.out[:, k], _("y, in training"), "output"),
        _strip(batch, batch.used[:, k], _("y, in use"), "output"),
    ]
    draw_board(items, "residual-use")
    trained, used = (f"**{number(float(y[0, k]), 3)}**" for y in (batch.out, batch.used))
    st.markdown(_(texts.FIRST_DIGIT).format(trained=trained, used=used))


def _strip(batch: Normed, values: np.ndarray, title: str, role: Role) -> Grid:
    return array_grid(values, title, role, col_labels=_digits(batch))


def _digits(batch: Normed) -> list[str]:
    """Name the digits of the batch; some show the same."""
    return [quoted(str(digit)) for digit in batch.labels]


def _averaged(formula: str, values: np.ndarray, result: float) -> str:
    """Write a mean with its numbers in lines that fit a phone."""
    terms = [f"({number(value, 3)})" if value < 0 else number(value, 3) for value in values]
    lines = [" + ".join(terms[i : i + 3]) for i in range(0, len(terms), 3)]
    added = r" \\ & \quad + ".join(lines)
    return (
        rf"\begin{{aligned}} {formula} & = \tfrac{{1}}{{{len(terms)}}}\big({added}\big)"
        rf" \\ & = {number(result, 3)} \end{{aligned}}"
    )
