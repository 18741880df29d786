"""Every setting of the steppers, tried on a gate."""

import numpy as np
import streamlit as st

from app.components.board import array_grid
from app.format import short
from app.i18n import _
from app.inspector.arrays import draw_board
from app.page.quiz import Task
from app.views.history.neuron import texts
from app.views.history.neuron.data import THRESHOLDS, rows_right, search, weights_of
from app.views.history.neuron.gate import Gate, listed


def search_text(gate: Gate) -> str:
    """Say how many settings there are."""
    sizes = {"weights": 3, "thresholds": len(THRESHOLDS), "tried": search(gate.name).tried}
    return _(texts.SEARCH).format(gate=gate.title, **sizes)


def guess_search(gate: Gate) -> Task:
    """Ask how many settings compute the gate."""
    result = search(gate.name)
    found = len(result.solutions)
    counts = sorted({0, 1, 3, found, result.tried // 2})
    values = {"gate": gate.title, "tried": result.tried, "found": found}
    options = list(map(str, counts))
    answers = [counts.index(found)]
    return Task.of(
        texts.SEARCH_ASK, options, answers, texts.SEARCH_RIGHT, texts.SEARCH_WRONG, **values
    )


def draw_search(gate: Gate) -> None:
    """Draw how many rows each setting gets right, and say how many get all of them."""
    result, n = search(gate.name), len(gate.goal)
    grid = array_grid(
        np.array(rows_right(gate.name), float),
        _("rows right"),
        "output",
        reach=float(n),
        height=120.0,
        row_labels=[f"θ = {short(threshold)}" for threshold in THRESHOLDS],
        col_labels=[listed(weights) for weights in weights_of(gate.name)],
    )
    draw_board([grid], "neuron-search")
    text = _(texts.FOUND if result.solutions else texts.NONE_FOUND)
    st.markdown(text.format(found=len(result.solutions), tried=result.tried, n=n, best=result.best))
