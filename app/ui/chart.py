"""A chart of Plotly on the page: in the page's colours, to be saved, with its table."""

from collections.abc import Callable
from typing import Any

import streamlit as st
from plotly.basedatatypes import BaseFigure

from app import i18n
from app.charts.theme import Figure, Mode, as_mode, coloured
from app.i18n import _
from app.ui.table import Columns, table, table_fold


def theme_mode() -> Mode:
    """Return whether the page is light or dark."""
    return as_mode(st.context.theme.type)


def plot_config(filename: str, image_format: str = "png") -> dict[str, Any]:
    """Return the options of `st.plotly_chart`: the download button on, for `png` or `svg`."""
    return {
        "displaylogo": False,
        "displayModeBar": True,
        "responsive": True,
        "modeBarButtonsToRemove": ["select2d", "lasso2d", "zoom2d", "pan2d", "autoScale2d"],
        "toImageButtonOptions": {"format": image_format, "filename": filename, "scale": 2},
        "locale": i18n.current(),
        "locales": {i18n.current(): {"dictionary": _buttons()}},
    }


def _buttons() -> dict[str, str]:
    """Return Plotly's own English for its buttons, with ours in the language of the page."""
    return {
        "Download plot as a PNG": _("Save as PNG"),
        "Download plot": _("Save as SVG"),
        "Zoom in": _("Zoom in"),
        "Zoom out": _("Zoom out"),
        "Reset axes": _("Show all of it"),
        "Double-click to zoom back out": _("A double click shows all of it again"),
    }


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
    drawn = Unchecked(coloured(figure, theme_mode()))
    return st.plotly_chart(drawn, theme=None, key=key, **options)


def show_chart(
    figure: Figure,
    key: str,
    alt: str,
    columns: Callable[[], Columns] | None = None,
    *,
    caption: str = "",
    file: str = "",
    version: object = "",
    **options: Any,
) -> Any:
    """Draw a figure, above the table of its numbers; it is saved as `file` or under its key.

    The columns are computed when the table is opened; a caption stands between the two.
    Another `version` of a chart forgets what was selected in it. `options` are those of
    `st.plotly_chart`, and so is what comes back.
    """
    config, name = plot_config(file or key), f"chart-{key}{version}"
    event = draw_figure(figure, name, config=config, alt=alt, **options)
    if caption:
        st.caption(caption)
    if columns is not None:
        table_fold(key, lambda: table(columns(), key))
    return event
