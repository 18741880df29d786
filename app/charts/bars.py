"""Bars that lie one below the other: of one distribution, or of a few named numbers."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from app.charts.parts import bars
from app.charts.theme import Figure, Role, layout, names_axis, value_axis
from app.format import probability

ROW = 22  # pixels per bar


def distribution_bars(
    probabilities: NDArray[np.floating],
    labels: Sequence[str],
    role: Role,
    value_title: str,
    title: str = "",
    marked: int | None = None,
) -> Figure:
    """Draw probabilities (N,), the first on top, always from 0 to 1."""
    text = [probability(p) for p in probabilities.tolist()]
    # A little more than 1, so that the number beside a full bar is still inside.
    scale = {"range": [0, 1.12], "tickvals": [0, 0.25, 0.5, 0.75, 1]}
    figure = named_bars(probabilities, labels, role, text, value_title, scale, marked, title)
    opacity = [1.0 if marked in (None, i) else 0.55 for i in range(len(labels))]
    figure["data"][0]["marker"]["opacity"] = opacity
    return figure


def named_bars(
    values: NDArray[np.number],
    names: Sequence[str],
    role: Role,
    text: Sequence[str],
    value_title: str,
    scale: Figure,
    marked: int | None = None,
    title: str = "",
    row: int = ROW,
) -> Figure:
    """Draw values (N,), the first on top, each with its text; `scale` is Plotly's of their axis."""
    figure = layout(title, height=row * len(names) + (95 if title else 62))
    figure["xaxis"] = value_axis(value_title, **scale)
    figure["yaxis"] = names_axis(names, down=True, marked=marked)
    figure["bargap"] = 0.25
    return {"data": [bars(values, names, role, marked=marked, text=text)], "layout": figure}
