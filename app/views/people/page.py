"""The page People and sources: the paper, and those whose work and explanations this follows."""

from dataclasses import replace

import streamlit as st

from app.components.entries import Group, entries
from app.i18n import _
from app.page import moves
from app.registry import view_of
from app.views.people.sources import AUTHORS, SOURCES


def draw() -> None:
    """Draw what the paper claimed, and the list of sources."""
    st.title(_(view_of("people").title))
    text = _(
        "We invented nothing here but the way to show it. These are the people who discovered "
        "it, and those whose explanations we follow."
    )
    st.markdown(text)
    paper = _(
        "**{paper}** (2017), by {authors}, listed in random order, as all of them contributed "
        "equally. What it claimed:\n\n- **28.4** BLEU from English to German (WMT 2014), more "
        "than 2 above the best earlier results, and **41.8** from English to French (41.0 in "
        "the first version), more than any earlier single model.\n- The big model trained for "
        "**3.5 days** on eight P100 graphics processors, the base model for **12 hours**: a "
        "small fraction of what the best earlier models had cost.\n- No recurrence and no "
        "convolution: attention alone connects the words, so all places are computed at once."
    )
    link = "[Attention Is All You Need](https://arxiv.org/abs/1706.03762)"
    st.markdown(paper.format(paper=link, authors=", ".join(AUTHORS)))
    groups = [
        Group(_(group.title), [replace(entry, text=_(entry.text)) for entry in group.entries])
        for group in SOURCES
    ]
    entries(groups, key="people", label=_("Find a name or a title"), on_open=moves.go)


draw()
