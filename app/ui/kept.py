"""Figures saved as a web page: what they show, what they are about, and how to reproduce them."""

import datetime
from collections.abc import Callable, Sequence
from urllib.parse import urlencode

import streamlit as st

from app import i18n, state
from app.components.board import still
from app.components.document import DocumentHead, figures, folded, heading
from app.components.saver import saver
from app.components.shared.kept import Drawn, KeptFigure, Part, Text, keep
from app.i18n import _
from app.ui.about import caption, file_name, subject
from app.ui.chosen import model_name, way_name
from app.ui.table import Columns, figure_menu, save_button, table


def table_menu(
    key: str,
    columns: Callable[[], Columns],
    name: str,
    drawn: Callable[[], Sequence[Part]] | None = None,
    *,
    alt: str = "",
) -> None:
    """Draw the menu that shows and saves a table and the components `drawn` from its numbers."""

    def numbers() -> Sequence[Part]:
        return [folded({_("Table"): columns()})]

    def draw_menu() -> None:
        table(columns(), name)
        page_button(name, alt, [*(drawn() if drawn else ()), *numbers()])

    keep(numbers)
    figure_menu(key, draw_menu, picture=drawn is not None)


def show_html(body: str) -> None:
    """Draw HTML in which every text is escaped, and save it with its screen."""
    st.html(body)
    keep(lambda: [Text(body)])


def page_button(name: str, alt: str, parts: Sequence[Part]) -> None:
    """Draw the button that saves parts that contain no chart."""
    if state.in_book():
        return
    save_button(_("Save as a web page"), _page(alt, parts), name, "html", "text/html", "web")


def save_buttons(name: str, alt: str, parts: Sequence[Part], picture: str = "") -> None:
    """Draw the buttons that save figures as a web page and the chart with the key `picture`."""
    saver(file_name(name), _page(alt, parts), key=f"saver-{name}", picture=picture)


def screen_menu(screens: Sequence[tuple[str, Drawn]]) -> None:
    """Offer all figures of the open screens, each with its title, as one web page.

    A closed menu costs nothing.
    """
    if state.in_book() or not any(drawn for _title, drawn in screens):
        return
    menu = st.popover(
        _("Save"),
        type="tertiary",
        icon=":material/save:",
        help=_("All figures of this screen as one web page"),
        key="save-screen",
        on_change="rerun",
    )
    if not menu.open:
        return
    titles = [title for title, drawn in screens if title and drawn]
    only = titles[0] if len(titles) == 1 else ""
    parts: list[Part] = []
    for title, drawn in screens:
        parts += [heading(title)] if title in titles and not only else []
        parts += [part for make in drawn for part in make()]
    with menu:
        save_buttons(only, only, parts)
        st.caption(_("All figures with their numbers, to point at and to walk through, offline."))


def _page(alt: str, parts: Sequence[Part]) -> str:
    this = subject()
    title, line = [*caption(alt), "", ""][:2]
    facts = {}
    if this.run is not None and this.sentence:
        facts = {_("Model"): model_name(this.run[0]), _("Decoding"): way_name(this.run[1])}
    facts[_("Date")] = datetime.date.today().isoformat()
    query = dict(state.chosen())
    if this.run is not None:
        query = {"model": this.run[0], "text": this.sentence} | query
    query["lang"] = i18n.current()
    again = f"python -m app\n{st.context.url or ''}?{urlencode(query)}"
    # On a saved page, nothing responds to a click.
    kept = [
        still(part) if isinstance(part, KeptFigure) and part.kind == "board" else part
        for part in parts
    ]
    return figures(kept, DocumentHead(title, line, facts, again))
