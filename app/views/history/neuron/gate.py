"""1943: a neuron set by hand, drawn, in the plane, and as a truth table."""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import streamlit as st

from app.charts.plane import Dots, Line, plane
from app.charts.theme import Role
from app.components.graph import Shown, Vertex, graph
from app.format import short
from app.i18n import N_, _
from app.page.kit import Code, Screens, pick, say, show_chart
from app.ui.kept import table_menu
from app.ui.table import written_table
from app.views.history.neuron.data import (
    GATE,
    GATES,
    ROW,
    THRESHOLD,
    WEIGHTS,
    Gate,
    Neuron,
    NeuronChoice,
    search,
)

SUBSCRIPTS: Final = "₁₂"
screens = Screens[NeuronChoice]()


def pick_setting(choice: NeuronChoice) -> None:
    """Draw the gate, the steppers, the row of inputs, and the button that sets the neuron."""
    gate = choice.gate
    with st.container(horizontal=True, vertical_alignment="bottom"):
        tip = _("The logical function that the neuron is to compute.")
        pick(GATE, _("Gate"), list(GATES), format_func=str.upper, help=tip)
        look: dict[str, Any] = {"step": 1, "width": 104}
        for param, sign in zip(WEIGHTS, SUBSCRIPTS[: len(gate.neuron.weights)], strict=False):
            label = _("Weight w{sign}").format(sign=sign)
            tip = _(
                "1: this input counts for firing. −1: it counts against it. 0: it does not count."
            )
            st.number_input(label, -1, 1, key=param.widget(), help=tip, **look)
        key, tip = THRESHOLD.widget(), _("The neuron fires when the sum is at least this large.")
        st.number_input(_("Threshold θ"), -2, 3, key=key, help=tip, **look)
        names = {i: " ".join(map(str, row)) for i, row in enumerate(gate.inputs)}
        tip = _("Which inputs run through the neuron in the drawing.")
        pick(ROW, _("Inputs"), names, value=gate.row, help=tip)
        label, icon = _("Set it for me"), ":material/auto_fix_high:"
        tip = _("Sets the weights and the threshold that get the most rows right.")
        best = search(gate.name).first
        st.button(label, "neuron-solve", tip, icon=icon, on_click=_set, args=(best,))


@screens(
    "gate",
    N_("1943: a neuron, set by hand"),
    Code(
        N_("The neuron fires"),
        r"y = \begin{cases}1 & \text{if } w \cdot x \ge \theta \\ 0 & \text{otherwise}\end{cases}",
        "model.history.neuron:Neuron",
    ),
    pick=pick_setting,
    was=("sum", "line", "search", "veto"),
)
def draw_gate(choice: NeuronChoice) -> None:
    """Draw the neuron with one row of inputs, the line that it draws, and its truth table."""
    gate = choice.gate
    say()
    left, middle, right = st.columns([0.34, 0.36, 0.3], gap="small")
    with left:
        _draw_neuron(gate)
    with right:
        written_table(_truth(gate))
        table_menu("truth", lambda: _truth(gate), gate.name)
    with middle:
        one_input = len(gate.neuron.weights) == 1
        figure = plane(
            [_corners(gate, wanted) for wanted in (1, 0)],
            [Line("w·x = θ", gate.line, "output", filled=True)],
            up=(-0.55, 0.55) if one_input else None,
            x_title="x₁",
            y_title="" if one_input else "x₂",
            height=200 if one_input else 250,
        )
        alt = _("The corners, the line w·x = θ, and the side on which the neuron fires")
        show_chart(figure, "neuron", alt)
    n, right_rows = len(gate.goal), sum(gate.correct)
    told = (
        _("Every row is right, {n} of {n}: this neuron is {gate}.")
        if right_rows == n
        else _("Rows that are right: {right} of {n}.")
    )
    text = _(
        "Each row of inputs is a corner; the neuron fires on the shaded side of the line and on "
        "the line itself. In the paper of 1943 an input had no weight: it counted, or it was a "
        "veto (inhibition), which no other input could outvote."
    )
    told = told.format(n=n, right=right_rows, gate=gate.title)
    say(f"**{told}** {text}")


def _draw_neuron(gate: Gate) -> None:
    row, neuron = gate.inputs[gate.row], gate.neuron
    potential, fires = short(neuron.potential(row)), neuron.fires(row)
    inputs = [Vertex(f"x{SUBSCRIPTS[i]}", str(x), role="input") for i, x in enumerate(row)]
    products = tuple(f"× {short(w)}" for w in neuron.weights)
    total = Vertex("w·x", potential, inputs=tuple(range(len(row))), slopes=products)
    title = _("fires") if fires else _("is silent")
    slopes = (f"≥ {short(neuron.threshold)}?",)
    role: Role = "output" if fires else "residual"
    answer = Vertex(title, str(fires), inputs=(len(row),), slopes=slopes, role=role)
    vertices = [*inputs, total, answer]
    every = [True] * len(vertices)
    label = _("The neuron, with these inputs")
    graph(vertices, Shown(every, every, every), key="neuron-drawing", label=label)


def _corners(gate: Gate, wanted: int) -> Dots:
    """Return the rows of inputs for which the gate's output is `wanted`."""
    rows = [i for i, goal in enumerate(gate.goal) if goal == wanted]
    return Dots(
        _("{gate} wants {said}").format(gate=gate.title, said=wanted),
        np.array([(*gate.inputs[i], 0)[:2] for i in rows], float),
        "input" if wanted else "residual",
        "circle" if wanted else "circle-open",
        ["✓" if gate.correct[i] else "✗" for i in rows],
    )


def _set(neuron: Neuron) -> None:
    THRESHOLD.set(neuron.threshold)
    for param, weight in zip(WEIGHTS, neuron.weights, strict=False):
        param.set(weight)


def _truth(gate: Gate) -> dict[str, list[str]]:
    columns = enumerate(zip(*gate.inputs, strict=True))
    neuron = gate.neuron
    return {f"x{SUBSCRIPTS[i]}": list(map(str, column)) for i, column in columns} | {
        "w·x": [weighed(neuron, row) for row in gate.inputs],
        gate.title: [str(wanted) for wanted in gate.goal],
        _("right?"): ["✓" if correct else "✗" for correct in gate.correct],
    }


def weighed(neuron: Neuron, row: Sequence[int]) -> str:
    """Write w·x against the threshold, and the neuron's output."""
    fires = neuron.fires(tuple(row))
    sign = "≥" if fires else "<"
    return f"{short(neuron.potential(tuple(row)))} {sign} {short(neuron.threshold)}: {fires}"
