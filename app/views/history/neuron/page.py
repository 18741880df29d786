"""1943: the artificial neuron, its weights and threshold set by hand."""

import numpy as np
import streamlit as st

from app.charts.plane import CORNERS, ends
from app.format import short
from app.i18n import _
from app.page.declare import Code, HistoryPage, Section
from app.page.frame import draw_page
from app.page.proof import Proof, Recomputed
from app.page.quiz import Task
from app.views.history.neuron import texts
from app.views.history.neuron.data import THRESHOLDS, Neuron, answers_again, counts_again, search
from app.views.history.neuron.gate import draw_gate, draw_search, draw_veto, gate_of, listed


def body() -> None:
    """Draw the neuron, what no setting can do, and inhibition as it was."""
    draw_gate()
    st.header(_(texts.SEARCH_TITLE), anchor=False)
    draw_search()
    st.header(_(texts.VETO_TITLE), anchor=False)
    draw_veto()


def proof() -> Proof:
    """Compute the sums, the answers, the line and the search again, as matrices."""
    now = gate_of()
    neuron = now.neuron
    sums, said = answers_again(neuron)
    potentials = np.array([neuron.potential(row) for row in now.inputs])
    weights = (*neuron.weights, 0)[:2]
    line = ends((weights[0], weights[1], -neuron.threshold), CORNERS, CORNERS)  # (2, 2) or (0, 2)
    return Proof(
        (
            Recomputed("w·x", potentials, sums, 1e-12),
            Recomputed(texts.CODE_FIRES, np.array(neuron.answers()), said, 1e-12),
            Recomputed(
                "w·x = θ", line @ np.array(weights), np.full(len(line), neuron.threshold), 1e-12
            ),
            Recomputed(
                texts.CODE_SEARCH, np.array(search(now.name).counts), counts_again(now.name), 1e-12
            ),
        ),
        texts.BY,
    )


def task() -> Task:
    """Ask which threshold makes the gate with the weights as they stand."""
    now = gate_of()
    weights = now.neuron.weights
    right = [t for t in THRESHOLDS if Neuron(weights, t).answers() == now.goal]
    options = [f"θ = {short(t)}" for t in THRESHOLDS] + [_(texts.NO_THRESHOLD)]
    said = {
        "gate": now.title,
        "weights": ", ".join(f"w{'₁₂'[i]} = {short(w)}" for i, w in enumerate(weights)),
        "sums": listed([now.neuron.potential(row) for row in now.inputs]),
        "goal": listed(now.goal),
    }
    return Task(
        _(texts.ASK).format(**said),
        options,
        frozenset(THRESHOLDS.index(t) for t in right) or frozenset({len(THRESHOLDS)}),
        _(texts.RIGHT).format(**said),
        _(texts.WRONG).format(**said),
    )


CODE = (
    Code(
        texts.CODE_FIRES,
        r"y = \begin{cases}1 & \text{if } w \cdot x \ge \theta \\ 0 & \text{otherwise}\end{cases}",
        "model.history.neuron",
        "Neuron",
    ),
    Code(
        texts.CODE_SEARCH,
        r"w_i \in \{-1, 0, 1\} \qquad \theta \in \{-2, \dots, 3\}",
        "model.history.neuron",
        "search",
    ),
)

draw_page(
    HistoryPage(
        slug="neuron",
        intro=texts.INTRO,
        select=lambda: None,
        sections=(Section("", lambda _: body()),),
        proof=lambda _: proof(),
        task=lambda _: task(),
        code=CODE,
    )
)
