"""One calculation on many words: a row per word, and a column of bars per stage. (N rows)"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from app.charts.parts import bars, note
from app.charts.theme import GRID, INK, QUIET, Figure, Role, axis, layout, names_axis, role_colour
from app.format import label

ROW = 24  # pixels per word
GAP = 0.03  # between two columns, as a fraction of the width
ROOM = 0.75  # free beside the longest bar, for its number


@dataclass(frozen=True)
class Column:
    """One stage: its numbers (N,), NaN where there is none, and how they are written."""

    title: str
    values: NDArray[np.floating]
    texts: Sequence[str]
    role: Role = "residual"
    top: float | None = None  # the value of a full bar; None: the largest number


def stage_bars(
    columns: Sequence[Column],
    labels: Sequence[str],
    *,
    marked: int | None = None,
    quiet: int | None = None,
) -> Figure:
    """Draw the columns side by side, the row `marked` in bold and the row `quiet` in italics."""
    count = len(labels)
    figure = layout("", height=ROW * count + 60)
    figure["margin"]["t"] = 44
    figure["yaxis"] = names_axis(labels, down=True, marked=marked)
    if quiet is not None:
        figure["yaxis"]["ticktext"][quiet] = f"<i>{label(labels[quiet])}</i>"
    figure["bargap"] = 0.25
    figure["annotations"] = []
    above = {"xref": "paper", "yref": "paper", "xanchor": "left", "yanchor": "bottom"}
    width = (1 + GAP) / len(columns)
    for i, column in enumerate(columns):
        domain = [i * width, (i + 1) * width - GAP]
        figure[f"xaxis{i + 1}" if i else "xaxis"] = _scale(column, domain)
        title, colour = f"<b>{label(column.title)}</b>", role_colour(column.role)
        figure["annotations"].append(note(title, domain[0], 1, colour=colour, size=13, **above))
    data = [_bars(column, i, labels, marked) for i, column in enumerate(columns)]
    return {"data": data, "layout": figure}


def _scale(column: Column, domain: list[float]) -> Figure:
    finite = column.values[np.isfinite(column.values)]
    low = min(0.0, float(finite.min(initial=0.0)))
    high = max(0.0, float(finite.max(initial=0.0))) if column.top is None else column.top
    reach = (high - low) or 1.0
    return axis(
        domain=domain,
        range=[low - (ROOM * reach if low < 0 else 0), high + ROOM * reach],
        showticklabels=False,
        zeroline=True,
        zerolinecolor=GRID,
    )


def _bars(column: Column, place: int, labels: Sequence[str], marked: int | None) -> Figure:
    texts = [label(text) if text else "" for text in column.texts]
    trace = bars(
        column.values,
        labels,
        column.role,
        marked=marked,
        xaxis=f"x{place + 1}" if place else "x",
        text=texts,
        textfont={"color": INK},
        hovertemplate="%{customdata}: %{text}<extra></extra>",
    )
    trace["marker"]["opacity"] = [1.0 if i == marked else 0.6 for i in range(len(labels))]
    trace["marker"]["line"]["color"] = QUIET
    return trace
