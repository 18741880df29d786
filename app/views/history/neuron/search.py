"""Every setting of the steppers, tried on a gate."""

import streamlit as st

from app.i18n import _
from app.views.history.neuron import texts
from app.views.history.neuron.data import THRESHOLDS, search
from app.views.history.neuron.gate import Gate


def search_text(gate: Gate) -> str:
    """Say how many settings there are."""
    sizes = {"weights": 3, "thresholds": len(THRESHOLDS), "tried": search(gate.name).tried}
    return _(texts.SEARCH).format(gate=gate.title, **sizes)


def draw_search(gate: Gate) -> None:
    """Show how many of all settings get how many rows right."""
    result, n = search(gate.name), len(gate.goal)
    counts = {f"{right} / {n}": [str(result.counts[right])] for right in range(n + 1)}
    st.table({_("rows right"): [_("settings")]} | counts)
    text = _(texts.FOUND if result.solutions else texts.NONE_FOUND)
    st.markdown(text.format(found=len(result.solutions), tried=result.tried, n=n, best=result.best))
