"""Numbers as coloured cells: an attention on one fixed scale, and vectors as the slides draw them.

T queries, S keys, d_k numbers of a vector.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from app.charts.parts import cells, colour_bar, frame, gaps
from app.charts.theme import INK, QUIET, Figure, Role, Scale, axis, layout, names_axis, role_colour
from app.format import in_cell, label, number, share, short, signed

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

    # Our marks become those of a chart: a cell's words are the tick labels of its axes.
    marks = {"query": "%{y}", "key": "%{x}", "weight": "%{customdata}"}
    hover = re.sub(r"\{(query|key|weight)\}", lambda mark: marks[mark[1]], label(hover))
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
        hovertemplate=hover + "<extra></extra>",
        colorbar=colour_bar(tickvals=ticks, tickformat=".2~r"),
        **written,
    )


def vector_strip(
    vectors: Mapping[str, tuple[Role, NDArray[np.floating]]],
    *,
    title: str = "",
    scale: Scale = "signed",
) -> Figure:
    """Draw named vectors one below the other, on one scale: symmetric about 0, or starting at 0.

    Their numbers are counted from 1. In a Transformer all vectors have d_k numbers; in an RNNsearch
    the values have more than the keys.
    """
    rows = [np.round(vector, 4).tolist() for _, vector in vectors.values()]
    reach = max(float(np.abs(vector).max()) for _, vector in vectors.values()) or 1.0
    colours = [role_colour(role) for role, _ in vectors.values()]
    names = [label(name) for name in vectors]
    ticks = [
        f'<span style="color:{colour}"><b>{name}</b></span>'
        for name, colour in zip(names, colours, strict=True)
    ]
    count, widths = len(rows), [len(row) for row in rows]
    width = max(widths)
    figure = layout(title, height=34 * count + (105 if title else 72))
    figure["xaxis"] = axis(range=[0.5, width + 0.5], tickfont={"color": QUIET})
    figure["yaxis"] = axis(tickvals=list(range(count)), ticktext=ticks, range=[count - 0.5, -0.5])
    figure["shapes"] = [
        frame(0.5, wide + 0.5, i - 0.36, i + 0.36, colour=colour)
        for i, (wide, colour) in enumerate(zip(widths, colours, strict=True))
    ]
    ends = {-reach: f"−{number(reach)}", 0: "0", reach: f"+{number(reach)}"}
    if scale != "signed":
        ends = {0: "0", reach: short(reach)}
    # The colour bar stands below the axis numbers, at a depth of one strip.
    place = {"len": 0.5, "x": 0, "xanchor": "left", "y": -1 / count, "yanchor": "top"}
    trace = cells(
        [row + [None] * (width - len(row)) for row in rows],
        scale,
        reach,
        x=list(range(1, width + 1)),
        y=list(range(count)),
        ygap=10,
        customdata=[[name] * width for name in names],
        hovertemplate="%{customdata} [%{x}] = %{z}<extra></extra>",
        colorbar=colour_bar(
            orientation="h", **place, tickvals=list(ends), ticktext=list(ends.values())
        ),
    )
    return {"data": [trace], "layout": figure}
