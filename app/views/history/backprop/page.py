"""1970 and 1986: derivatives by going backwards, and a hidden layer that learns by them."""

import numpy as np
import streamlit as st

from app.format import short
from app.i18n import _
from app.page.declare import Code, HistoryPage, Section
from app.page.frame import draw_page
from app.page.proof import Proof, Recomputed
from app.page.quiz import Task
from app.ui import player
from app.views.history.backprop import texts
from app.views.history.backprop.data import by_autograd, descend_again, first_updates
from app.views.history.backprop.expression import pick_expression, shown
from app.views.history.backprop.steps import draw_result, draw_steps
from app.views.history.backprop.xor import draw_learning, draw_starts, plan_of

RATE = 0.1


def body() -> None:
    """Draw the expression, its graph step by step, and the network that learns."""
    now = pick_expression()
    if now is not None:
        draw_steps(now)
        draw_result(now)
    st.header(_(texts.XOR_TITLE), anchor=False)
    draw_learning()
    st.header(_(texts.STARTS_TITLE), anchor=False)
    draw_starts()


def proof() -> Proof:
    """Compute the graph again with torch.autograd, and the network's first updates in NumPy."""
    now, plan = shown(), plan_of()
    values, derivatives = by_autograd(now.graph)
    ours = np.array([node.value for node in now.graph.nodes])
    slopes = np.array(now.derivatives)
    return Proof(
        (
            Recomputed(texts.VALUES, ours, values, _near(values)),
            Recomputed(texts.DERIVATIVES, slopes, derivatives, _near(derivatives)),
            Recomputed(texts.UPDATES, first_updates(plan), descend_again(plan), 1e-9),
        ),
        texts.BY,
    )


def _near(numbers: np.ndarray) -> float:
    """Allow a difference of 1e-9, of the largest number where that is above 1."""
    return 1e-9 * max(1.0, float(np.abs(numbers).max()))


def task() -> Task:
    """Ask for one step of the first name against its derivative."""
    now = shown()
    name, value, slope = now.names[0], now.graph.nodes[0].value, now.derivatives[0]
    after = value - RATE * slope
    others = (value + RATE * slope, value - slope, slope, -RATE * slope)
    options = sorted({short(each) for each in (after, *others)})
    said = {"name": name, "value": short(value), "derivative": short(slope), "after": short(after)}
    return Task(
        _(texts.ASK).format(**said),
        options,
        frozenset({options.index(short(after))}),
        _(texts.RIGHT).format(**said),
        _(texts.WRONG).format(**said),
    )


CODE = (
    Code(
        texts.CODE_FORWARD,
        r"y = f(a, b) \qquad \frac{\partial y}{\partial a} \qquad \frac{\partial y}{\partial b}",
        "model.history.graph",
        "Graph.apply",
    ),
    Code(
        texts.CODE_BACKWARD,
        r"\frac{\partial L}{\partial a} = \sum_{y \text{ from } a}"
        r" \frac{\partial L}{\partial y} \cdot \frac{\partial y}{\partial a}",
        "model.history.graph",
        "Graph.backward",
    ),
    Code(
        texts.CODE_LEARN,
        r"w \leftarrow w - \eta\,\frac{\partial E}{\partial w}",
        "model.history.xor",
        "learn",
    ),
)

draw_page(
    HistoryPage(
        slug="backprop",
        intro=texts.INTRO,
        select=lambda: None,
        sections=(Section("", lambda _: body()),),
        proof=lambda _: proof(),
        task=lambda _: task(),
        code=CODE,
        run_every=player.run_every,
    )
)
