"""2015: residual learning and batch normalisation."""

import numpy as np
import streamlit as st

from app.data.large_networks import resnet50
from app.format import number, short
from app.i18n import N_, _
from app.page.declare import Code, Drawer, HistoryPage, Myth, Section
from app.page.frame import draw_page
from app.page.proof import Proof, Recomputed
from app.page.quiz import Task
from app.views.history.residual import norm, texts
from app.views.history.residual.block import (
    block_text,
    brightest,
    draw_block,
    draw_slope,
    pick_block,
    slope_text,
    slopes_of,
)
from app.views.history.residual.bottleneck import draw_weights, weights_text
from app.views.history.residual.choice import SEED, Choice, choice
from app.views.history.residual.data import gradients, recomputed
from app.views.history.residual.gradients import (
    draw_gradients,
    guess_gradient,
    pick_networks,
)
from app.views.history.residual.race import draw_race, pick_race, race_text
from app.views.history.residual.resnet import (
    draw_resnet,
    draw_resnet_shapes,
    resnet_text,
    shapes_text,
)


def pick_all(choice: Choice) -> None:
    """Draw every choice of the page."""
    pick_race(choice)
    pick_block(choice)
    pick_networks(choice)
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom"):
        norm.pick_batch(choice)
        norm.pick_seen()
    norm.pick_factors(choice)


def proof(choice: Choice) -> Proof:
    """Compute the block, both networks' gradients, the batch and ResNet-50's parameters again."""
    block, batch = choice.block, choice.batch
    f, out = recomputed.block_again(block)
    stages = [
        Recomputed(N_("F(x) of the block"), block.f, f, 1e-4),
        Recomputed(N_("what comes out of the block"), block.out, out, 1e-4),
    ]
    slopes, (row, column, _x, _f) = slopes_of(choice), brightest(choice)
    slope = recomputed.slope_again(block, choice.picture, choice.channel, row, column)
    ours, again = np.array([slopes[row, column]]), np.array([slope])
    stages.append(Recomputed(N_("slope of F(x)"), ours, again, 1e-4))
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
    reasons = {
        number(f, 3): texts.TASK_F if f >= 0 else texts.TASK_NEGATIVE,
        number(total, 3): texts.TASK_SUM if total >= 0 else texts.TASK_NEGATIVE,
        number(x - f, 3): texts.TASK_LESS if x >= f else texts.TASK_NEGATIVE,
        number(out + 1, 3): texts.TASK_ONE_MORE,
    }
    place = {"row": row + 1, "column": column + 1}
    return Task(
        _(texts.TASK_ALONE if alone else texts.TASK).format(**place, **written),
        options,
        frozenset({options.index(written["out"])}),
        _(texts.TASK_ALONE_RIGHT if alone else texts.TASK_RIGHT).format(**written),
        "",
        [_(reasons[option]).format(**written) if option in reasons else "" for option in options],
    )


def myth(choice: Choice) -> Myth:
    """Refute that vanishing gradients are all: in the race, they do not vanish."""
    plain, _residual = gradients(choice.depth, SEED.get(), "he", True)
    last = choice.training.reports[-1]
    values = {"plain": short(plain[0], 3), "times": short(plain[0] / plain[-1], 3)}
    *_shallow, wrong, residual = (number(100 * lap.learned_wrong, 1) for lap in last.laps)
    shares = {"wrong": wrong, "residual_wrong": residual}
    about = {"depth": choice.depth, "update": last.update}
    return Myth(_(texts.MYTH), _(texts.MYTH_TRUTH).format(**about, **values, **shares))


SECTIONS = (
    Section(
        "block",
        texts.BLOCK_TITLE,
        draw_block,
        block_text,
        pick=pick_block,
        drawers=(Drawer("slope", texts.SLOPE_TITLE, draw_slope, slope_text),),
        code=(
            Code(
                N_("The Bottleneck block"),
                r"y = \text{ReLU}\big(F(x) + x\big)",
                "model.history.residual:Bottleneck",
            ),
        ),
        was=("idea", "relu", "block-code"),
    ),
    Section("race", texts.RACE_TITLE, draw_race, race_text, pick=pick_race),
    Section(
        "gradient",
        texts.GRADIENT_TITLE,
        draw_gradients,
        texts.GRADIENT,
        guess=guess_gradient,
        pick=pick_networks,
        code=(
            Code(
                N_("The gradient of each layer"),
                r"\left\lVert \frac{\partial\,\text{loss}}{\partial W_l} \right\rVert",
                "model.history.deep:gradient_norms",
            ),
        ),
    ),
    Section(
        "normalise",
        texts.NORM_TITLE,
        norm.draw_norm,
        norm.norm_text,
        pick=norm.pick_factors,
        drawers=(
            Drawer(
                "norm", texts.BATCH_TITLE, norm.draw_batch, norm.batch_text, pick=norm.pick_batch
            ),
        ),
        code=(
            Code(
                N_("Batch normalisation"),
                r"y = \gamma\, \frac{x - \mu}{\sqrt{\sigma^2 + \varepsilon}} + \beta",
                "model.history.batch_norm:BatchNorm",
            ),
        ),
        was=("moments",),
    ),
    Section(
        "use",
        texts.USE_TITLE,
        norm.draw_use,
        norm.use_text,
        guess=norm.guess_use,
        pick=norm.pick_use,
    ),
    Section(
        "resnet",
        texts.RESNET_TITLE,
        draw_resnet,
        resnet_text,
        pick=False,
        beside=((weights_text, draw_weights),),
        drawers=(Drawer("stages", texts.SHAPES_TITLE, draw_resnet_shapes, shapes_text),),
        code=(
            Code(
                N_("ResNet-50"),
                r"3 + 4 + 6 + 3 \text{ blocks of } 3 \text{ layers} + 2 = 50",
                "model.history.resnet:resnet50",
            ),
        ),
        was=("bottleneck",),
    ),
)


PAGE = HistoryPage(
    "residual",
    texts.INTRO,
    SECTIONS,
    task,
    pick=pick_all,
    task_pick=pick_block,
    myth=myth,
    select=choice,
    proof=proof,
)

if __name__ == "__main__":
    draw_page(PAGE)
