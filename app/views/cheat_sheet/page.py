"""The page Cheat sheet: the map, the shapes and six formulas, to be printed."""

import streamlit as st

from app.data.walk import walk
from app.i18n import _
from app.page import errors
from app.registry import view_of
from app.ui.chosen import decoding
from app.ui.error_box import error_box
from app.ui.live_part import FAILED
from app.ui.sentence_box import sentence_line
from app.views.cheat_sheet.sheet import draw_sheet


def draw() -> None:
    """Draw the sheet of the chosen model and the visitor's sentence."""
    st.title(_(view_of("cheat_sheet").title))
    says = _(
        "The whole Transformer on one sheet, with the numbers of your sentence. Print it with "
        "Ctrl P."
    )
    st.caption(says)
    model = errors.model()
    if model is None or errors.is_recurrent(model):
        return
    text = sentence_line(model)
    nothing = _("There is nothing to show yet: type a sentence or choose an example.")
    with error_box(nothing, _(FAILED)), st.container(key="sheet"):
        draw_sheet(walk(model, text, decoding()))


draw()
