"""The page People and sources: the paper, and those whose work and explanations this follows."""

from dataclasses import replace

import streamlit as st

from app.components.entries import Group, entries
from app.i18n import _
from app.page import moves
from app.registry import view_of
from app.views.people import texts


def draw() -> None:
    """Draw what the paper claimed, and the list of sources."""
    st.title(_(view_of("people").title))
    st.markdown(_(texts.INTRO))
    st.markdown(_(texts.PAPER).format(paper=texts.PAPER_LINK, authors=", ".join(texts.AUTHORS)))
    entries(_groups(), key="people", label=_(texts.SEARCH), on_open=moves.go)


def _groups() -> list[Group]:
    return [
        Group(_(group.title), [replace(entry, text=_(entry.text)) for entry in group.entries])
        for group in texts.SOURCES
    ]


draw()
