"""What is set on the page: the gate, the weights and the threshold, and the row of inputs."""

from typing import Any, Final

import streamlit as st

from app.i18n import _
from app.ui.pickers import pick
from app.views.history.neuron import texts
from app.views.history.neuron.data import GATES, search
from app.views.history.neuron.gate import GATE, ROW, THRESHOLD, WEIGHTS, Gate

SUBSCRIPTS: Final = "₁₂"


def pick_all(gate: Gate) -> None:
    """Draw all that can be set, where all screens are drawn."""
    pick_setting(gate)
    pick_row(gate)


def pick_gate(_gate: Gate) -> None:
    """Draw the choice of a gate."""
    pick(GATE, _("Gate"), list(GATES), format_func=str.upper, help=_(texts.GATE_HELP))


def pick_setting(gate: Gate) -> None:
    """Draw the gate, the steppers, and the button that sets them."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        pick_gate(gate)
        _draw_steppers(gate)
        label, icon, tip = _("Set it for me"), ":material/auto_fix_high:", _(texts.SOLVE_HELP)
        st.button(label, "neuron-solve", tip, icon=icon, on_click=_set_best, args=(gate.name,))


def pick_neuron(gate: Gate) -> None:
    """Draw the row of inputs and the steppers."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        pick_row(gate)
        _draw_steppers(gate)


def pick_row(gate: Gate) -> None:
    """Draw the choice of a row of inputs."""
    names = {i: " ".join(map(str, row)) for i, row in enumerate(gate.inputs)}
    pick(ROW, _("Inputs"), names, value=gate.row, help=_(texts.ROW_HELP))


def pick_veto(gate: Gate) -> None:
    """Draw the steppers, and a button that sets a neuron that the two rules differ about."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        _draw_steppers(gate)
        label, icon, tip = _(texts.DIFFER), ":material/difference:", _(texts.DIFFER_HELP)
        st.button(label, "neuron-differ", tip, icon=icon, on_click=_set_outvoted)


def _draw_steppers(gate: Gate) -> None:
    look: dict[str, Any] = {"step": 1, "width": 130}
    for param, sign in zip(WEIGHTS, SUBSCRIPTS[: len(gate.neuron.weights)], strict=False):
        label, tip = _("Weight w{sign}").format(sign=sign), _(texts.WEIGHT_HELP)
        st.number_input(label, -1, 1, key=param.widget(), help=tip, **look)
    key, tip = THRESHOLD.widget(), _(texts.THRESHOLD_HELP)
    st.number_input(_("Threshold θ"), -2, 3, key=key, help=tip, **look)


def _set_best(name: str) -> None:
    best = search(name).first
    _set(best.weights, best.threshold)


def _set_outvoted() -> None:
    """Set a neuron of two inputs: the second inhibits, and the first outvotes it."""
    if GATE.get() == "not":
        GATE.set("and")
    _set((1, -1), 0)


def _set(weights: tuple[int, ...], threshold: int) -> None:
    THRESHOLD.set(threshold)
    for param, weight in zip(WEIGHTS, weights, strict=False):
        param.set(weight)
