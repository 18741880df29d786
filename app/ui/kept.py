"""A figure to keep as a web page: what it shows, what it is about, and how to make it again."""

import datetime
from collections.abc import Mapping, Sequence
from urllib.parse import urlencode

import streamlit as st

from app import i18n, state
from app.components.document import Figure, Head, chart, figures
from app.i18n import _
from app.ui.about import caption, subject
from app.ui.chosen import model_name, way_name
from app.ui.table import Columns, save_button


def kept_page(
    alt: str, drawn: Sequence[Figure] = (), tables: Mapping[str, Columns] | None = None
) -> str:
    """Return the page of the figures drawn, or one with room for the chart's picture."""
    this = subject()
    title, line = [*caption(alt), ""][:2]
    facts = {}
    if this.run is not None and this.sentence:
        facts = {_("Model"): model_name(this.run[0]), _("Decoding"): way_name(this.run[1])}
    facts[_("Date")] = datetime.date.today().isoformat()
    return figures(drawn or [chart(alt)], Head(title, line, facts, _again()), tables)


def page_button(name: str, alt: str, drawn: Sequence[Figure]) -> None:
    """Draw the button that saves a component of which there is no other picture."""
    save_button(_("Save as a web page"), kept_page(alt, drawn), name, "html", "text/html", "web")


def _again() -> str:
    """Return how the page is opened once more, with everything that is chosen on it."""
    this = subject()
    query = dict(state.chosen())
    if this.run is not None:
        query = {"model": this.run[0], "text": this.sentence} | query
    query["lang"] = i18n.current()
    return f"python -m app\n{st.context.url or ''}?{urlencode(query)}"
