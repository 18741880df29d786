"""Bars for one distribution: the pinned row of weights, or the next token."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from app.charts.parts import bars
from app.charts.theme import Figure, Role, layout, names_axis, value_axis

ROW = 22  # pixels a bar


def row_bars(
    weights_row: NDArray[np.floating],
    labels: Sequence[str],
    *,
    value_title: str,
    title: str = "",
    highlight: int | None = None,
) -> Figure:
    """Draw one row of weights (S,), one bar a key, always from 0 to 1."""
    return _distribution(weights_row, labels, value_title, title, highlight, "key")


def next_token_bars(
    probabilities: NDArray[np.floating],
    labels: Sequence[str],
    *,
    value_title: str,
    title: str = "",
    chosen: int | None = None,
) -> Figure:
    """Draw the probabilities (K,) of the next token, the first on top, always from 0 to 1."""
    return _distribution(probabilities, labels, value_title, title, chosen, "output")


def _distribution(
    values: NDArray[np.floating],
    labels: Sequence[str],
    value_title: str,
    title: str,
    marked: int | None,
    role: Role,
) -> Figure:
    count = len(labels)
    opacity = [1.0 if marked in (None, i) else 0.55 for i in range(count)]
    trace = bars(values, labels, role, marked=marked, text=[_number(p) for p in values.tolist()])
    trace["marker"]["opacity"] = opacity
    figure = layout(title, height=ROW * count + (95 if title else 62))
    # A little more than 1, so that the number beside a full bar is still inside.
    figure["xaxis"] = value_axis(value_title, range=[0, 1.12], tickvals=[0, 0.25, 0.5, 0.75, 1])
    figure["yaxis"] = names_axis(labels, down=True, marked=marked)
    figure["bargap"] = 0.25
    return {"data": [trace], "layout": figure}


def _number(value: float) -> str:
    return f"{value:.3f}" if value >= 0.0005 else "<0.001" if value > 0 else "0"
