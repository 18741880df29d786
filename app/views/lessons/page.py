"""The page “Lessons”: ready ones, and one that a teacher puts together, as a file or a link."""

import logging
from typing import Final

import streamlit as st

from app.format import escape
from app.i18n import N_, _
from app.lesson import Lesson
from app.page import lesson as given
from app.registry import view_of
from app.ui.pickers import uploader
from app.views.lessons import own

log = logging.getLogger(__name__)
SCREENS: Final = N_("{n} screens")


def draw() -> None:
    """Draw the ready lessons, and beside them the visitor's own."""
    st.title(_(view_of("lessons").title))
    text = _(
        "A lesson is a sequence of screens from any pages, each with its own sentence and "
        "settings. It opens in large type with nothing around it: → and ← move through it, "
        "N opens your notes in a second window, Esc brings everything back."
    )
    st.markdown(text)
    left, right = st.columns([0.56, 0.44], gap="large")
    with left:
        st.subheader(_("Ready to give"), anchor=False)
        says = _(
            "Five lessons that follow five lectures, and two on what heads do; all with "
            "speaker’s notes."
        )
        st.caption(says)
        for name in given.LESSONS:
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
        count = _(SCREENS).format(n=len(lesson.stops))
        st.markdown(f"**{escape(lesson.title)}** · :gray[{count}]")
        own.draw_buttons(name, lesson)


def draw_opened() -> None:
    """Draw the field for a file, and the lesson in it."""
    label = _("Open a lesson from a file")
    help_ = _("A file that was saved here. Your own lesson stays as it is.")
    file = uploader(label, ["json"], key="lesson-file", most=1, help=help_)
    if file is None:
        return
    try:
        lesson = Lesson.from_file(file.getvalue())
    except ValueError as error:
        log.warning("%s is no lesson: %s", file.name, error)
        text = _(
            "“{name}” is not a lesson: choose a file that was saved on this page with "
            "“Save as a file”."
        )
        st.error(text.format(name=escape(file.name)))
        return
    with st.container(border=True, key="lesson-opened"):
        count = _(SCREENS).format(n=len(lesson.stops))
        text = _("Opened from a file")
        st.markdown(f"**{escape(lesson.title) or text}** · :gray[{count}]")
        own.draw_buttons(lesson.to_link(), lesson)


draw()
