"""The tour: the sentence, and below it the stage, which fills the window."""

from pathlib import Path

import streamlit as st

from app.data.translation import translate
from app.i18n import _
from app.page import errors, moves
from app.registry import view_of
from app.stage import draw_stage
from app.ui.chosen import decoding
from app.ui.error_box import error_box
from app.ui.sentence_box import sentence_line


def draw() -> None:
    """Draw the page."""
    with st.container(key="tour-line"):
        st.title(_(view_of("tour").title))
        model = errors.model()
        text = "" if model is None else sentence_line(model)
    if model is None or errors.is_recurrent(model):
        return
    with error_box():
        translation = translate(model, text, decoding())
        st.html(Path(__file__).with_name("tour.css"))  # without a picture, the menu stays
        draw_stage(translation, key="stage", on_open=moves.go, full=True, stop=moves.STOP.get())


if __name__ == "__main__":
    draw()
