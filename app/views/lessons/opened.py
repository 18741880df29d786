"""A lesson from a file: read, or refused in one sentence."""

import logging

import streamlit as st

from app.data.lessons import Lesson
from app.format import escape
from app.i18n import _
from app.views.lessons import own, texts

log = logging.getLogger(__name__)


def draw_opened() -> None:
    """Draw the field for a file, and the lesson that is in it."""
    file = st.file_uploader(
        _(texts.OPEN), "json", key="lesson-file", help=_(texts.OPEN_HELP), max_upload_size=1
    )
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
