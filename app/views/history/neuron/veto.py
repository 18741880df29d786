"""What an inhibitory input was in 1943, and where that makes a difference."""

import streamlit as st

from app.i18n import _
from app.views.history.neuron import texts
from app.views.history.neuron.gate import Gate, listed


def draw_veto(gate: Gate) -> None:
    """Say in how many rows the veto and the weight −1 differ."""
    veto = [gate.neuron.fires_unless_vetoed(row) for row in gate.inputs]
    weighted = gate.neuron.answers()
    differ = sum(a != b for a, b in zip(veto, weighted, strict=True))
    text = _(texts.VETO_DIFFERS if differ else texts.VETO_SAME)
    st.markdown(
        text.format(n=len(veto), differ=differ, veto=listed(veto), weighted=listed(weighted))
    )
