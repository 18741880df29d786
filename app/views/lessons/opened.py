"""A lesson from a file: read, or refused with one sentence."""

import logging

import streamlit as st

from app.format import escape
from app.i18n import _
from app.lesson import Lesson
from app.ui.pickers import uploader
from app.views.lessons import own, texts

log = logging.getLogger(__name__)


def draw_opened() -> None:
    """Draw the field for a file, and the lesson in it."""
    file = uploader(_(texts.OPEN), ["json"], key="lesson-file", most=1, help=_(texts.OPEN_HELP))
    if file is None:
        return
    try:
        lesson = Lesson.from_file(file.getvalue())
    except ValueError as error:
        log.warning("%s is no lesson: %s", file.name, error)
        st.error(_(texts.NOT_A_LESSON).format(name=escape(file.name)))
        return
    with st.container(border=True, key="lesson-opened"):
        count = _(texts.SCREENS).format(n=len(lesson.stops))
        st.markdown(f"**{escape(lesson.title) or _(texts.OPENED)}** · :gray[{count}]")
        own.draw_buttons(lesson.to_link(), lesson)
