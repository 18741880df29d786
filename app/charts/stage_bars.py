"""One calculation on many words: a row a word, a column of bars for each stage of it. (N rows)"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from app.charts.theme import (
    GRID,
    INK,
    QUIET,
    Figure,
    Mode,
    Role,
    axis,
    layout,
    names_axis,
    role_colour,
)
from app.format import label

ROW = 24  # pixels a word
GAP = 0.03  # between two columns, as a part of the width
ROOM = 0.75  # free beside the longest bar, for its number


@dataclass(frozen=True)
class Column:
    """One stage: its numbers (N,), NaN where it has none, and how they are written."""

    title: str
    values: NDArray[np.floating]
    texts: Sequence[str]
    role: Role = "residual"
    top: float | None = None  # what a full bar means; None: the largest number


def stage_bars(
    columns: Sequence[Column],
    labels: Sequence[str],
    *,
    mode: Mode = "light",
    marked: int | None = None,
    quiet: int | None = None,
) -> Figure:
    """Draw the columns side by side; `marked` is the row that counts, `quiet` one of a crowd."""
    count = len(labels)
    if not columns or any(len(column.values) != count for column in columns):
        raise ValueError(f"Every column needs {count} numbers, one for each label.")
    figure = layout("", mode, height=ROW * count + 60)
    figure["margin"]["t"] = 44
    names = [label(text) for text in labels]
    figure["yaxis"] = names_axis(labels, mode, down=True, marked=marked)
    if quiet is not None:
        figure["yaxis"]["ticktext"][quiet] = f"<i>{names[quiet]}</i>"
    figure["bargap"] = 0.25
    figure["annotations"] = []
    width = (1 + GAP) / len(columns)
    for i, column in enumerate(columns):
        domain = [i * width, (i + 1) * width - GAP]
        figure[f"xaxis{i + 1}" if i else "xaxis"] = _scale(column, domain, mode)
        figure["annotations"].append(_heading(column, domain[0], mode))
    bars = [_bars(column, i, names, marked, mode) for i, column in enumerate(columns)]
    return {"data": bars, "layout": figure}


def _scale(column: Column, domain: list[float], mode: Mode) -> Figure:
    finite = column.values[np.isfinite(column.values)]
    low = min(0.0, float(finite.min(initial=0.0)))
    high = max(0.0, float(finite.max(initial=0.0))) if column.top is None else column.top
    reach = (high - low) or 1.0
    return axis(
        mode,
        domain=domain,
        range=[low - (ROOM * reach if low < 0 else 0), high + ROOM * reach],
        showticklabels=False,
        zeroline=True,
        zerolinecolor=GRID[mode],
    )


def _heading(column: Column, x: float, mode: Mode) -> Figure:
    return {
        "text": f"<b>{label(column.title)}</b>",
        "x": x,
        "y": 1,
        "xref": "paper",
        "yref": "paper",
        "xanchor": "left",
        "yanchor": "bottom",
        "showarrow": False,
        "font": {"color": role_colour(column.role, mode), "size": 13},
    }


def _bars(column: Column, place: int, names: list[str], marked: int | None, mode: Mode) -> Figure:
    count = len(names)
    values = [value if np.isfinite(value) else None for value in column.values.tolist()]
    return {
        "type": "bar",
        "orientation": "h",
        "xaxis": f"x{place + 1}" if place else "x",
        "x": values,
        "y": list(range(count)),
        "text": [label(text) if text else "" for text in column.texts],
        "textposition": "outside",
        "textfont": {"color": INK[mode]},
        "cliponaxis": False,
        "customdata": [[name, label(text)] for name, text in zip(names, column.texts, strict=True)],
        "hovertemplate": "%{customdata[0]}: %{customdata[1]}<extra></extra>",
        "marker": {
            "color": role_colour(column.role, mode),
            "opacity": [1.0 if i == marked else 0.6 for i in range(count)],
            "line": {
                "color": QUIET[mode],
                "width": [2 if i == marked else 0 for i in range(count)],
            },
        },
    }
