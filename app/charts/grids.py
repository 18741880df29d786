"""Arrays as cells, one below the other with operators between them: a picture to save.

R rows, C columns.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.charts.parts import cells, gaps, note
from app.charts.theme import QUIET, Figure, Role, Scale, layout, names_axis, role_colour
from app.format import in_cell, label, number, share

TITLE, GAP = 26, 16  # pixels: above a grid, and below it
MOST_NUMBERED = 12  # more columns than this leave no room for "−0.12" in a cell
FOLD = 64  # a longer vector is broken into lines, as on the page


@dataclass(frozen=True, eq=False)
class Panel:
    """One array (R, C), or (C,) for a vector; `before` is the operator that leads to it."""

    title: str
    values: NDArray[np.floating]
    role: Role
    scale: Scale
    reach: float
    rows: Sequence[str] = ()
    cols: Sequence[str] = ()
    before: str = ""
    first: int = 1  # the label of a vector's first number


def grids(panels: Sequence[Panel]) -> Figure:
    """Draw the arrays, each with its title and its own scale."""
    drawn = [_folded(panel) for panel in panels]
    total = sum(sum(_heights(panel)) for panel in drawn)
    figure = layout("", height=total + 16)
    figure["annotations"] = []
    top, data = total, []
    for i, (whole, panel) in enumerate(zip(panels, drawn, strict=True)):
        above, high, below = _heights(panel)
        n = str(i + 1) if i else ""
        ends = [(top - above - high) / total, (top - above) / total]
        # `_heights` has already made room for the labels above the cells.
        across: Figure = {"anchor": f"y{n}", "side": "top", "automargin": False}
        figure[f"xaxis{n}"] = _axis(
            panel.cols, tickangle=-90, range=[-0.5, panel.values.shape[1] - 0.5], **across
        )
        low = len(panel.values) - 0.5
        figure[f"yaxis{n}"] = _axis(panel.rows, anchor=f"x{n}", domain=ends, range=[low, -0.5])
        figure["annotations"].append(_title(whole, top / total))
        data.append(_cells(panel, n))
        top -= above + high + below
    return {"data": data, "layout": figure}


def _folded(panel: Panel) -> Panel:
    """Return a vector as a panel of one row, or of several rows if it is long."""
    values = np.asarray(panel.values, dtype=float)
    if values.ndim == 2:
        return replace(panel, values=values)
    if panel.cols or values.size <= FOLD:
        return replace(panel, values=values[None])
    lines = -(-values.size // FOLD)
    whole = np.full(lines * FOLD, np.nan)
    whole[: values.size] = values
    starts = [str(line * FOLD + panel.first) for line in range(lines)]
    return replace(panel, values=whole.reshape(lines, FOLD), rows=starts)


def _heights(panel: Panel) -> tuple[int, int, int]:
    """Return the heights above the cells, of the cells and below them, in pixels."""
    longest = max(map(len, panel.cols), default=0)
    each = int(np.clip(360 / len(panel.values), 3, 22))
    return TITLE + min(7 * longest, 90) + 4, each * len(panel.values), GAP


def _axis(names: Sequence[str], **settings: Any) -> Figure:
    return names_axis(names, showticklabels=bool(names), **settings)


def _title(panel: Panel, y: float) -> Figure:
    shape = " × ".join(map(str, panel.values.shape))
    size = f" <span style='color:{QUIET}'>({shape})</span>"
    operator = f"<b>{label(panel.before)}</b>   " if panel.before else ""
    text = f"{operator}<b style='color:{role_colour(panel.role)}'>{label(panel.title)}</b>{size}"
    place = {"xref": "paper", "yref": "paper", "xanchor": "left", "yanchor": "top"}
    return note(text, 0, y, size=13, **place)


def _cells(panel: Panel, n: str) -> Figure:
    texts: Figure = {}
    if panel.values.shape[1] <= MOST_NUMBERED:
        form = share if panel.scale == "weights" else number
        text = [
            ["" if math.isnan(x) else in_cell(x, write=form) for x in row]
            for row in panel.values.tolist()
        ]
        texts = {"text": text, "texttemplate": "%{text}"}
    return cells(
        gaps(panel.values),
        panel.scale,
        1.0 if panel.scale == "weights" else panel.reach or 1.0,
        xaxis=f"x{n}",
        yaxis=f"y{n}",
        xgap=1,
        ygap=1,
        hovertemplate="%{z}<extra></extra>",
        **texts,
    )
