"""2009–2012: kernels by hand, kernels that are learned, and AlexNet."""

from functools import partial

import numpy as np
import streamlit as st

from app.data.large_networks import alexnet
from app.i18n import N_, _
from app.page.declare import Code, HistoryPage, Section
from app.page.frame import draw_page
from app.page.proof import Proof, Recomputed
from app.page.quiz import Task
from app.ui import player
from app.views.history.filters import texts
from app.views.history.filters.alexnet import draw_alexnet
from app.views.history.filters.data import (
    digit,
    output_again,
    output_size,
    parameters_again,
    read_again,
    reading,
)
from app.views.history.filters.step import chosen, draw_steps
from app.views.history.filters.training import learned, looked_at, seen, training

CODE = (
    Code(
        N_("One number of the output"),
        r"y_{r,c} = \sum_{i,j} x_{r s + i,\; c s + j} \; w_{i,j}",
        "model.history.convolution",
        "Stepping",
    ),
    Code(
        N_("The network that reads digits"),
        r"\text{conv} \to \text{ReLU} \to \text{conv} \to \text{ReLU} \to \max \to \text{linear}",
        "model.history.cnn",
        "Cnn",
    ),
    Code(
        N_("Its training"),
        r"\text{loss} = -\log p_{\text{right}}, \qquad"
        r" w \leftarrow \text{Adam}(w, \nabla_w \text{loss})",
        "model.history.cnn",
        "train",
    ),
    Code(
        N_("AlexNet"),
        r"\text{parameters} = k^2 \cdot c_{\text{in}} \cdot c_{\text{out}} + c_{\text{out}}",
        "model.history.alexnet",
        "alexnet",
    ),
)


def body() -> None:
    """Draw the stepping kernel, the network that learns, and AlexNet."""
    st.header(_(texts.STEP_TITLE), anchor=False)
    draw_steps()
    training()
    seen()
    draw_alexnet()


def proof() -> Proof:
    """The output of the kernel, what the network makes of the digit, AlexNet's parameters."""
    stepping, now = chosen(), learned()
    found = reading(now, looked_at())
    maps1, maps2, probabilities = read_again(now.weights, digit(looked_at()).greys)
    counted = np.array([layer.parameters for layer in alexnet() if layer.parameters])
    stages = (
        Recomputed(N_("output of the kernel"), stepping.output(), output_again(stepping), 1e-9),
        Recomputed(N_("feature maps of layer 1"), found.maps1, maps1, 1e-4),
        Recomputed(N_("feature maps of layer 2"), found.maps2, maps2, 1e-3),
        Recomputed(N_("probabilities of the digit"), found.probabilities, probabilities, 1e-4),
        Recomputed(N_("AlexNet's parameters"), counted, parameters_again(), 0.5),
    )
    return Proof(stages, N_("with SciPy and NumPy in float64"))


def task() -> Task:
    """Ask for the size of the output of other steps than those on the page."""
    now = chosen()
    n, stride, padding = len(now.picture), 2 if now.stride != 2 else 3, 2 if now.padding != 2 else 1
    size = partial(output_size, n, len(now.kernel))
    answer = size(stride, padding)
    others = {size(1, padding), size(stride, 0), answer + 1, n // stride - 1}
    options = sorted(others | {answer})
    return Task(
        question=_(texts.TASK).format(n=n, stride=stride, padding=padding),
        options=[str(option) for option in options],
        answers=frozenset({options.index(answer)}),
        right=_(texts.TASK_RIGHT).format(n=n, stride=stride, padding=padding, answer=answer),
        wrong=_(texts.TASK_WRONG).format(stride=stride),
    )


draw_page(
    HistoryPage(
        slug="filters",
        intro=texts.INTRO,
        select=lambda: None,
        sections=(Section("", lambda _: body()),),
        proof=lambda _: proof(),
        task=lambda _: task(),
        code=CODE,
        run_every=player.pace,
    )
)
