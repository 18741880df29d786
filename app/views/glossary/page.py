"""The page Glossary: all terms by the alphabet, each with the way to where it is seen."""

from itertools import groupby

import streamlit as st

from app.components.entries import Group, ListEntry, entries
from app.i18n import _
from app.page import moves
from app.registry import view_of
from app.texts import glossary


def draw() -> None:
    """Draw the title and the list."""
    st.title(_(view_of("glossary").title))
    text = _(
        "Every technical term of this app in one sentence, and the page that shows it at work. On "
        "all other pages, a click on a term with a dotted line below it opens the same sentence."
    )
    st.markdown(text)
    ordered = sorted(glossary.ENTRIES, key=lambda entry: glossary.alphabetical(entry.term))
    by_letter = groupby(ordered, lambda entry: glossary.alphabetical(entry.term)[0].upper())
    groups = [Group(letter, [_row(entry) for entry in some]) for letter, some in by_letter]
    entries(groups, key="glossary", label=_("Find a term"), on_open=moves.go)


def _row(entry: glossary.GlossaryEntry) -> ListEntry:
    names = [entry.english, _(entry.other)]
    note = " · ".join(filter(None, names))
    return ListEntry(entry.term, _(entry.meaning), [entry.seen], note)


draw()
