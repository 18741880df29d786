"""The neuron in the plane of its inputs: a line, and the side on which it fires."""

import numpy as np
import streamlit as st

from app.charts.plane import Dots, Line, plane
from app.i18n import _
from app.ui.chart import show_chart
from app.views.history.neuron import texts
from app.views.history.neuron.gate import Gate
from app.views.history.neuron.truth import mark


def line_text(gate: Gate) -> str:
    """Say what the line has to separate."""
    first, second, _threshold = gate.line
    return _(texts.LINE if first or second else texts.NO_LINE).format(gate=gate.title)


def draw_line(gate: Gate) -> None:
    """Draw the corners, and the line of the neuron."""
    one_input = len(gate.neuron.weights) == 1
    figure = plane(
        [_corners(gate, wanted) for wanted in (1, 0)],
        [Line("w·x = θ", gate.line, "output", filled=True)],
        up=(-0.55, 0.55) if one_input else None,
        x_title="x₁",
        y_title="" if one_input else "x₂",
        height=200 if one_input else 310,
    )
    alt = _("The corners, the line w·x = θ, and the side on which the neuron fires")
    with st.container(width=520):
        show_chart(figure, "neuron", alt)


def _corners(gate: Gate, wanted: int) -> Dots:
    """Return the rows of inputs to which the gate says what is wanted."""
    rows = [i for i, goal in enumerate(gate.goal) if goal == wanted]
    return Dots(
        _("{gate} wants {said}").format(gate=gate.title, said=wanted),
        np.array([(*gate.inputs[i], 0)[:2] for i in rows], float),
        "input" if wanted else "residual",
        "circle" if wanted else "circle-open",
        [mark(gate.correct[i]) for i in rows],
    )
