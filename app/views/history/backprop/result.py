"""All derivatives of an expression, beside torch's, and what they foretell."""

import numpy as np
import streamlit as st

from app.format import escape, short, signed
from app.i18n import _
from app.page.quiz import Task
from app.ui.kept import table_menu
from app.ui.table import written_table
from app.views.history.backprop import texts
from app.views.history.backprop.data import ExpressionError, by_autograd
from app.views.history.backprop.expression import TEXT, Computed, computed
from app.views.history.backprop.steps import title

STEP = 0.01  # how far a number is moved to see what its derivative foretells


def guess_result(expression: Computed) -> Task:
    """Ask which of the numbers changes the result most."""
    slopes = np.abs(expression.derivatives[: len(expression.names)])
    answers = np.flatnonzero(slopes >= slopes.max() * (1 - 1e-9)).tolist()
    name, slope = expression.names[answers[0]], expression.derivatives[answers[0]]
    values = {"step": short(STEP), "name": name, "slope": short(slope)}
    ask, yes, no = texts.RESULT_ASK, texts.RESULT_RIGHT, texts.RESULT_WRONG
    return Task.of(ask, expression.names, answers, yes, no, **values)


def result_text(_expression: Computed) -> str:
    """Say what the table is good for."""
    return _(texts.RESULT).format(step=short(STEP))


def draw_result(expression: Computed) -> None:
    """Draw every name's derivative, torch's, and what it foretells."""
    written_table(_columns(expression))
    value = short(expression.graph.nodes[-1].value)
    st.markdown(_("The result is {value}.").format(value=value))
    table_menu("nodes", lambda: _nodes(expression), "nodes")


def _columns(expression: Computed) -> dict[str, list[str]]:
    count = len(expression.names)
    ours, torchs = expression.derivatives[:count], by_autograd(expression.graph)[1][:count].tolist()
    return {
        _("name"): [escape(name) for name in expression.names],
        _("derivative"): [short(slope, 6) for slope in ours],
        "torch": [short(slope, 6) for slope in torchs],
        _("foretold change"): [signed_text(slope * STEP) for slope in ours],
        _("real change"): [_real_change(expression, i) for i in range(count)],
    }


def _real_change(expression: Computed, place: int) -> str:
    """Compute the expression once more with one number moved a little."""
    name = expression.names[place]
    try:
        moved = computed(TEXT.get(), **{name: expression.graph.nodes[place].value + STEP})
    except ExpressionError:
        return _("no value")
    return signed_text(moved.graph.nodes[-1].value - expression.graph.nodes[-1].value)


def _nodes(expression: Computed) -> dict[str, list[str | float]]:
    nodes = expression.graph.nodes
    return {
        _("node"): [f"{i + 1} {title(node)}" for i, node in enumerate(nodes)],
        _("from"): [", ".join(str(i + 1) for i in node.inputs) for node in nodes],
        _("value"): [node.value for node in nodes],
        _("derivative"): [*expression.derivatives],
    }


def signed_text(x: float) -> str:
    return signed(x, 6)
