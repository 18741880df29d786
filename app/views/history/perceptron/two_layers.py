"""Two layers that satisfy XOR: three neurons to set, what each says, and the hidden plane."""

from typing import Any

import numpy as np
import streamlit as st

from app.charts.plane import Dots, Line, plane
from app.format import short
from app.i18n import _
from app.ui.chart import show_chart
from app.ui.kept import table_menu
from app.views.history.perceptron import texts
from app.views.history.perceptron.choice import NUMBERS, SOLUTION, Choice
from app.views.history.perceptron.data import INPUTS, TARGETS, Neuron, TwoLayers


def pick_layers(_choice: Choice) -> None:
    """Draw the weights and the thresholds of the three neurons."""
    inputs = (("x₁", "x₂"), ("x₁", "x₂"), ("h₁", "h₂"))
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        for unit, sign in enumerate(texts.UNITS):
            params = NUMBERS[3 * unit : 3 * unit + 3]
            names = *(f"{sign}: {x}" for x in inputs[unit]), f"{sign}: θ"
            tips = (texts.WEIGHT_HELP, texts.WEIGHT_HELP, texts.THRESHOLD_HELP)
            for name, param, tip in zip(names, params, tips, strict=True):
                look: dict[str, Any] = {"step": 1, "width": 104}
                st.number_input(name, -3, 3, key=param.widget(), help=_(tip), **look)
        label, icon, tip = _("Set it for me"), ":material/auto_fix_high:", _(texts.SOLVE_HELP)
        st.button(label, "layers-solve", tip, icon=icon, on_click=_solve)


def _solve() -> None:
    for param, number in zip(NUMBERS, SOLUTION, strict=True):
        param.set(number)


def draw_two_layers(choice: Choice) -> None:
    """Draw what each of the three neurons says in each row."""
    network = choice.network
    count = sum(right(network))
    st.table(_truth(network))
    if count == len(TARGETS):
        st.success(_(texts.TWO_RIGHT), icon=":material/check:")
    else:
        st.info(_(texts.TWO_WRONG).format(right=count), icon=":material/tune:")
    table_menu("layers", lambda: _truth(network), "two-layers")


def hidden_text(choice: Choice) -> str:
    """Say what the last neuron sees."""
    done = all(right(choice.network))
    return f"{_(texts.HIDDEN if done else texts.HIDDEN_WRONG)} {_(texts.AFTER)}"


def right(network: TwoLayers) -> list[bool]:
    """Return which rows of XOR two layers get right."""
    return [network.fires(row) == goal for row, goal in zip(INPUTS, TARGETS, strict=True)]


def _truth(network: TwoLayers) -> dict[str, list[str]]:
    hidden = [network.hidden_answers(row) for row in INPUTS]
    first, second = network.hidden
    return {
        "x₁": [str(row[0]) for row in INPUTS],
        "x₂": [str(row[1]) for row in INPUTS],
        "h₁": [_sum(first, row) for row in INPUTS],
        "h₂": [_sum(second, row) for row in INPUTS],
        _("output"): [_sum(network.out, row) for row in hidden],
        "XOR": [str(goal) for goal in TARGETS],
        _("right?"): ["✓" if right else "✗" for right in right(network)],
    }


def _sum(neuron: Neuron, row: tuple[int, ...]) -> str:
    """Write w·x against the threshold, and what the neuron says."""
    fires = neuron.fires(row)
    sign = "≥" if fires else "<"
    return f"{short(neuron.potential(row))} {sign} {short(neuron.threshold)}: {fires}"


def draw_hidden(choice: Choice) -> None:
    """Draw the plane of the hidden neurons, in which the last one draws its line."""
    network = choice.network
    w1, w2 = network.out.weights
    line = Line(_("output's line"), (w1, w2, -network.out.threshold), "output", filled=True)
    spots = [_spots(network, wanted) for wanted in (1, 0)]
    figure = plane(spots, [line], x_title="h₁", y_title="h₂", height=230)
    alt = _("The four rows in the plane of the hidden neurons, and the output's line")
    show_chart(figure, "hidden", alt)


def _spots(network: TwoLayers, wanted: int) -> Dots:
    """Return where the rows of one kind lie in the plane; several may lie on one spot."""
    spots: dict[tuple[int, ...], list[str]] = {}
    for row, goal in zip(INPUTS, TARGETS, strict=True):
        if goal == wanted:
            spots.setdefault(network.hidden_answers(row), []).append("{}{}".format(*row))
    return Dots(
        _("XOR = {wanted}").format(wanted=wanted),
        np.array(list(spots), float).reshape(-1, 2),
        "input" if wanted else "residual",
        "circle" if wanted else "circle-open",
        [" · ".join(names) for names in spots.values()],
        15,
    )
