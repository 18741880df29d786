"""2009–2012: kernels by hand, kernels that are learned, and AlexNet."""

from functools import partial

import numpy as np

from app.data.large_networks import alexnet
from app.i18n import N_
from app.page.declare import Code, HistoryPage, Section
from app.page.frame import draw_page
from app.page.proof import Proof, Recomputed
from app.page.quiz import Task
from app.ui import player
from app.views.history.filters import texts
from app.views.history.filters.alexnet import alexnet_text, draw_alexnet
from app.views.history.filters.choice import Choice, choice
from app.views.history.filters.data import convolution, digit, reading, recomputed
from app.views.history.filters.digit import digit_text, draw_digit
from app.views.history.filters.learning import draw_learning, learning_text
from app.views.history.filters.step import draw_steps


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
    sizes = sorted({answer, size(1, padding), size(stride, 0), answer + 1, n // stride - 1})
    values = {"n": n, "stride": stride, "padding": padding, "answer": answer}
    options, answers = list(map(str, sizes)), [sizes.index(answer)]
    return Task.of(texts.TASK, options, answers, texts.TASK_RIGHT, texts.TASK_WRONG, **values)


SECTIONS = (
    Section("step", texts.STEP_TITLE, draw_steps),
    Section("train", texts.TRAIN_TITLE, draw_learning, learning_text),
    Section("read", texts.READ_TITLE, draw_digit, digit_text),
    Section("alexnet", texts.ALEXNET_TITLE, draw_alexnet, alexnet_text),
)

CODE = (
    Code(
        N_("One number of the output"),
        r"y_{r,c} = \sum_{i,j} x_{r s + i,\; c s + j} \; w_{i,j}",
        "model.history.convolution:Stepping",
    ),
    Code(
        N_("The network that reads digits"),
        r"\text{conv} \to \text{ReLU} \to \text{conv} \to \text{ReLU} \to \max \to \text{linear}",
        "model.history.cnn:Cnn",
    ),
    Code(
        N_("Its training"),
        r"\text{loss} = -\log p_{\text{right}}, \qquad"
        r" w \leftarrow \text{Adam}(w, \nabla_w \text{loss})",
        "model.history.cnn:train",
    ),
    Code(
        N_("AlexNet"),
        r"\text{parameters} = k^2 \cdot c_{\text{in}} \cdot c_{\text{out}} + c_{\text{out}}",
        "model.history.alexnet:alexnet",
    ),
)

PAGE = HistoryPage(
    "filters",
    texts.INTRO,
    SECTIONS,
    task,
    CODE,
    select=choice,
    proof=proof,
    run_every=player.run_every,
)

if __name__ == "__main__":
    draw_page(PAGE)
