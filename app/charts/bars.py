"""Bars for one distribution: the pinned row of weights, or the next token."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from app.charts.theme import INK, Figure, Mode, Role, layout, names_axis, role_colour, value_axis
from app.format import label

ROW = 22  # pixels a bar


def row_bars(
    weights_row: NDArray[np.floating],
    labels: Sequence[str],
    *,
    value_title: str,
    title: str = "",
    mode: Mode = "light",
    highlight: int | None = None,
) -> Figure:
    """Draw one row of weights (S,), one bar a key, always from 0 to 1."""
    return _bars(weights_row, labels, value_title, title, mode, highlight, "key")


def next_token_bars(
    probabilities: NDArray[np.floating],
    labels: Sequence[str],
    *,
    value_title: str,
    title: str = "",
    mode: Mode = "light",
    chosen: int | None = None,
) -> Figure:
    """Draw the probabilities (K,) of the next token, the first on top, always from 0 to 1."""
    return _bars(probabilities, labels, value_title, title, mode, chosen, "output")


def _bars(
    values: NDArray[np.floating],
    labels: Sequence[str],
    value_title: str,
    title: str,
    mode: Mode,
    marked: int | None,
    role: Role,
) -> Figure:
    if values.shape != (len(labels),):
        raise ValueError(f"{values.shape} values need as many labels, not {len(labels)}.")
    count = len(labels)
    names = [label(text) for text in labels]
    figure = layout(title, mode, height=ROW * count + (95 if title else 62))
    # A little more than 1, so that the number beside a full bar is still inside.
    figure["xaxis"] = value_axis(
        value_title, mode, range=[0, 1.12], tickvals=[0, 0.25, 0.5, 0.75, 1]
    )
    figure["yaxis"] = names_axis(labels, mode, down=True, marked=marked)
    figure["bargap"] = 0.25
    bars: Figure = {
        "type": "bar",
        "orientation": "h",
        "x": np.round(values, 4).tolist(),
        "y": list(range(count)),
        "text": [_number(value) for value in values.tolist()],
        "textposition": "outside",
        "cliponaxis": False,
        "customdata": names,
        "hovertemplate": "%{customdata}: %{x:.4f}<extra></extra>",
        "marker": {
            "color": role_colour(role, mode),
            "opacity": [1.0 if marked in (None, i) else 0.55 for i in range(count)],
            "line": {
                "color": INK[mode],
                "width": [2 if i == marked else 0 for i in range(count)],
            },
        },
    }
    return {"data": [bars], "layout": figure}


def _number(value: float) -> str:
    return f"{value:.3f}" if value >= 0.0005 else "<0.001" if value > 0 else "0"
