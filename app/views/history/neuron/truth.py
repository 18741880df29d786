"""The neuron against a gate, row by row."""

import streamlit as st

from app.format import short
from app.i18n import _
from app.ui.kept import table_menu
from app.views.history.neuron import texts
from app.views.history.neuron.data import Neuron, Row
from app.views.history.neuron.gate import Gate
from app.views.history.neuron.picks import SUBSCRIPTS


def truth_text(gate: Gate) -> str:
    """Say which rows have to be right."""
    return _(texts.SET).format(gate=gate.title, n=len(gate.goal))


def draw_truth(gate: Gate) -> None:
    """Draw the truth table with what is right."""
    st.table(_truth(gate))
    count, n = sum(gate.correct), len(gate.goal)
    if count == n:
        st.success(_(texts.ALL_RIGHT).format(n=n, gate=gate.title), icon=":material/check:")
    else:
        st.info(_(texts.SOME_RIGHT).format(right=count, n=n), icon=":material/tune:")
    table_menu("truth", lambda: _truth(gate), gate.name)


def _truth(gate: Gate) -> dict[str, list[str]]:
    columns = {
        f"x{SUBSCRIPTS[i]}": [str(x) for x in column]
        for i, column in enumerate(zip(*gate.inputs, strict=True))
    }
    threshold = gate.neuron.threshold
    return columns | {
        "w·x": [_sum(gate.neuron, row) for row in gate.inputs],
        _("fires?"): [
            f"{short(w_x)} {'≥' if fires else '<'} {short(threshold)}: {fires}"
            for w_x, fires in zip(gate.potentials, gate.neuron.answers(), strict=True)
        ],
        gate.title: [str(wanted) for wanted in gate.goal],
        _("right?"): [mark(correct) for correct in gate.correct],
    }


def _sum(neuron: Neuron, row: Row) -> str:
    factors = [f"({short(w)})" if w < 0 else str(w) for w in neuron.weights]
    terms = " + ".join(f"{w}·{x}" for w, x in zip(factors, row, strict=True))
    return f"{terms} = {short(neuron.potential(row))}"


def mark(correct: bool) -> str:
    return "✓" if correct else "✗"
