"""A chart on the page with its table, ready to be saved."""

from collections.abc import Callable, Mapping

import streamlit as st

from app import state
from app.charts.theme import Figure, Mode, captioned
from app.components.chart import ChartPoint, chart
from app.components.document import folded
from app.components.saver import saver
from app.components.shared.kept import keep
from app.i18n import _
from app.ui.about import caption as caption_of
from app.ui.about import file_name
from app.ui.table import Columns, figure_menu, table


def theme_mode() -> Mode:
    """Return whether the page is light or dark."""
    return "dark" if st.context.theme.type == "dark" else "light"


def show_chart(
    figure: Figure,
    key: str,
    alt: str,
    columns: Callable[[], Columns] | None = None,
    *,
    tables: Callable[[], Mapping[str, Columns]] | None = None,
    caption: str = "",
    file: str = "",
    on_select: Callable[[ChartPoint], None] | None = None,
) -> ChartPoint | None:
    """Draw a figure above the menu that shows and saves its numbers and its picture.

    The saved files are named after `file`, or else the key. The columns, or several tables by name,
    are computed when the menu is opened; the caption stands between the figure and the menu. With
    `on_select` a point can be clicked; the one clicked since the last run is returned.
    """
    name = file or key
    select = None if state.in_book() else on_select
    point = chart(figure, alt, key=f"chart-{key}", on_select=select)
    if caption:
        st.caption(caption)

    def twins() -> dict[str, Columns]:
        numbers = dict(tables()) if tables is not None else {}
        return numbers if columns is None else numbers | {_("Table"): columns()}

    def draw_menu() -> None:
        for title, one in twins().items():
            table(one, name if title == _("Table") else title)
        picture(figure, name, alt)

    keep(lambda: [folded(twins())])

    figure_menu(f"chart-{key}", draw_menu, table=bool(columns or tables))
    return point


def picture(figure: Figure, name: str, alt: str) -> None:
    """Draw a figure with its caption above it, and the button that saves it."""
    if state.in_book():
        return
    key = f"kept-{name}"
    with st.container(key=f"picture-{name}"):
        chart(captioned(figure, caption_of(alt)), alt, key=key)
        saver(file_name(name), key=f"saver-{name}", picture=key)
