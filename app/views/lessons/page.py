"""The page “Lessons”: ready ones, and one that a teacher puts together, as a file or a link."""

import streamlit as st

from app.format import escape
from app.i18n import _
from app.page import lesson as given
from app.registry import view_of
from app.texts.lessons import LESSONS
from app.views.lessons import own, texts
from app.views.lessons.opened import draw_opened


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


draw()
