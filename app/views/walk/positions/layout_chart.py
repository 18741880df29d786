"""Positions as heatmaps: their encodings, and the dot products of all pairs of them.

N positions, D = d_model, T tokens.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from app.charts.parts import cells, colour_bar, frame, marks, note, polyline, upright_line
from app.charts.theme import INK, QUIET, Figure, Floats, axis, layout, role_colour, value_axis
from app.format import label, short
from app.i18n import _

NAME, GAP = 0.09, 0.04  # the room above a heatmap for its name, and below it
HIGH, DOTS_HIGH = 126, 300  # of a heatmap, in pixels: the page does not scroll


@dataclass(frozen=True)
class Encodings:
    """Encodings (N, D) in one layout, what it is called, and the components to mark."""

    title: str
    values: Floats
    marked: Sequence[int]


def encoding_heatmaps(layouts: Sequence[Encodings], here: int) -> Figure:
    """Draw encodings one below the other, positions downwards.

    A frame marks the position, a triangle each of the marked components.
    """
    N, D = layouts[0].values.shape
    figure = layout("", height=HIGH * len(layouts) + 40)
    component, position = _("component"), _("position")
    figure["xaxis"] = axis(component, range=[0.5, D + 0.5], anchor=_y_axis(len(layouts) - 1))
    figure["shapes"], figure["annotations"] = [], []
    top = -0.5 - 0.06 * N  # room for the triangles
    hover = f"{label(position)} %{{y}} · {label(component)} %{{x}}: %{{z}}<extra></extra>"
    deep = (1 - NAME * len(layouts) - GAP * (len(layouts) - 1)) / len(layouts)
    beside = {"xref": "paper", "xanchor": "left", "yref": "paper", "yanchor": "bottom"}
    data: list[Figure] = []
    for i, shown in enumerate(layouts):
        y_axis, high = _y_axis(i), 1 - NAME - i * (deep + GAP + NAME)
        figure[y_axis.replace("y", "yaxis")] = axis(
            position, range=[N - 0.5, top], domain=[max(high - deep, 0), high]
        )
        figure["shapes"].append({**frame(0.5, D + 0.5, here - 0.5, here + 0.5), "yref": y_axis})
        name = f"<b>{label(shown.title)}</b>"
        figure["annotations"].append(note(name, 0, high, size=14, **beside))
        trace = _cells(shown.values, 1.0, 2, hover)
        trace["colorbar"] |= {"y": 0, "yanchor": "bottom", "len": 1 - NAME}
        # Components count from 1; one scale is enough for all.
        data.append({**trace, "x0": 1, "yaxis": y_axis, "showscale": i == 0})
        places = [x + 1 for x in shown.marked], [(top - 0.5) / 2] * len(shown.marked)
        options = {"yaxis": y_axis, "showlegend": False, "hoverinfo": "skip"}
        data.append(marks(*places, INK, "triangle-down", 12, **options))
    return {"data": data, "layout": figure}


def _y_axis(i: int) -> str:
    return f"y{i + 1}" if i else "y"


def dots_heatmap(dots: Floats, here: int, title: str) -> Figure:
    """Draw the dot product of each pair of positions (N, N), with one row marked."""
    N = len(dots)
    figure = layout(title, height=DOTS_HIGH)
    figure["xaxis"] = axis(_("position"), range=[-0.5, N - 0.5])
    figure["yaxis"] = axis(_("position"), range=[N - 0.5, -0.5])
    figure["shapes"] = [frame(-0.5, N - 0.5, here - 0.5, here + 0.5)]
    reach = float(np.abs(dots).max()) or 1.0
    hover = "p[%{y}] · p[%{x}] = %{z}<extra></extra>"
    return {"data": [_cells(dots, reach, 3, hover)], "layout": figure}


def dots_row(row: Floats, captured: Floats, words: Sequence[str], here: int, title: str) -> Figure:
    """Draw one position's dot products (N,): a curve, and the sentence's own tokens (T,) on it."""
    figure = layout(title, height=DOTS_HIGH)
    figure["xaxis"] = axis(_("position"), range=[-0.6, max(len(captured) + 4, 16) - 0.4])
    # Above the highest dot, its word needs room.
    span = [min(0.0, float(row.min())), 1.3 * row.max()]
    figure["yaxis"] = value_axis(_("dot product"), range=span)
    # A turned text is put by its middle: its lower end then stands above the dot.
    above: Figure = {"textangle": -90, "yanchor": "bottom", "yshift": 8}
    figure["annotations"] = [
        note(label(word), i, float(captured[i]), size=11, **above)
        for i, word in enumerate(words if len(words) <= 12 else ())
    ]
    figure["shapes"] = [upright_line(here, dash="dot")]
    curve = polyline(
        list(range(len(row))),
        np.round(row, 4).tolist(),
        {"color": QUIET, "width": 1.5},
        mode="lines+markers",
        marker={"color": QUIET, "size": 4},
        hovertemplate="%{x}: %{y}<extra></extra>",
    )
    points = marks(
        list(range(len(captured))),
        np.round(captured, 4).tolist(),
        role_colour("input"),
        "circle",
        [13 if i == here else 9 for i in range(len(captured))],
        outline=1,
        text=[label(word) for word in words],
        cliponaxis=False,
        hovertemplate="%{text} (%{x}): %{y}<extra></extra>",
    )
    return {"data": [curve, points], "layout": figure}


def _cells(values: Floats, reach: float, digits: int, hover: str) -> Figure:
    return cells(
        # As an array: Plotly would copy and check a list number by number.
        np.round(values, digits).astype(np.float32),
        "signed",
        reach,
        zmid=0,
        hovertemplate=hover,
        colorbar=colour_bar(
            xpad=4,
            tickvals=[-reach, 0, reach],
            ticktext=[f"−{short(reach, 3)}", "0", f"+{short(reach, 3)}"],
        ),
    )
