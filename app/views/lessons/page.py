"""The page “Lessons”: ready ones, and one that a teacher puts together, as a file or a link."""

import logging

import streamlit as st

from app.format import escape
from app.i18n import _
from app.lesson import Lesson
from app.page import lesson as given
from app.registry import view_of
from app.texts.lessons import LESSONS
from app.ui.uploader import uploader
from app.views.lessons import own, texts

log = logging.getLogger(__name__)


def draw() -> None:
    """Draw the ready lessons, and beside them the visitor's own."""
    st.title(_(view_of("lessons").title))
    st.markdown(_(texts.INTRO))
    left, right = st.columns([0.56, 0.44], gap="large")
    with left:
        st.subheader(_(texts.READY), anchor=False)
        st.caption(_(texts.READY_TEXT))
        for name in LESSONS:
            _draw_ready(name)
        draw_opened()
    with right:
        own.draw_own()


def _draw_ready(name: str) -> None:
    lesson = given.named(name)
    assert lesson is not None
    with st.container(
        border=True,
        key=f"lesson-{name}",
        horizontal=True,
        horizontal_alignment="distribute",
        vertical_alignment="center",
    ):
        count = _(texts.SCREENS).format(n=len(lesson.stops))
        st.markdown(f"**{escape(lesson.title)}** · :gray[{count}]")
        own.draw_buttons(name, lesson)


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


draw()
