"""A Plotly chart on the page: in the page's colours, with its table, and ready to be saved."""

from collections.abc import Callable, Mapping
from typing import Any, Final

import streamlit as st
from plotly.basedatatypes import BaseFigure

from app import state
from app.charts.theme import Figure, Mode, captioned, coloured
from app.components.document import chart, drawable, folded
from app.components.saver import saver
from app.components.shared.kept import keep
from app.i18n import _
from app.ui.about import caption as caption_of
from app.ui.about import file_name
from app.ui.table import Columns, figure_menu, table

# A chart has none of Plotly's buttons: nothing needs zooming, and our own menu saves the picture.
CONFIG: Final = {"displayModeBar": False, "responsive": True}


def theme_mode() -> Mode:
    """Return whether the page is light or dark."""
    return "dark" if st.context.theme.type == "dark" else "light"


class Unchecked(BaseFigure):
    """A figure that Plotly takes without validation.

    Validating and copying its parts took a fifth of the time of a move. Instead, the tests
    validate every figure that they draw.
    """

    def __init__(self, figure: Figure) -> None:
        self._figure = figure

    def to_dict(self) -> Figure:
        """Return the figure itself."""
        return self._figure


def draw_figure(figure: Figure, key: str, **options: Any) -> Any:
    """Draw a figure in the page's colours, with the options of `st.plotly_chart`."""
    if state.in_book():  # there, both modes are drawn from one figure, with its words
        drawn = Unchecked(drawable(figure))
    else:
        drawn = Unchecked(coloured(figure, theme_mode()))
    return st.plotly_chart(drawn, theme=None, key=key, config=CONFIG, **options)


def show_chart(
    figure: Figure,
    key: str,
    alt: str,
    columns: Callable[[], Columns] | None = None,
    *,
    tables: Callable[[], Mapping[str, Columns]] | None = None,
    caption: str = "",
    file: str = "",
    version: object = "",
    **options: Any,
) -> Any:
    """Draw a figure above the menu that shows and saves its numbers and its picture.

    The saved files are named after `file`, or else the key. The columns, or several tables by name,
    are computed when the menu is opened; the caption stands between the figure and the menu. A new
    `version` of a chart clears what was selected in it. The `options` and the returned value are
    those of `st.plotly_chart`.
    """
    name, drawn = file or key, f"chart-{key}{version}"
    event = draw_figure(figure, drawn, alt=alt, **options)
    if caption:
        st.caption(caption)

    def twins() -> dict[str, Columns]:
        numbers = dict(tables()) if tables is not None else {}
        return numbers if columns is None else numbers | {_("Table"): columns()}

    def draw_menu() -> None:
        for title, one in twins().items():
            table(one, name if title == _("Table") else title)
        picture(figure, name, alt)

    keep(lambda: [chart(figure, alt), folded(twins())])

    figure_menu(f"chart-{key}", draw_menu, table=bool(columns or tables))
    return event


def picture(figure: Figure, name: str, alt: str) -> None:
    """Draw a figure with its caption above it, and the button that saves it."""
    if state.in_book():
        return
    key = f"kept-{name}"
    with st.container(key=f"picture-{name}"):
        draw_figure(captioned(figure, caption_of(alt)), key, alt=alt)
        saver(file_name(name), key=f"saver-{name}", picture=key)
