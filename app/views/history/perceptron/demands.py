"""XOR: what its four rows demand of one neuron, and why they contradict each other."""

from typing import Final

import streamlit as st

from app.format import short
from app.i18n import _
from app.page.quiz import Task
from app.state import Param, decimal
from app.ui.table import written_table
from app.views.history.perceptron import texts
from app.views.history.perceptron.choice import Choice
from app.views.history.perceptron.data import INPUTS, TARGETS

W1: Final = Param[float]("x1", 1.0, decimal(-3, 3))
W2: Final = Param[float]("x2", 1.0, decimal(-3, 3))
THETA: Final = Param[float]("xt", 0.5, decimal(-3, 3))
FORMULAS: Final = ("0 < θ", "w₂ ≥ θ", "w₁ ≥ θ", "w₁ + w₂ < θ")


def pick_demands(_choice: Choice) -> None:
    """Draw the sliders of the two weights and the threshold."""
    for column, param, name in zip(st.columns(3), (W1, W2, THETA), ("w₁", "w₂", "θ"), strict=True):
        key, tip = param.widget(), _(texts.DEMAND_HELP)
        column.slider(name, -3.0, 3.0, step=0.1, key=key, help=tip)


def guess_demands(_choice: Choice) -> Task:
    """Ask how many of the four demands can hold at once."""
    return Task.of(texts.DEMAND_ASK, ["2", "3", "4"], [1], texts.DEMAND_RIGHT, texts.DEMAND_WRONG)


def draw_demands(_choice: Choice) -> None:
    """Draw what the rows of XOR demand of one neuron, with the visitor's numbers."""
    w1, w2, theta = W1.get(), W2.get(), THETA.get()
    holds, sums = demands(w1, w2, theta), (0.0, w2, w1, w1 + w2)
    numbers = [
        f"{short(round(w_x, 2))} {'≥' if wanted else '<'} {short(theta)}"
        for w_x, wanted in zip(sums, TARGETS, strict=True)
    ]
    columns = {
        "x₁": [str(row[0]) for row in INPUTS],
        "x₂": [str(row[1]) for row in INPUTS],
        "XOR": [str(wanted) for wanted in TARGETS],
        _("demands"): list(FORMULAS),
        _("with your numbers"): numbers,
        _("holds?"): ["✓" if hold else "✗" for hold in holds],
    }
    written_table(columns)
    st.markdown(_(texts.HOLD).format(holding=sum(holds)))


def draw_why(_choice: Choice) -> None:
    """Draw the sums of two demands each, and what the visitor's numbers make of them."""
    w1, w2, theta = W1.get(), W2.get(), THETA.get()
    st.latex(
        r"\begin{aligned} w_1 \ge \theta,\; w_2 \ge \theta &\;\Rightarrow\; w_1 + w_2 \ge 2\theta"
        r" \\ 0 < \theta,\; w_1 + w_2 < \theta &\;\Rightarrow\; w_1 + w_2 < 2\theta \end{aligned}"
    )
    text = _(texts.WHY_ABOVE if w1 + w2 >= 2 * theta else texts.WHY_BELOW)
    st.markdown(text.format(sum=short(round(w1 + w2, 2)), double=short(round(2 * theta, 2))))


def demands(w1: float, w2: float, theta: float) -> tuple[bool, bool, bool, bool]:
    """Return which of the four rows of XOR one neuron gets right."""
    return 0 < theta, w2 >= theta, w1 >= theta, w1 + w2 < theta
