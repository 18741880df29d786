"""1957: the perceptron learns from its mistakes; 1969: what it can never learn."""

import numpy as np
import streamlit as st

from app.i18n import _
from app.page.declare import Code, HistoryPage, Section
from app.page.frame import draw_page
from app.page.proof import Proof, Recomputed
from app.page.quiz import Task
from app.views.history.perceptron import texts
from app.views.history.perceptron.data import (
    INPUTS,
    POINT_SETS,
    again,
    answers_again,
    bound,
    updates,
)
from app.views.history.perceptron.points import pick_points, points_of
from app.views.history.perceptron.training import (
    both_ways,
    draw_bound,
    draw_training,
    side,
    vector,
)
from app.views.history.perceptron.xor import draw_demands, draw_two_layers, network


def body() -> None:
    """Draw the training, its bound, what no line parts, and the two layers that do."""
    pick_points()
    draw_training()
    st.header(_(texts.BOUND_TITLE), anchor=False)
    draw_bound()
    st.header(_(texts.XOR_TITLE), anchor=False)
    draw_demands()
    st.header(_(texts.TWO_TITLE), anchor=False)
    draw_two_layers()


def proof() -> Proof:
    """Compute the training, the margin and the two layers again."""
    points, two = points_of(), network()
    made = updates(points)
    after, scores = again(points)
    said = np.array([(*two.hidden_answers(row), two.fires(row)) for row in INPUTS])
    stages = [
        Recomputed(texts.CODE_RULE, np.array([u.after for u in made]).reshape(-1, 3), after, 1e-12),
        Recomputed("w·x", np.array([update.score for update in made]), scores, 1e-12),
        Recomputed(texts.CODE_XOR, said, answers_again(two), 1e-12),
    ]
    found = bound(points)
    if found is not None:
        stages.append(
            Recomputed(
                texts.CODE_BOUND,
                np.full(2, found.margin),
                np.array(both_ways(points, found)),
                1e-9,
            )
        )
    return Proof(stages, texts.BY)


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
        _(texts.ASK).format(**said),
        options,
        frozenset({options.index(vector(update.after))}),
        _(texts.RIGHT).format(**said),
        _(texts.WRONG),
    )


CODE = (
    Code(
        texts.CODE_RULE,
        r"y\,(w \cdot x) \le 0 \;\Rightarrow\; w \leftarrow w + y\,x",
        "model.history.perceptron",
        "train",
    ),
    Code(
        texts.CODE_BOUND,
        r"\gamma = \max_{\lVert w \rVert = 1} \min_i y_i\,(w \cdot x_i)"
        r" = \min_{\lambda \ge 0,\ \sum \lambda_i = 1} \Big\lVert \sum_i \lambda_i\,y_i\,x_i"
        r" \Big\rVert",
        "model.history.perceptron",
        "bound",
    ),
    Code(
        texts.CODE_XOR,
        r"\text{xor}(x_1, x_2) = (x_1 \text{ or } x_2) \text{ and not } (x_1 \text{ and } x_2)",
        "model.history.xor",
        "TwoLayers",
    ),
)

draw_page(
    HistoryPage(
        slug="perceptron",
        intro=texts.INTRO,
        select=lambda: None,
        sections=(Section("", lambda _: body()),),
        proof=lambda _: proof(),
        task=lambda _: task(),
        code=CODE,
    )
)
