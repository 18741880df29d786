"""The whole alignment, as a heatmap and as lines."""

import numpy as np
import streamlit as st

from app import state
from app.components.grid import Weights
from app.components.lines import lines
from app.components.matrix import matrix
from app.i18n import _
from app.inspector.naming import labels_of
from app.state import Pin
from app.views.history.rnnsearch import texts
from app.views.history.rnnsearch.steps import SCOPE, Alignment


def draw_map(row: Alignment) -> None:
    """Draw the weights of all steps as a heatmap."""
    matrix(_weights(row), key="alignment")


def draw_lines(row: Alignment) -> None:
    """Draw the weights of all steps as lines, those of the chosen token in front."""
    locked = Pin(row.query, None)
    lines(_weights(row), key="alignment-lines", locked=locked, on_lock=_choose)
    query = {"model": row.walk.translation.model}
    icon = ":material/tune:"
    st.page_link("views/translate/page.py", label=_(texts.MORE), icon=icon, query_params=query)


def _weights(row: Alignment) -> Weights:
    weights = np.asarray(row.walk.array(f"{SCOPE}.weights")[0])  # (T, S)
    rows, read = labels_of(row.walk, f"{SCOPE}.weights", 1), row.walk.capture.src
    return Weights(weights, rows, [token.text for token in read])


def _choose(pin: Pin) -> None:
    if pin.query is not None:
        state.WORD.set(pin.query)
