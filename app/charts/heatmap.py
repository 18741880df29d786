"""The attention heatmap: who looks at whom, with one fixed scale. (T queries, S keys)"""

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from app.charts.theme import INK, QUIET, Figure, Mode, layout, names_axis, weight_scale
from app.format import label

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
    mode: Mode = "light",
    mask: NDArray[np.bool_] | None = None,
    pinned: tuple[int, int] | None = None,
) -> Figure:
    """Draw weights (T, S) as cells; `mask` (T, S) is True where one may look, as in the model."""
    T, S = weights.shape
    if (len(query_labels), len(key_labels)) != (T, S):
        raise ValueError(f"{T} x {S} weights need as many labels, not those given.")
    mask = np.ones((T, S), bool) if mask is None else mask
    row = int(np.clip(340 / max(T, 1), 18, 40))
    figure = layout(title, mode, height=row * T + 150)
    figure["xaxis"] = names_axis(
        key_labels,
        mode,
        title={"text": label(key_title), "standoff": 8},
        tickfont={"color": INK[mode], "size": 12 if S <= MOST_LARGE else 9},
        tickangle=-90 if S > 6 else 0,
    )
    figure["yaxis"] = names_axis(
        query_labels, mode, down=True, title={"text": label(query_title), "standoff": 8}
    )
    if pinned is not None:
        figure["shapes"] = [_outline(*pinned, mode)]
    return {"data": [_cells(weights, mask, hover, mode)], "layout": figure}


def _cells(
    weights: NDArray[np.floating],
    mask: NDArray[np.bool_],
    hover: str,
    mode: Mode,
) -> Figure:
    T, S = weights.shape
    numbers = [
        [f"{weights[t, s]:.4f}" if mask[t, s] else MASKED for s in range(S)] for t in range(T)
    ]
    cells: Figure = {
        "type": "heatmap",
        "x": list(range(S)),
        "y": list(range(T)),
        "z": np.round(weights, 4).tolist(),
        "zmin": 0,
        "zmax": 1,
        "colorscale": weight_scale(mode),
        "xgap": 1,
        "ygap": 1,
        "customdata": numbers,
        "hovertemplate": _hover(hover) + "<extra></extra>",
        "colorbar": {
            "thickness": 8,
            "len": 1,
            "xpad": 6,
            "tickvals": [0, 0.5, 1],
            "outlinewidth": 0,
            "tickfont": {"color": QUIET[mode]},
        },
    }
    if S <= MOST_NUMBERED:
        cells["text"] = [
            [f"{weights[t, s]:.2f}" if mask[t, s] else MASKED for s in range(S)] for t in range(T)
        ]
        cells["texttemplate"] = "%{text}"
    return cells


def _hover(template: str) -> str:
    """Turn our marks into Plotly's: the words of a cell are the tick texts of its axes."""
    marks = {"query": "%{y}", "key": "%{x}", "weight": "%{customdata}"}
    return re.sub(r"\{(query|key|weight)\}", lambda mark: marks[mark[1]], label(template))


def _outline(row: int, col: int, mode: Mode) -> Figure:
    corners = {"x0": col - 0.5, "x1": col + 0.5, "y0": row - 0.5, "y1": row + 0.5}
    return {"type": "rect", **corners, "line": {"color": INK[mode], "width": 3}}
