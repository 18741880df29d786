"""1957: the perceptron learns from its mistakes; 1969: what it can never learn."""

import numpy as np
import streamlit as st

from app.i18n import _
from app.lessons import perceptron as lesson
from app.services_perceptron import INPUTS, POINT_SETS, again, answers_again, bound, updates
from app.widgets.frame import Code
from app.widgets.history import Era, Proof, Recomputed, era
from app.widgets.perceptron_points import pick_points, points_of
from app.widgets.perceptron_training import both_ways, draw_bound, draw_training, side, vector
from app.widgets.perceptron_xor import draw_demands, draw_two_layers, network
from app.widgets.task import Task


def body() -> None:
    """Draw the training, its bound, what no line parts, and the two layers that do."""
    pick_points()
    draw_training()
    st.header(_(lesson.BOUND_TITLE), anchor=False)
    draw_bound()
    st.header(_(lesson.XOR_TITLE), anchor=False)
    draw_demands()
    st.header(_(lesson.TWO_TITLE), anchor=False)
    draw_two_layers()


def proof() -> Proof:
    """Compute the training, the margin and the two layers again."""
    points, two = points_of(), network()
    made = updates(points)
    after, scores = again(points)
    said = np.array([(*two.hidden_answers(row), two.fires(row)) for row in INPUTS])
    stages = [
        Recomputed(
            lesson.CODE_RULE, np.array([u.after for u in made]).reshape(-1, 3), after, 1e-12
        ),
        Recomputed("w·x", np.array([update.score for update in made]), scores, 1e-12),
        Recomputed(lesson.CODE_XOR, said, answers_again(two), 1e-12),
    ]
    found = bound(points)
    if found is not None:
        stages.append(
            Recomputed(
                lesson.CODE_BOUND,
                np.full(2, found.margin),
                np.array(both_ways(points, found)),
                1e-9,
            )
        )
    return Proof(stages, lesson.BY)


def task() -> Task:
    """Ask what the last update made of the weights."""
    made = updates(points_of()) or updates(POINT_SETS["wide"])
    update = made[-1]
    x = np.array(update.point.x)
    before, after = np.array(update.before), np.array(update.after)
    candidates = (after, before - update.point.side * x, before, update.point.side * x, before * 2)
    options = sorted({vector(tuple(candidate.tolist())) for candidate in candidates})
    said = {
        "n": len(made),
        "before": vector(update.before),
        "x": vector(update.point.x),
        "side": side(update.point.side),
        "sign": side(update.point.side)[0],
        "after": vector(update.after),
    }
    return Task(
        _(lesson.ASK).format(**said),
        options,
        frozenset({options.index(vector(update.after))}),
        _(lesson.RIGHT).format(**said),
        _(lesson.WRONG),
    )


CODE = (
    Code(
        lesson.CODE_RULE,
        r"y\,(w \cdot x) \le 0 \;\Rightarrow\; w \leftarrow w + y\,x",
        "model.history.perceptron",
        "train",
    ),
    Code(
        lesson.CODE_BOUND,
        r"\gamma = \max_{\lVert w \rVert = 1} \min_i y_i\,(w \cdot x_i)"
        r" = \min_{\lambda \ge 0,\ \sum \lambda_i = 1} \Big\lVert \sum_i \lambda_i\,y_i\,x_i"
        r" \Big\rVert",
        "model.history.perceptron",
        "bound",
    ),
    Code(
        lesson.CODE_XOR,
        r"\text{xor}(x_1, x_2) = (x_1 \text{ or } x_2) \text{ and not } (x_1 \text{ and } x_2)",
        "model.history.xor",
        "TwoLayers",
    ),
)

era(Era(slug="perceptron", intro=lesson.INTRO, body=body, proof=proof, task=task, code=CODE))
