"""A chart of Plotly on the page: in the page's colours, to be saved, with its table."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import streamlit as st
from plotly.basedatatypes import BaseFigure

from app import state
from app.charts.points import points
from app.charts.theme import Figure, Mode, as_mode, captioned, coloured
from app.components.document import folded
from app.components.shared.kept import Chart, Part, keep
from app.i18n import _
from app.ui.about import caption as caption_of
from app.ui.kept import save_buttons
from app.ui.table import Columns, figure_menu, table

# A chart has no buttons of Plotly's: nothing is to be zoomed, and its menu keeps the picture.
CONFIG: Final = {"displayModeBar": False, "responsive": True}


def theme_mode() -> Mode:
    """Return whether the page is light or dark."""
    return as_mode(st.context.theme.type)


class Unchecked(BaseFigure):
    """A figure that Plotly takes as it is: to check and copy its parts took a fifth of a move.

    The tests check every figure that they draw.
    """

    def __init__(self, figure: Figure) -> None:
        self._figure = figure

    def to_dict(self) -> Figure:
        """Return the figure itself."""
        return self._figure


def draw_figure(figure: Figure, key: str, **options: Any) -> Any:
    """Draw a figure in the page's colours, with the options of `st.plotly_chart`."""
    if state.in_book():  # there, both modes are drawn from one figure, with its words
        drawn = Unchecked(figure | {"points": points(figure)})
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
    """Draw a figure, above the menu of its numbers and of its picture, kept as `file` or its key.

    The columns, or several tables by their names, are computed when the menu is opened; a caption
    stands between the two. Another `version` of a chart forgets what was selected in it.
    `options` are those of `st.plotly_chart`, and so is what comes back.
    """
    name, drawn = file or key, f"chart-{key}{version}"
    event = draw_figure(figure, drawn, alt=alt, **options)
    if caption:
        st.caption(caption)

    def twins() -> dict[str, Columns]:
        numbers = dict(tables()) if tables is not None else {}
        return numbers if columns is None else numbers | {_("Table"): columns()}

    def draw_menu() -> None:
        numbers = twins()
        for title, one in numbers.items():
            table(one, name if title == _("Table") else title)
        picture(figure, name, alt, tables=numbers)

    keep(lambda: [Chart(drawn, alt, figure), folded(twins())])

    figure_menu(f"chart-{key}", draw_menu, table=bool(columns or tables))
    return event


def picture(
    figure: Figure,
    name: str,
    alt: str,
    drawn: Sequence[Part] = (),
    tables: Mapping[str, Columns] | None = None,
) -> None:
    """Draw a figure with what it is above it, and the buttons that keep it.

    As a web page it comes with its tables; `drawn` are components that stand there in its place.
    """
    if state.in_book():
        return
    key = f"kept-{name}"
    with st.container(key=f"picture-{name}"):
        draw_figure(captioned(figure, caption_of(alt)), key, alt=alt)
        parts = [*(drawn or [Chart(key, alt, figure)]), folded(tables or {})]
        save_buttons(name, alt, parts, key)
