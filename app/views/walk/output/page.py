"""Chapter 10: from the decoder's last vector to a word."""

import math
from collections.abc import Sequence

from app.data.walk import Cell, Walk
from app.format import probability
from app.i18n import N_, _
from app.page.declare import Code, Section, WalkPage
from app.page.frame import draw_page
from app.page.quiz import Task
from app.views.walk.output import texts
from app.views.walk.output.data import distribution
from app.views.walk.output.softmax import layers, softmax
from app.views.walk.output.vector import linear, pick_step, picked, place, vector


def body(walk: Walk) -> None:
    """Draw the way from the vector to the word, then the same for every layer."""
    pick_step(walk)
    at = place(walk)
    vector(walk, at)
    linear(walk, at)
    softmax(walk, at)
    layers(walk, at)


def scopes(walk: Walk) -> Sequence[str]:
    """Return the last vectors and the logits."""
    return [walk.numbers.stages["logits"].inputs[0], "logits"]


def start(walk: Walk) -> Cell:
    """Return the logit of the piece that is looked at."""
    at = place(walk)
    return Cell("logits", (at, picked(walk, at)))


def task(walk: Walk) -> Task:
    """Ask what a difference of logits is as a ratio of probabilities."""
    logits = walk.capture.logits[place(walk)]
    found = distribution(logits)
    first, second = (int(i) for i in found.order[:2])
    difference = float(logits[first]) - float(logits[second])
    ratio = math.exp(difference)
    wrong = {difference, 2 * difference, difference**2}
    times = sorted({_times(x) for x in wrong} | {_times(ratio)}, key=lambda text: float(text))
    return Task(
        question=_(texts.TASK).format(
            first=walk.token(first).text, second=walk.token(second).text,
            difference=f"{difference:.2f}",
        ),
        options=[_(texts.TIMES).format(x=text) for text in times],
        answers=frozenset({times.index(_times(ratio))}),
        right=_(texts.RIGHT).format(
            difference=f"{difference:.2f}", ratio=_times(ratio),
            p=probability(float(found.probabilities[first])),
            q=probability(float(found.probabilities[second])),
        ),
        wrong=_(texts.WRONG),
    )  # fmt: skip


def _times(x: float) -> str:
    return f"{x:.2f}" if x < 100 else f"{x:.0f}"


CODE = (
    Code(
        N_("The final linear layer"),
        r"\mathrm{logits} = x \, W_{\mathrm{vocab}} + b",
        "model.nn.transformer",
        "Transformer.logits",
    ),
    Code(
        N_("Softmax with temperature, top-k and top-p"),
        r"p_i = \frac{e^{z_i / T}}{\sum_{j} e^{z_j / T}}",
        "model.decoding.sampling",
        "sampling_probs",
    ),
    Code(
        N_("Every stage over the whole vocabulary"),
        r"e^{z_i / T - \max_j z_j / T} \;\to\; \div \Sigma",
        "model.interpret.calculation.distribution",
        "distribution",
    ),
    Code(
        N_("What each layer would have said"),
        r"\mathrm{softmax}(\mathrm{norm}(x^{(l)}) \, W_{\mathrm{vocab}} + b)",
        "model.interpret.calculation.stream",
        "logit_lens",
    ),
)

draw_page(
    WalkPage(
        slug="output",
        intro=texts.INTRO,
        select=lambda walk: walk,
        sections=(Section("", body),),
        scopes=scopes,
        start=start,
        task=task,
        code=CODE,
    )
)
