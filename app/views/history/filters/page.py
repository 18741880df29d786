"""2009–2012: ImageNet, kernels by hand, kernels that are learned, and AlexNet."""

from functools import partial

import numpy as np
import streamlit as st

from app.data.images import alexnet
from app.i18n import N_, _
from app.page.declare import HistoryPage, Proof, Recomputed
from app.page.frame import draw_page
from app.page.quiz import QuizTask
from app.ui import player
from app.views.history.filters import imagenet, kernels, network
from app.views.history.filters.data import (
    FiltersChoice,
    choice,
    convolution,
    digit,
    reading,
    recomputed,
)
from app.views.history.filters.imagenet import myth
from app.views.history.filters.kernels import pick_stepping, pick_steps
from app.views.history.filters.network import pick_digit, pick_map, pick_training


def pick_all(choice: FiltersChoice) -> None:
    """Draw every choice of the page."""
    pick_stepping(choice)
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom"):
        pick_steps(choice)
        pick_training(choice)
        pick_digit(choice)
        pick_map(choice)


def proof(choice: FiltersChoice) -> Proof:
    """Recompute the kernel's output, the network's reading and AlexNet's parameter counts."""
    stepping, read = choice.stepping, reading(choice.network, choice.digit)
    output = recomputed.output_again(stepping)
    maps1, maps2, p = recomputed.read_again(choice.network.weights, digit(choice.digit).greys)
    parameters = np.array([layer.parameters for layer in alexnet() if layer.parameters])
    by_hand = recomputed.alexnet_parameters_again()
    stages = (
        Recomputed(N_("output of the kernel"), stepping.output(), output, 1e-9),
        Recomputed(N_("feature maps of layer 1"), read.maps1, maps1, 1e-4),
        Recomputed(N_("feature maps of layer 2"), read.maps2, maps2, 1e-3),
        Recomputed(N_("max pooling"), read.pooled, recomputed.pooled_again(maps2), 1e-3),
        Recomputed(N_("probabilities of the digit"), read.probabilities, p, 1e-4),
        Recomputed(N_("AlexNet's parameters"), parameters, by_hand, 0.5),
    )
    return Proof(stages, N_("with NumPy in float64, convolutions by Fourier transforms"))


def task(choice: FiltersChoice) -> QuizTask:
    """Ask for the output's size with another stride and padding than the page's."""
    stepping = choice.stepping
    n = len(stepping.picture)
    stride, padding = 2 if stepping.stride != 2 else 3, 2 if stepping.padding != 2 else 1
    size = partial(convolution.output_size, n, len(stepping.kernel))
    answer = size(stride, padding)
    values = {"n": n, "stride": stride, "padding": padding, "answer": answer}
    # Of several reasons for the same size, the first one counts.
    reasons = {
        size(1, padding): N_(
            "That is the width with steps of one pixel: here each step is {stride}."
        ),
        size(stride, 0): N_(
            "That is the width without the zeros: {padding} lines on each side count."
        ),
        answer + 1: N_(
            "One too many: at the place after the last one, the kernel would stick out of the "
            "picture."
        ),
        n // stride - 1: N_(
            "That is {n} ÷ {stride}, less 1. The kernel needs 3 pixels to lie on; count how many "
            "steps of {stride} are left after that, and do not forget the first place."
        ),
    }
    sizes = sorted({answer, *reasons})
    wrong = [_(reasons.get(size, "")).format(**values) if size in reasons else "" for size in sizes]
    return QuizTask(
        _(
            "Take a picture {n} pixels wide, with {padding} lines of zeros around it, and let "
            "a kernel of 3 × 3 move {stride} pixels at a time. How many numbers wide is the "
            "output?"
        ).format(**values),
        list(map(str, sizes)),
        frozenset({sizes.index(answer)}),
        _("Yes: ({n} + 2 · {padding} − 3) ÷ {stride}, rounded down, plus 1, is {answer}.").format(
            **values
        ),
        "",
        wrong,
    )


PAGE = HistoryPage(
    "filters",
    N_(
        "A picture is a grid of numbers, one for the brightness of each pixel. To find out "
        "what is in it, a network first looks for small things such as edges, everywhere, with "
        "the same few weights."
    ),
    (*kernels.screens, *network.screens, *imagenet.screens),
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
