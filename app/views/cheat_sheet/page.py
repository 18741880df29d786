"""The page Cheat sheet: the map, the shapes and six formulas, to be printed."""

import numpy as np
import streamlit as st

from app.components.diagram import model_diagram
from app.data.walk import Cell, Walk, walk
from app.format import tex
from app.i18n import _
from app.inspector.naming import cell_name
from app.page import errors
from app.page.badge import draw_check
from app.registry import view_of
from app.ui.chosen import decoding
from app.ui.error_box import error_box
from app.ui.live_part import FAILED
from app.ui.sentence_box import sentence_line
from app.views.cheat_sheet import texts
from app.views.cheat_sheet.shapes import draw_shapes


def draw() -> None:
    """Draw the sheet of the chosen model and the visitor's sentence."""
    st.title(_(view_of("cheat_sheet").title))
    st.caption(_(texts.INTRO))
    model = errors.model()
    if model is None or errors.is_recurrent(model):
        return
    text = sentence_line(model)
    nothing = _("There is nothing to show yet: type a sentence or choose an example.")
    with error_box(nothing, _(FAILED)), st.container(key="sheet"):
        _draw_sheet(walk(model, text, decoding()))


def _draw_sheet(shown: Walk) -> None:
    left, right = st.columns(2, gap="large")
    with left:
        st.subheader(_(texts.MAP), anchor=False)
        model_diagram(shown, "outline", key="map")
        st.subheader(_(texts.SHAPES), anchor=False)
        draw_shapes(shown)
    with right:
        st.subheader(_(texts.FORMULAS), anchor=False)
        for name, title in texts.STEPS.items():
            _draw_formula(shown, name, title)
        draw_check(shown, ("src", "encoder.0", "decoder"))


def _draw_formula(shown: Walk, name: str, title: str) -> None:
    calculation = shown.explain(_cell(shown, name))
    place = cell_name(shown, calculation.cell)
    st.markdown(f"**{_(title)}** · :gray[{place}]")
    st.latex(tex(f"{calculation.formula} \\\\[4pt] {calculation.numbers}"))


def _cell(shown: Walk, name: str) -> Cell:
    """Return the number of an array to show: the largest weight of a token, or its first number."""
    array = shown.array(name)
    if name.endswith(("weights", "scaled", "probabilities")):
        first = (0,) * (array.ndim - 1)
        return Cell(name, (*first, int(np.argmax(array[first]))))
    return Cell(name, (0,) * array.ndim)


draw()
