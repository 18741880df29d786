"""A neuron to set by hand: steppers, its drawing with one row of inputs, its table, its line."""

from typing import Any, Final

import numpy as np
import streamlit as st

from app.charts.plane import Dots, Line, plane
from app.charts.theme import Role
from app.components.graph import Shown, Vertex, graph
from app.format import short
from app.i18n import _
from app.ui.chart import show_chart
from app.ui.pickers import pick
from app.ui.table import table, table_fold
from app.views.history.neuron import texts
from app.views.history.neuron.data import GATES, Neuron, Row, search
from app.views.history.neuron.gate import GATE, ROW, THRESHOLD, WEIGHTS, Gate

SUBSCRIPTS: Final = "₁₂"


def draw_gate(gate: Gate) -> None:
    """Draw the steppers, the neuron, the truth table with what is right, and the plane."""
    pick(GATE, _("Gate"), list(GATES), format_func=str.upper, help=_(texts.GATE_HELP))
    _draw_steppers(gate)
    _draw_neuron(gate)
    left, right = st.columns(2, gap="medium")
    with left:
        st.table(_truth(gate))
        count, n = sum(gate.correct), len(gate.goal)
        if count == n:
            st.success(_(texts.ALL_RIGHT).format(n=n, gate=gate.title), icon=":material/check:")
        else:
            st.info(_(texts.SOME_RIGHT).format(right=count, n=n), icon=":material/tune:")
    with right:
        _draw_line(gate)
    table_fold("truth", lambda: table(_truth(gate), gate.name))


def _draw_steppers(gate: Gate) -> None:
    look: dict[str, Any] = {"step": 1, "width": 130}
    with st.container(horizontal=True, vertical_alignment="bottom"):
        for param, sign in zip(WEIGHTS, SUBSCRIPTS[: len(gate.neuron.weights)], strict=False):
            label, tip = _("Weight w{sign}").format(sign=sign), _(texts.WEIGHT_HELP)
            st.number_input(label, -1, 1, key=param.widget(), help=tip, **look)
        key, tip = THRESHOLD.widget(), _(texts.THRESHOLD_HELP)
        st.number_input(_("Threshold θ"), -2, 3, key=key, help=tip, **look)
        label, icon, tip = _("Set it for me"), ":material/auto_fix_high:", _(texts.SOLVE_HELP)
        st.button(label, "neuron-solve", tip, icon=icon, on_click=_set_best, args=(gate.name,))


def _set_best(name: str) -> None:
    best = search(name).first
    THRESHOLD.set(best.threshold)
    for param, weight in zip(WEIGHTS, best.weights, strict=False):
        param.set(weight)


def _draw_neuron(gate: Gate) -> None:
    names = {i: " ".join(map(str, row)) for i, row in enumerate(gate.inputs)}
    chosen = min(ROW.get(), len(names) - 1)
    pick(ROW, _("Inputs"), names, value=chosen, help=_(texts.ROW_HELP))
    row, neuron = gate.inputs[chosen], gate.neuron
    fires = neuron.fires(row)
    inputs = [Vertex(f"x{SUBSCRIPTS[i]}", str(x), role="input") for i, x in enumerate(row)]
    products = tuple(f"× {short(w)}" for w in neuron.weights)
    potential, all_inputs = short(neuron.potential(row)), tuple(range(len(row)))
    total = Vertex("w·x", potential, inputs=all_inputs, slopes=products)
    title, slopes = _("fires") if fires else _("is silent"), (f"≥ {short(neuron.threshold)}?",)
    role: Role = "output" if fires else "residual"
    answer = Vertex(title, str(fires), inputs=(len(row),), slopes=slopes, role=role)
    vertices = [*inputs, total, answer]
    every = [True] * len(vertices)
    label = _("The neuron, with these inputs")
    graph(vertices, Shown(every, every, every), key="neuron-drawing", label=label)


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
        _("right?"): [_mark(correct) for correct in gate.correct],
    }


def _sum(neuron: Neuron, row: Row) -> str:
    factors = [f"({short(w)})" if w < 0 else str(w) for w in neuron.weights]
    terms = " + ".join(f"{w}·{x}" for w, x in zip(factors, row, strict=True))
    return f"{terms} = {short(neuron.potential(row))}"


def _draw_line(gate: Gate) -> None:
    first, second, _threshold = gate.line
    one_input = len(gate.neuron.weights) == 1
    figure = plane(
        [_corners(gate, wanted) for wanted in (1, 0)],
        [Line("w·x = θ", gate.line, "output", filled=True)],
        up=(-0.55, 0.55) if one_input else None,
        x_title="x₁",
        y_title="" if one_input else "x₂",
        height=260 if one_input else 400,
    )
    alt = _("The corners, the line w·x = θ, and the side on which the neuron fires")
    caption = _(texts.LINE if first or second else texts.NO_LINE)
    show_chart(figure, "neuron", alt, caption=caption.format(gate=gate.title))


def _corners(gate: Gate, wanted: int) -> Dots:
    """Return the rows of inputs to which the gate says what is wanted."""
    rows = [i for i, goal in enumerate(gate.goal) if goal == wanted]
    return Dots(
        _("{gate} wants {said}").format(gate=gate.title, said=wanted),
        np.array([(*gate.inputs[i], 0)[:2] for i in rows], float),
        "input" if wanted else "residual",
        "circle" if wanted else "circle-open",
        [_mark(gate.correct[i]) for i in rows],
    )


def _mark(correct: bool) -> str:
    return "✓" if correct else "✗"
