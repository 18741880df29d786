"""2015: residual learning and batch normalisation."""

import numpy as np

from app.data.large_networks import resnet50
from app.format import number
from app.i18n import N_, _
from app.page.declare import Code, HistoryPage, Section
from app.page.frame import draw_page
from app.page.proof import Proof, Recomputed
from app.page.quiz import Task
from app.views.history.residual import block as blocks
from app.views.history.residual import gradients as slopes
from app.views.history.residual import norm as norms
from app.views.history.residual import texts
from app.views.history.residual.data import (
    block_again,
    gradients_again,
    normed_again,
    parameters_again,
)
from app.views.history.residual.race import draw_race
from app.views.history.residual.resnet import draw_resnet

CODE = (
    Code(
        N_("The Bottleneck block"),
        r"y = \text{ReLU}\big(F(x) + x\big)",
        "model.history.residual",
        "Bottleneck",
    ),
    Code(
        N_("Batch normalisation"),
        r"y = \gamma\, \frac{x - \mu}{\sqrt{\sigma^2 + \varepsilon}} + \beta",
        "model.history.batch_norm",
        "BatchNorm",
    ),
    Code(
        N_("The gradient of each layer"),
        r"\left\lVert \frac{\partial\,\text{loss}}{\partial W_l} \right\rVert",
        "model.history.deep",
        "gradient_norms",
    ),
    Code(
        N_("ResNet-50"),
        r"3 + 4 + 6 + 3 \text{ blocks of } 3 \text{ layers} + 2 = 50",
        "model.history.resnet",
        "resnet50",
    ),
)


def body() -> None:
    """Draw the race, the block, the gradients, the normalisation, and ResNet-50."""
    draw_race()
    blocks.draw_block()
    slopes.draw_gradients()
    norms.draw_norm()
    draw_resnet()


def proof() -> Proof:
    """The block, the gradients of both networks, the normalised batch, ResNet-50's parameters."""
    block, normed = blocks.chosen(), norms.chosen()
    f, out = block_again(block)
    again = normed_again(normed, norms.GAMMA.get(), norms.BETA.get())
    stages = [
        Recomputed(N_("F(x) of the block"), block.f, f, 1e-4),
        Recomputed(N_("what comes out of the block"), block.out, out, 1e-4),
        *(
            Recomputed(N_("batch normalisation"), getattr(normed, name), array, 1e-4)
            for name, array in again.items()
        ),
    ]
    plan = (slopes.DEPTH.get(), slopes.SEED.get(), slopes.START.get(), slopes.NORM.get())
    for shortcut, ours in zip((False, True), slopes.found(), strict=True):
        hand = gradients_again(*plan, shortcut)
        # Lengths from 1e-21 to 1e4 are compared by their ratio.
        stages.append(Recomputed(N_("gradients (logarithms)"), np.log(ours), np.log(hand), 1e-6))
    counted = np.array([layer.parameters for layer in resnet50() if layer.parameters])
    stages.append(Recomputed(N_("ResNet-50's parameters"), counted, parameters_again(), 0.5))
    return Proof(stages, N_("with SciPy and NumPy in float64"))


def task() -> Task:
    """Ask what comes out of the block where its input is largest, as its shortcut stands."""
    made = blocks.chosen()
    place, alone = blocks.brightest(made), made.sum is None
    total = place.x + place.f
    answer = max(place.f if alone else total, 0.0)
    offered = sorted({answer, answer + 1, total, place.f, place.x - place.f})
    options = list(dict.fromkeys(number(one, 3) for one in offered))
    said = {
        "row": place.row + 1, "column": place.column + 1, "x": number(place.x, 3),
        "f": number(place.f, 3), "sum": number(total, 3), "out": number(answer, 3),
    }  # fmt: skip
    return Task(
        question=_(texts.TASK_ALONE if alone else texts.TASK).format(**said),
        options=options,
        answers=frozenset({options.index(number(answer, 3))}),
        right=_(texts.TASK_ALONE_RIGHT if alone else texts.TASK_RIGHT).format(**said),
        wrong=_(texts.TASK_ALONE_WRONG if alone else texts.TASK_WRONG),
    )


draw_page(
    HistoryPage(
        slug="residual",
        intro=texts.INTRO,
        select=lambda: None,
        sections=(Section("", lambda _: body()),),
        proof=lambda _: proof(),
        task=lambda _: task(),
        code=CODE,
    )
)
