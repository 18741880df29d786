"""Positions as heatmaps: their encodings, and the dot products of all pairs of them.

N positions, D = d_model, T tokens.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from app.charts.theme import (
    INK,
    QUIET,
    Figure,
    Mode,
    axis,
    layout,
    role_colour,
    signed_scale,
    value_axis,
)
from app.format import label

Floats = NDArray[np.floating]


NAME, GAP = 0.06, 0.04  # the room above a heatmap for its name, and below it


@dataclass(frozen=True)
class Encodings:
    """Encodings (N, D) in one layout, what it is called, and the components to mark."""

    title: str
    values: Floats
    marked: Sequence[int]


def encoding_heatmaps(
    layouts: Sequence[Encodings], *, here: int, x_title: str, y_title: str, mode: Mode = "light"
) -> Figure:
    """Draw encodings one below the other, positions downwards.

    A frame marks the position, a triangle each of the marked components.
    """
    N, D = layouts[0].values.shape
    figure = layout("", mode, height=300 * len(layouts) + 40)
    figure["xaxis"] = axis(
        mode, title={"text": label(x_title)}, range=[0.5, D + 0.5], anchor=_y_axis(len(layouts) - 1)
    )
    figure["shapes"], figure["annotations"] = [], []
    top = -0.5 - 0.06 * N  # room for the triangles
    hover = f"{label(y_title)} %{{y}} · {label(x_title)} %{{x}}: %{{z:+.2f}}<extra></extra>"
    deep = (1 - NAME * len(layouts) - GAP * (len(layouts) - 1)) / len(layouts)
    data: list[Figure] = []
    for i, shown in enumerate(layouts):
        y_axis, high = _y_axis(i), 1 - NAME - i * (deep + GAP + NAME)
        figure[y_axis.replace("y", "yaxis")] = axis(
            mode,
            title={"text": label(y_title)},
            range=[N - 0.5, top],
            domain=[max(high - deep, 0), high],
        )
        figure["shapes"].append({**_row_frame(here, 0.5, D + 0.5, mode), "yref": y_axis})
        figure["annotations"].append(_name(shown.title, high, mode))
        cells = _cells(shown.values, 1.0, 2, hover, mode)
        cells["colorbar"] |= {"y": 0, "yanchor": "bottom", "len": 1 - NAME}
        # Components count from 1; one scale is enough for all.
        data += [
            {**cells, "x0": 1, "yaxis": y_axis, "showscale": i == 0},
            {**_triangles(shown.marked, (top - 0.5) / 2, mode), "yaxis": y_axis},
        ]
    return {"data": data, "layout": figure}


def _y_axis(i: int) -> str:
    return f"y{i + 1}" if i else "y"


def _name(title: str, high: float, mode: Mode) -> Figure:
    return {
        "x": 0,
        "xref": "paper",
        "xanchor": "left",
        "y": high,
        "yref": "paper",
        "yanchor": "bottom",
        "text": f"<b>{label(title)}</b>",
        "showarrow": False,
        "font": {"color": INK[mode], "size": 14},
    }


def _triangles(components: Sequence[int], y: float, mode: Mode) -> Figure:
    return {
        "type": "scatter",
        "mode": "markers",
        "x": [x + 1 for x in components],
        "y": [y] * len(components),
        "marker": {"symbol": "triangle-down", "size": 12, "color": INK[mode]},
        "showlegend": False,
        "hoverinfo": "skip",
    }


def dots_heatmap(
    dots: Floats, *, here: int, title: str, x_title: str, y_title: str, mode: Mode = "light"
) -> Figure:
    """Draw the dot product of each pair of positions (N, N), with one row marked."""
    N = len(dots)
    figure = layout(title, mode, height=400)
    figure["xaxis"] = axis(mode, title={"text": label(x_title)}, range=[-0.5, N - 0.5])
    figure["yaxis"] = axis(mode, title={"text": label(y_title)}, range=[N - 0.5, -0.5])
    figure["shapes"] = [_row_frame(here, -0.5, N - 0.5, mode)]
    reach = float(np.abs(dots).max()) or 1.0
    hover = "p[%{y}] · p[%{x}] = %{z:.3f}<extra></extra>"
    return {"data": [_cells(dots, reach, 3, hover, mode)], "layout": figure}


def dots_row(
    row: Floats,
    captured: Floats,
    words: Sequence[str],
    *,
    here: int,
    title: str,
    x_title: str,
    y_title: str,
    mode: Mode = "light",
) -> Figure:
    """Draw one position's dot products (N,): a curve, and the sentence's own tokens (T,) on it."""
    figure = layout(title, mode, height=400)
    figure["xaxis"] = axis(
        mode, title={"text": label(x_title)}, range=[-0.6, max(len(captured) + 4, 16) - 0.4]
    )
    # Above the highest dot, its word needs room.
    figure["yaxis"] = value_axis(y_title, mode, range=[min(0.0, float(row.min())), 1.3 * row.max()])
    figure["annotations"] = [
        {
            "x": i,
            "y": float(captured[i]),
            "text": label(word),
            # A turned text is put by its middle: its lower end then stands above the dot.
            "textangle": -90,
            "yanchor": "bottom",
            "yshift": 8,
            "showarrow": False,
            "font": {"color": INK[mode], "size": 11},
        }
        for i, word in enumerate(words if len(words) <= 12 else ())
    ]
    figure["shapes"] = [
        {
            "type": "line",
            "x0": here,
            "x1": here,
            "y0": 0,
            "y1": 1,
            "yref": "paper",
            "line": {"color": INK[mode], "width": 1.5, "dash": "dot"},
        }
    ]
    curve: Figure = {
        "type": "scatter",
        "mode": "lines+markers",
        "x": list(range(len(row))),
        "y": np.round(row, 4).tolist(),
        "line": {"color": QUIET[mode], "width": 1.5},
        "marker": {"color": QUIET[mode], "size": 4},
        "hovertemplate": "%{x}: %{y:.3f}<extra></extra>",
    }
    points: Figure = {
        "type": "scatter",
        "mode": "markers",
        "x": list(range(len(captured))),
        "y": np.round(captured, 4).tolist(),
        "text": [label(word) for word in words],
        "cliponaxis": False,
        "hovertemplate": "%{text} (%{x}): %{y:.3f}<extra></extra>",
        "marker": {
            "color": role_colour("input", mode),
            "size": [13 if i == here else 9 for i in range(len(captured))],
            "line": {"color": INK[mode], "width": 1},
        },
    }
    return {"data": [curve, points], "layout": figure}


def _cells(values: Floats, reach: float, digits: int, hover: str, mode: Mode) -> Figure:
    return {
        "type": "heatmap",
        # As an array: Plotly would copy and check a list number by number.
        "z": np.round(values, digits).astype(np.float32),
        "zmin": -reach,
        "zmid": 0,
        "zmax": reach,
        "colorscale": signed_scale(mode),
        "hovertemplate": hover,
        "colorbar": {
            "thickness": 8,
            "xpad": 4,
            "outlinewidth": 0,
            "tickvals": [-reach, 0, reach],
            "ticktext": [f"−{reach:.3g}", "0", f"+{reach:.3g}"],
            "tickfont": {"color": QUIET[mode]},
        },
    }


def _row_frame(row: int, x0: float, x1: float, mode: Mode) -> Figure:
    box = {"x0": x0, "x1": x1, "y0": row - 0.5, "y1": row + 0.5}
    return {"type": "rect", **box, "line": {"color": INK[mode], "width": 2}}
