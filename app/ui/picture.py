"""A picture to keep: Plotly's own button saves it, in the format that is chosen."""

from collections.abc import Sequence

import streamlit as st

from app.charts.grids import Panel, grids
from app.charts.theme import Figure
from app.components.board import Grid, Op, reach_of
from app.i18n import _
from app.ui.chart import draw_figure, plot_config


def picture(figure: Figure, name: str, alt: str) -> None:
    """Draw a figure with the choice of the format that its camera button saves."""
    label, key = _("Format of the camera button"), f"format-{name}"
    image = st.segmented_control(label, ["PNG", "SVG"], default="PNG", required=True, key=key)
    draw_figure(figure, f"picture-{name}", config=plot_config(name, image.lower()), alt=alt)


def grids_picture(items: Sequence[Grid | Op], name: str) -> None:
    """Draw the grids and operators of a board as one figure."""
    panels, before = [], ""
    for item in items:
        if isinstance(item, Op):
            before = f"{before} {item.text}".strip()
            continue
        panels.append(_panel(item, before))
        before = ""
    titles = ", ".join(panel.title for panel in panels)
    picture(grids(panels), name, titles)


def _panel(grid: Grid, before: str) -> Panel:
    look = grid.title, grid.values, grid.role, grid.scale, reach_of(grid)
    return Panel(*look, grid.row_labels, grid.col_labels, before, grid.first)
