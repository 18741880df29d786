"""The attention heatmap: how much each query attends to each key, on one fixed scale.

T queries, S keys.
"""

import re
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from app.charts.parts import cells, colour_bar, frame, gaps
from app.charts.theme import INK, Figure, layout, names_axis
from app.format import in_cell, label, share, signed

MOST_NUMBERED = 14  # more columns than this leave no room for "0.12" in a cell
MOST_LARGE = 24  # more columns than this need smaller labels
MASKED = "×"


def attention_heatmap(
    weights: NDArray[np.floating],
    query_labels: Sequence[str],
    key_labels: Sequence[str],
    *,
    query_title: str,
    key_title: str,
    title: str = "",
    hover: str = "{query} → {key}: {weight}",
    mask: NDArray[np.bool_] | None = None,
    pinned: tuple[int, int] | None = None,
    reach: float | None = None,
) -> Figure:
    """Draw weights (T, S) as cells; `mask` (T, S) is True where attention is allowed.

    Differences of weights are drawn on the signed scale, from −`reach` to `reach`.
    """
    T, S = weights.shape
    if (len(query_labels), len(key_labels)) != (T, S):
        raise ValueError(f"{T} x {S} weights need as many labels, not those given.")
    mask = np.ones((T, S), bool) if mask is None else mask
    line = int(np.clip(340 / max(T, 1), 18, 40))
    figure = layout(title, height=line * T + 150)
    figure["xaxis"] = names_axis(
        key_labels,
        title=key_title,
        standoff=8,
        tickfont={"color": INK, "size": 12 if S <= MOST_LARGE else 9},
        tickangle=-90 if S > 6 else 0,
    )
    figure["yaxis"] = names_axis(query_labels, down=True, title=query_title, standoff=8)
    if pinned is not None:
        row, col = pinned
        figure["shapes"] = [frame(col - 0.5, col + 0.5, row - 0.5, row + 0.5, width=3)]
    return {"data": [_cells(weights, mask, hover, reach)], "layout": figure}


def _cells(
    weights: NDArray[np.floating], mask: NDArray[np.bool_], hover: str, reach: float | None
) -> Figure:
    T, S = weights.shape

    def numbers(write: Callable[[float], str]) -> list[list[str]]:
        rows = zip(weights.tolist(), mask.tolist(), strict=True)
        return [[write(x) if may else MASKED for x, may in zip(*row, strict=True)] for row in rows]

    write = share if reach is None else signed
    ticks = [0, 0.5, 1] if reach is None else [-reach, 0, reach]
    written: Figure = (
        {"text": numbers(partial(in_cell, write=write)), "texttemplate": "%{text}"}
        if S <= MOST_NUMBERED
        else {}
    )
    return cells(
        gaps(np.round(weights, 4)),
        "weights" if reach is None else "signed",
        reach or 1.0,
        x=list(range(S)),
        y=list(range(T)),
        xgap=1,
        ygap=1,
        customdata=numbers(partial(write, digits=4)),
        hovertemplate=_hover(hover) + "<extra></extra>",
        colorbar=colour_bar(len=1, xpad=6, tickvals=ticks, tickformat=".2~r"),
        **written,
    )


def _hover(template: str) -> str:
    """Turn our marks into Plotly's: a cell's words are the tick labels of its axes."""
    marks = {"query": "%{y}", "key": "%{x}", "weight": "%{customdata}"}
    return re.sub(r"\{(query|key|weight)\}", lambda mark: marks[mark[1]], label(template))
