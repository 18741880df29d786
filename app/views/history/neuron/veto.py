"""What an inhibitory input was in 1943, and where that makes a difference."""

import streamlit as st

from app.i18n import _
from app.ui.table import written_table
from app.views.history.neuron import texts
from app.views.history.neuron.gate import Gate, listed
from app.views.history.neuron.picks import SUBSCRIPTS


def draw_veto(gate: Gate) -> None:
    """Draw what both rules say to each row, and say in how many they differ."""
    veto = [gate.neuron.fires_unless_vetoed(row) for row in gate.inputs]
    weighted = gate.neuron.answers()
    columns = {
        f"x{SUBSCRIPTS[i]}": [str(x) for x in column]
        for i, column in enumerate(zip(*gate.inputs, strict=True))
    }
    columns |= {
        _(texts.BY_WEIGHT): [str(said) for said in weighted],
        _(texts.BY_VETO): [str(said) for said in veto],
        _(texts.SAME): ["=" if a == b else "≠" for a, b in zip(veto, weighted, strict=True)],
    }
    written_table(columns)
    differ = sum(a != b for a, b in zip(veto, weighted, strict=True))
    text = _(texts.VETO_DIFFERS if differ else texts.VETO_SAME)
    st.markdown(
        text.format(n=len(veto), differ=differ, veto=listed(veto), weighted=listed(weighted))
    )
