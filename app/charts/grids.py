"""Arrays as cells, one below the other with the operators between them: a picture to keep.

R rows, C columns.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from app.charts.theme import (
    INK,
    QUIET,
    Figure,
    Mode,
    Role,
    axis,
    grey_scale,
    layout,
    names_axis,
    role_colour,
    signed_scale,
    weight_scale,
)
from app.format import label

TITLE, GAP, TOOLS = 26, 16, 36  # pixels: above a grid, below it, and for Plotly's own buttons
MOST_NUMBERED = 12  # more columns than this leave no room for "−0.12" in a cell
FOLD = 64  # a longer vector is broken into lines, as on the page
COLOURS = {"signed": signed_scale, "weights": weight_scale, "greys": grey_scale}


@dataclass(frozen=True, eq=False)
class Panel:
    """One array (R, C), or (C,) for a vector; `before` is the operator that leads to it."""

    title: str
    values: NDArray[np.floating]
    role: Role
    scale: Literal["signed", "weights", "greys"]
    reach: float
    rows: Sequence[str] = ()
    cols: Sequence[str] = ()
    before: str = ""


def grids(panels: Sequence[Panel], *, mode: Mode = "light") -> Figure:
    """Draw the arrays, each with its title and its own scale."""
    drawn = [_folded(panel) for panel in panels]
    total = sum(sum(_heights(panel)) for panel in drawn)
    figure = layout("", mode, height=total + TOOLS + 8)
    figure["margin"]["t"] = TOOLS
    figure["annotations"] = []
    top, cells = total, []
    for i, (given, panel) in enumerate(zip(panels, drawn, strict=True)):
        above, high, below = _heights(panel)
        n = str(i + 1) if i else ""
        ends = [(top - above - high) / total, (top - above) / total]
        # What stands above the cells has its room already.
        across = {"anchor": f"y{n}", "side": "top", "automargin": False}
        figure[f"xaxis{n}"] = _named(panel.cols, mode, tickangle=-90, **across)
        figure[f"yaxis{n}"] = _named(
            panel.rows, mode, down=True, anchor=f"x{n}", domain=ends,
            range=[len(panel.values) - 0.5, -0.5],
        )  # fmt: skip
        figure["annotations"].append(_title(given, top / total, mode))
        cells.append(_cells(panel, n, mode))
        top -= above + high + below
    return {"data": cells, "layout": figure}


def _folded(panel: Panel) -> Panel:
    """Lay a vector down as one line, or as several where it is long."""
    values = np.asarray(panel.values, dtype=float)
    if values.ndim == 2:
        return replace(panel, values=values)
    if panel.cols or values.size <= FOLD:
        return replace(panel, values=values[None])
    lines = -(-values.size // FOLD)
    whole = np.full(lines * FOLD, np.nan)
    whole[: values.size] = values
    starts = [str(line * FOLD + 1) for line in range(lines)]
    return replace(panel, values=whole.reshape(lines, FOLD), rows=starts)


def _heights(panel: Panel) -> tuple[int, int, int]:
    """Return the room above the cells, of the cells and below them, in pixels."""
    longest = max(map(len, panel.cols), default=0)
    each = int(np.clip(360 / len(panel.values), 3, 22))
    return TITLE + min(7 * longest, 90) + 4, each * len(panel.values), GAP


def _named(names: Sequence[str], mode: Mode, **settings: object) -> Figure:
    if names:
        return names_axis(names, mode, **settings)  # type: ignore[arg-type]
    settings.pop("down", None)
    return axis(mode, showticklabels=False, **settings)


def _title(panel: Panel, y: float, mode: Mode) -> Figure:
    shape = " × ".join(map(str, panel.values.shape))
    size = f" <span style='color:{QUIET[mode]}'>({shape})</span>"
    operator = f"<b>{label(panel.before)}</b>   " if panel.before else ""
    return {
        "text": f"{operator}<b style='color:{role_colour(panel.role, mode)}'>"
        f"{label(panel.title)}</b>{size}",
        "x": 0, "y": y, "xref": "paper", "yref": "paper", "xanchor": "left", "yanchor": "top",
        "showarrow": False, "font": {"color": INK[mode], "size": 13},
    }  # fmt: skip


def _cells(panel: Panel, n: str, mode: Mode) -> Figure:
    reach = 1.0 if panel.scale == "weights" else panel.reach or 1.0
    shown = np.where(np.isfinite(panel.values), panel.values, np.nan)
    cells: Figure = {
        "type": "heatmap",
        "xaxis": f"x{n}",
        "yaxis": f"y{n}",
        "z": [[None if value != value else value for value in row] for row in shown.tolist()],
        "zmin": -reach if panel.scale == "signed" else 0,
        "zmax": reach,
        "colorscale": COLOURS[panel.scale](mode),
        "showscale": False,
        "xgap": 1,
        "ygap": 1,
        "hovertemplate": "%{z:.4f}<extra></extra>",
    }
    if shown.shape[1] <= MOST_NUMBERED:
        cells["texttemplate"] = "%{z:.2f}"
    return cells
