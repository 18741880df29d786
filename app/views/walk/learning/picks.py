"""What can be chosen on the page: a position, the smoothing, and the head whose scores count."""

from typing import Final

import streamlit as st

from app import state
from app.i18n import _
from app.inspector.attention import pick_kind
from app.inspector.picks import pick_head, pick_layer, pick_word
from app.state import Param
from app.views.walk.learning import texts
from app.views.walk.learning.lesson import MOST_SMOOTHING, SMOOTHING, Lesson

ALONE: Final = Param[bool]("alone", False, lambda raw: raw == "1")


def pick_position(lesson: Lesson) -> None:
    """Draw the right translation, to choose a position in it."""
    pick_word(lesson.tokens, _(texts.POSITION), lesson.at)


def pick_smoothing(lesson: Lesson) -> None:
    """Draw the right translation, and beside it ε."""
    left, right = st.columns([0.7, 0.3], gap="medium")
    with left:
        pick_position(lesson)
    with right:
        _draw_epsilon(lesson)


def pick_scores(lesson: Lesson) -> None:
    """Draw the head, and whose loss counts."""
    capture = lesson.walk.capture
    if ALONE.get():
        pick_position(lesson)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        pick_kind(lesson.walk.translation)
        pick_layer(capture.n_layers(state.KIND.get()))
        pick_head(capture.n_heads)
        label = _(texts.ALONE).format(word=lesson.word)
        st.toggle(label, key=ALONE.widget(), help=_(texts.ALONE_HELP))


def pick_all(lesson: Lesson) -> None:
    """Draw all that can be chosen."""
    if not ALONE.get():  # else it comes with the head
        pick_position(lesson)
    pick_scores(lesson)
    _draw_epsilon(lesson)


def position_of(lesson: Lesson) -> int | None:
    """Return the position whose loss alone counts; None for all."""
    return lesson.at if ALONE.get() else None


def _draw_epsilon(lesson: Lesson) -> None:
    about = _("How much of the target is taken from the right token and given to all.")
    key = SMOOTHING.widget(lesson.smoothing)
    st.slider(_("Smoothing ε"), 0.0, MOST_SMOOTHING, step=0.01, key=key, help=about)
