"""A board as one figure, to be saved."""

from collections.abc import Sequence

from app.charts.grids import Panel, grids
from app.components.board import Grid, Op, kept_board, reach_of
from app.ui.chart import picture


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
    picture(grids(panels), name, titles, [kept_board(items)])


def _panel(grid: Grid, before: str) -> Panel:
    look = grid.title, grid.values, grid.role, grid.scale, reach_of(grid)
    return Panel(*look, grid.row_labels, grid.col_labels, before, grid.first)
