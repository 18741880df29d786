"""2015: residual learning and batch normalisation."""

import numpy as np

from app.data.large_networks import resnet50
from app.format import number
from app.i18n import N_
from app.page.declare import Code, HistoryPage, Section
from app.page.frame import draw_page
from app.page.proof import Proof, Recomputed
from app.page.quiz import Task
from app.views.history.residual import texts
from app.views.history.residual.block import block_text, brightest, draw_block
from app.views.history.residual.choice import Choice, choice
from app.views.history.residual.data import recomputed
from app.views.history.residual.gradients import draw_gradients
from app.views.history.residual.norm import draw_norm, norm_text
from app.views.history.residual.race import draw_race, race_text
from app.views.history.residual.resnet import draw_resnet, resnet_text


def proof(choice: Choice) -> Proof:
    """Compute the block, both networks' gradients, the batch and ResNet-50's parameters again."""
    block, batch = choice.block, choice.batch
    f, out = recomputed.block_again(block)
    stages = [
        Recomputed(N_("F(x) of the block"), block.f, f, 1e-4),
        Recomputed(N_("what comes out of the block"), block.out, out, 1e-4),
    ]
    for name, array in recomputed.normed_again(batch, choice.gamma, choice.beta).items():
        stages.append(Recomputed(N_("batch normalisation"), getattr(batch, name), array, 1e-4))
    for shortcut, ours in zip((False, True), choice.gradients, strict=True):
        again = recomputed.gradients_again(*choice.networks, shortcut)
        # Lengths from 1e-21 to 1e4 are compared by their ratio.
        stages.append(Recomputed(N_("gradients (logarithms)"), np.log(ours), np.log(again), 1e-6))
    parameters = np.array([layer.parameters for layer in resnet50() if layer.parameters])
    counted = recomputed.parameters_again()
    stages.append(Recomputed(N_("ResNet-50's parameters"), parameters, counted, 0.5))
    return Proof(stages, N_("with SciPy and NumPy in float64"))


def task(choice: Choice) -> Task:
    """Ask what comes out of the block where its input is largest, as its shortcut stands."""
    row, column, x, f = brightest(choice)
    alone, total = choice.block.sum is None, x + f
    out = max(f if alone else total, 0.0)
    options = list(dict.fromkeys(number(y, 3) for y in sorted({out, out + 1, total, f, x - f})))
    numbers = {"x": x, "f": f, "sum": total, "out": out}
    written = {name: number(value, 3) for name, value in numbers.items()}
    question = texts.TASK_ALONE if alone else texts.TASK
    right = texts.TASK_ALONE_RIGHT if alone else texts.TASK_RIGHT
    wrong = texts.TASK_ALONE_WRONG if alone else texts.TASK_WRONG
    answer, place = options.index(written["out"]), {"row": row + 1, "column": column + 1}
    return Task.of(question, options, {answer}, right, wrong, **place, **written)


SECTIONS = (
    Section("race", texts.RACE_TITLE, draw_race, race_text),
    Section("block", texts.BLOCK_TITLE, draw_block, block_text),
    Section("gradient", texts.GRADIENT_TITLE, draw_gradients, texts.GRADIENT),
    Section("norm", texts.NORM_TITLE, draw_norm, norm_text),
    Section("resnet", texts.RESNET_TITLE, draw_resnet, resnet_text),
)

CODE = (
    Code(
        N_("The Bottleneck block"),
        r"y = \text{ReLU}\big(F(x) + x\big)",
        "model.history.residual:Bottleneck",
    ),
    Code(
        N_("Batch normalisation"),
        r"y = \gamma\, \frac{x - \mu}{\sqrt{\sigma^2 + \varepsilon}} + \beta",
        "model.history.batch_norm:BatchNorm",
    ),
    Code(
        N_("The gradient of each layer"),
        r"\left\lVert \frac{\partial\,\text{loss}}{\partial W_l} \right\rVert",
        "model.history.deep:gradient_norms",
    ),
    Code(
        N_("ResNet-50"),
        r"3 + 4 + 6 + 3 \text{ blocks of } 3 \text{ layers} + 2 = 50",
        "model.history.resnet:resnet50",
    ),
)

PAGE = HistoryPage("residual", texts.INTRO, SECTIONS, task, CODE, select=choice, proof=proof)

if __name__ == "__main__":
    draw_page(PAGE)
