"""The script that Streamlit runs at each move of a visitor: shared parts, then the open page."""

from datetime import timedelta
from pathlib import Path

import streamlit as st

from app import state
from app.components.offline import offline
from app.components.terms import terms
from app.data.queue import QueueFullError
from app.data.visitors import note_visit
from app.i18n import _
from app.page import lesson, live_training, moves, search, sidebar
from app.page.contents import now
from app.registry import MERGED, VIEWS, Address, view_of
from app.ui import chosen, live_part
from app.ui.error_box import tell
from app.ui.serving import asks_to_log_in, asks_too_often
from app.views.training import form

SIDEBARS = {
    "model": sidebar.choices,
    "decoding": sidebar.ways,
    "training": form.draw_form,
    "nothing": lambda: None,
}


NAME = "Illuminated Transformer"
SIDEBAR = 280  # pixels


def main() -> None:
    """Draw what all pages share, then the page that is open."""
    state.sync()
    # This call comes before the navigation, which would otherwise load the page's icon from another
    # host.
    width = None if "page" in st.session_state else SIDEBAR  # only for the first page of a visit
    st.set_page_config(NAME, "💡", layout="wide", initial_sidebar_state=width)
    note_visit()
    if asks_to_log_in() or asks_too_often():
        return
    st.html(Path(__file__).with_name("style.css"))
    chosen.follow_language()
    chosen.follow_text()
    try:
        with live_part.turn():
            draw()
    except QueueFullError as full:  # Streamlit would log it as an error each time
        tell(full, "")
    state.settle()


def draw() -> None:
    """Draw the open page and everything around it."""
    # A page with a timer reruns as soon as it reconnects to its server. Without a timer, the first
    # message that a new session gets would be a click. Streamlit drops a click inside a fragment
    # that it does not know, and a click on a link, which has no query, would lose the choices.
    with st.container(key="timer"):
        st.fragment(lambda: None, run_every=timedelta(days=1))()
        offline(key="offline")
    sections: dict[str, list[st.Page]] = {}
    for row in VIEWS:
        page = st.Page(
            row.path, title=_(row.title), icon=row.icon, url_path=row.slug, default=row is VIEWS[0]
        )
        sections.setdefault(row.section and _(row.section), []).append(page)
    merged = [_merged(slug) for slug in MERGED]
    page = st.navigation(
        sections | {"": [*sections[""], *merged]}, position="top", expanded=True
    )  # complete, also on a phone
    if page.url_path in MERGED:
        page.run()
    view = view_of(page.url_path or VIEWS[0].slug)
    # On a phone the sidebar starts closed, unless it holds the form that the visitor came for.
    opens = view.side == "training" and form.opens()
    st.set_page_config(
        page_title=f"{page.title} · {NAME}", initial_sidebar_state="expanded" if opens else "auto"
    )
    state.lead_on(view.slug)
    moves.follow(view.slug)
    live_training.leave(page.url_path)
    moves.leave(page.url_path)
    if not state.in_book():
        sidebar.draw(SIDEBARS[view.side], trains=view.side == "model")
    search.draw()
    lesson.draw_row()
    page.run()
    terms(view.slug, key="terms", on_open=moves.go)


def _merged(slug: str) -> st.Page:
    """Return a page that stands in no menu: its old address leads to where its screens are now."""

    def lead_on() -> None:
        there = now(Address(slug, moves.OPEN.get()))
        moves.arrive_at(moves.OPEN.get() or there.screen)
        st.switch_page(view_of(there.page).path)

    return st.Page(lead_on, title=slug, url_path=slug, visibility="hidden")


main()
