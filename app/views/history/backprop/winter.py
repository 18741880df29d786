"""The years without funding, and those who trained several layers all the same."""

import streamlit as st

from app.i18n import _
from app.views.history.backprop import texts
from app.views.history.backprop.choice import Choice


def draw_winter(_choice: Choice) -> None:
    """Draw who trained what, year by year."""
    years, people, works = zip(*texts.MEANWHILE, strict=True)
    st.table({_("year"): years, _("who"): people, _("what"): [_(work) for work in works]})
