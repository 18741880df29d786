"""2009–2012: ImageNet, kernels by hand, kernels that are learned, and AlexNet."""

from functools import partial

import numpy as np
import streamlit as st

from app.data.large_networks import alexnet
from app.i18n import N_, _
from app.page.declare import Code, Drawer, HistoryPage, Section
from app.page.frame import draw_page
from app.page.proof import Proof, Recomputed
from app.page.quiz import Task
from app.ui import player
from app.views.history.filters import step, texts
from app.views.history.filters.alexnet import (
    alexnet_text,
    draw_alexnet,
    draw_alexnet_shapes,
    myth,
    shapes_text,
)
from app.views.history.filters.choice import Choice, choice
from app.views.history.filters.colour import colour_text, draw_colour
from app.views.history.filters.data import convolution, digit, reading, recomputed
from app.views.history.filters.digit import (
    draw_read,
    draw_said,
    pick_digit,
    read_text,
    said_text,
)
from app.views.history.filters.imagenet import draw_imagenet, imagenet_text
from app.views.history.filters.learning import (
    draw_learning,
    learning_text,
    pick_training,
)
from app.views.history.filters.pooling import draw_pool, pick_map, pool_text
from app.views.history.filters.sobel import draw_sobel, guess_sobel


def pick_all(choice: Choice) -> None:
    """Draw every choice of the page."""
    step.pick_stepping(choice)
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom"):
        step.pick_steps(choice)
        pick_training(choice)
        pick_digit(choice)
        pick_map(choice)


def proof(choice: Choice) -> Proof:
    """Compute the kernel's output, what the network sees and AlexNet's parameters again."""
    stepping, read = choice.stepping, reading(choice.network, choice.digit)
    output = recomputed.output_again(stepping)
    maps1, maps2, p = recomputed.read_again(choice.network.weights, digit(choice.digit).greys)
    parameters = np.array([layer.parameters for layer in alexnet() if layer.parameters])
    by_hand = recomputed.parameters_again()
    stages = (
        Recomputed(N_("output of the kernel"), stepping.output(), output, 1e-9),
        Recomputed(N_("feature maps of layer 1"), read.maps1, maps1, 1e-4),
        Recomputed(N_("feature maps of layer 2"), read.maps2, maps2, 1e-3),
        Recomputed(N_("max pooling"), read.pooled, recomputed.pooled_again(maps2), 1e-3),
        Recomputed(N_("probabilities of the digit"), read.probabilities, p, 1e-4),
        Recomputed(N_("AlexNet's parameters"), parameters, by_hand, 0.5),
    )
    return Proof(stages, N_("with SciPy and NumPy in float64"))


def task(choice: Choice) -> Task:
    """Ask for the size of the output of other steps than those on the page."""
    stepping = choice.stepping
    n = len(stepping.picture)
    stride, padding = 2 if stepping.stride != 2 else 3, 2 if stepping.padding != 2 else 1
    size = partial(convolution.output_size, n, len(stepping.kernel))
    answer = size(stride, padding)
    values = {"n": n, "stride": stride, "padding": padding, "answer": answer}
    # The first reason for a size counts.
    reasons = {
        size(1, padding): texts.TASK_STRIDE,
        size(stride, 0): texts.TASK_PADDING,
        answer + 1: texts.TASK_MORE,
        n // stride - 1: texts.TASK_LESS,
    }
    sizes = sorted({answer, *reasons})
    wrong = [_(reasons.get(size, "")).format(**values) if size in reasons else "" for size in sizes]
    return Task(
        _(texts.TASK).format(**values),
        list(map(str, sizes)),
        frozenset({sizes.index(answer)}),
        _(texts.TASK_RIGHT).format(**values),
        "",
        wrong,
    )


SECTIONS = (
    Section(
        "step",
        texts.STEP_TITLE,
        step.draw_steps,
        step.step_text,
        pick=step.pick_stepping,
        beside=((step.window_text, step.draw_window),),
        drawers=(
            Drawer("colour", texts.COLOUR_TITLE, draw_colour, colour_text),
            Drawer("size", texts.SIZE_TITLE, step.draw_size, texts.SIZE, pick=step.pick_steps),
            Drawer("turned", texts.TURNED_TITLE, step.draw_turned, step.turned_text),
        ),
        code=(
            Code(
                N_("One number of the output"),
                r"y_{r,c} = \sum_{i,j} x_{r s + i,\; c s + j} \; w_{i,j}",
                "model.history.convolution:filtered",
            ),
        ),
        was=("window", "loop"),
    ),
    Section("sobel", texts.SOBEL_TITLE, draw_sobel, texts.SOBEL, guess=guess_sobel, pick=False),
    Section(
        "train",
        texts.TRAIN_TITLE,
        draw_learning,
        learning_text,
        pick=pick_training,
        code=(
            Code(
                N_("Its training"),
                r"\text{loss} = -\log p_{\text{right}}, \qquad"
                r" w \leftarrow \text{Adam}(w, \nabla_w \text{loss})",
                "model.history.cnn:train",
            ),
        ),
        was=("kernels",),
    ),
    Section(
        "read",
        texts.READ_TITLE,
        draw_read,
        read_text,
        pick=pick_digit,
        drawers=(Drawer("pool", texts.POOL_TITLE, draw_pool, pool_text, pick=pick_map),),
        was=("deeper",),
    ),
    Section(
        "said",
        texts.SAID_TITLE,
        draw_said,
        said_text,
        pick=pick_digit,
        code=(
            Code(
                N_("The network that reads digits"),
                r"\text{conv} \to \text{ReLU} \to \text{conv} \to \text{ReLU} \to \max \to"
                r" \text{linear}",
                "model.history.cnn:Cnn",
            ),
        ),
        was=("drawn", "network"),
    ),
    Section(
        "alexnet",
        texts.ALEXNET_TITLE,
        draw_imagenet,
        imagenet_text,
        pick=False,
        beside=((alexnet_text, draw_alexnet),),
        drawers=(Drawer("layers", texts.SHAPES_TITLE, draw_alexnet_shapes, shapes_text),),
        code=(
            Code(
                N_("AlexNet"),
                r"\text{parameters} = k^2 \cdot c_{\text{in}} \cdot c_{\text{out}} +"
                r" c_{\text{out}}",
                "model.history.alexnet:AlexNet",
            ),
        ),
        was=("imagenet", "alexnet-code"),
    ),
)


PAGE = HistoryPage(
    "filters",
    texts.INTRO,
    SECTIONS,
    task,
    pick=pick_all,
    task_pick=False,
    myth=myth,
    select=choice,
    proof=proof,
    run_every=player.run_every,
)

if __name__ == "__main__":
    draw_page(PAGE)
