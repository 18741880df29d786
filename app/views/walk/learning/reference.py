"""The right translation: the box for it, and what it is compared with."""

import streamlit as st

from app.format import escape
from app.i18n import _
from app.views.walk.learning import texts
from app.views.walk.learning.lesson import REFERENCE, Lesson


def draw_reference(lesson: Lesson) -> None:
    """Draw the box for the right translation, and say what it is compared with."""
    walk = lesson.walk
    st.text_input(
        _("The right translation"),
        key=REFERENCE.widget(),
        placeholder=walk.translation.output or _("Type here"),
        autocomplete="off",
        help=_("The model reads it as in training. Left empty, its own translation is taken."),
    )
    output = escape(walk.translation.output) or "∅"
    st.caption(_(texts.TYPED).format(output=output) if walk.reference else _(texts.OWN))
    if walk.truncated:
        st.info(_(texts.CUT))
