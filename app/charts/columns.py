"""Upright bars: one number for each word or hidden unit."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from app.charts.theme import INK, Figure, Mode, Role, layout, names_axis, role_colour, value_axis
from app.format import label


def columns(
    values: NDArray[np.floating],
    names: Sequence[str],
    *,
    title: str,
    y_title: str,
    x_title: str = "",
    role: Role = "output",
    marked: int | None = None,
    mode: Mode = "light",
) -> Figure:
    """Draw values (N,) as bars from 0, one of them outlined."""
    N = len(names)
    figure = layout(title, mode, height=300)
    figure["xaxis"] = names_axis(
        names, mode, marked=marked, title={"text": label(x_title)},
        tickangle=-90 if N > 6 else 0, range=[-0.6, N - 0.4],
    )  # fmt: skip
    top = float(values.max(initial=0.0)) or 1.0
    low = min(0.0, float(values.min(initial=0.0))) * 1.1
    figure["yaxis"] = value_axis(y_title, mode, range=[low, top * 1.15])
    bars: Figure = {
        "type": "bar",
        "x": list(range(N)),
        "y": np.round(values, 4).tolist(),
        "text": [f"{value:.2f}" for value in values] if N <= 16 else None,
        "textposition": "outside",
        "customdata": [label(name) for name in names],
        "hovertemplate": "%{customdata}: %{y:.4f}<extra></extra>",
        "marker": {
            "color": role_colour(role, mode),
            "line": {"color": INK[mode], "width": [2 if i == marked else 0 for i in range(N)]},
        },
    }
    return {"data": [bars], "layout": figure}
