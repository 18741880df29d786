"""The residual stream of one word: its length, what is added to it, and how far it turns."""

from collections.abc import Sequence

import numpy as np

from app.charts.parts import bars, polyline
from app.charts.theme import (
    INK,
    Figure,
    Floats,
    Role,
    layout,
    legend_above,
    names_axis,
    role_colour,
    value_axis,
)
from app.format import label, number

MOST_UPRIGHT = 12  # names of more steps are turned


def stream_lines(
    lengths: Floats,
    added: Floats,
    cosines: Floats,
    steps: Sequence[str],
    *,
    names: tuple[str, str, str],
) -> Figure:
    """Draw the stream's length (N,) over the added vectors' (N - 1,), and below the cosine to the
    step before (N - 1,).
    """
    N = len(steps)
    turned = N > MOST_UPRIGHT
    figure = layout("", height=400 if turned else 296)
    legend_above(figure)
    figure["xaxis"] = names_axis(steps, tickangle=-90 if turned else 0, anchor="y2")
    if not turned:
        figure["xaxis"]["tickfont"] = {"size": 11 if N > 8 else 12}
        figure["xaxis"]["ticktext"] = [_broken(step) for step in steps]
    top = float(max(lengths.max(), added.max(initial=0.0))) * 1.15
    figure["yaxis"] = value_axis("", range=[0, top], domain=[0.48, 1])
    low = min(0.0, float(cosines.min(initial=0.0)) - 0.1)
    figure["yaxis2"] = value_axis("", range=[low, 1.15], domain=[0, 0.38])
    later = list(range(1, N))
    return {
        "data": [
            _bars(added, steps[1:], names[1]),
            _line(list(range(N)), lengths, names[0], "circle", "residual", "y"),
            _line(later, cosines, names[2], "diamond", "input", "y2"),
        ],
        "layout": figure,
    }


def _broken(step: str) -> str:
    """Write a step's name in lines: the layer, then each part of the sub-layer's words."""
    layer, _dot, part = label(step).partition(" · ")
    return "<br>".join([layer, *part.replace("-", "- ").split()])


def _bars(added: Floats, steps: Sequence[str], name: str) -> Figure:
    trace = bars(np.round(added, 4), steps, "output", upright=True, marker={"opacity": 0.8})
    text, hover = [number(value, 1) for value in added], "%{x}: %{y}<extra></extra>"
    look = {"width": 0.5, "text": text, "name": label(name), "hovertemplate": hover}
    return trace | look | {"x": list(range(1, len(steps) + 1))}  # the first step adds nothing


def _line(x: list[int], y: Floats, name: str, symbol: str, role: Role, y_axis: str) -> Figure:
    above, colour = y_axis == "y", role_colour(role)
    return polyline(
        x,
        np.round(y, 4).tolist(),
        {"color": colour, "width": 2, "dash": "solid" if above else "dash"},
        mode="lines+markers+text" if len(x) <= 12 else "lines+markers",
        name=label(name),
        yaxis=y_axis,
        text=[number(value, 1 if above else 2) for value in y],
        textposition="top center" if above else "bottom center",
        textfont={"color": INK},
        cliponaxis=False,
        marker={"color": colour, "symbol": symbol, "size": 9},
        hovertemplate="%{y}<extra></extra>",
    )
