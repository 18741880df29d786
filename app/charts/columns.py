"""Upright bars: one number for each word or hidden unit."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from app.charts.parts import bars
from app.charts.theme import Figure, Role, layout, names_axis, value_axis
from app.format import number


def columns(
    values: NDArray[np.floating],
    names: Sequence[str],
    *,
    y_title: str,
    title: str = "",
    x_title: str = "",
    role: Role = "output",
    marked: int | None = None,
) -> Figure:
    """Draw values (N,) as bars from 0, with the `marked` one outlined."""
    N = len(names)
    figure = layout(title, height=300)
    turned: Figure = {"tickangle": -90 if N > 6 else 0, "range": [-0.6, N - 0.4]}
    figure["xaxis"] = names_axis(names, marked=marked, title=x_title, **turned)
    top = float(values.max(initial=0.0)) or 1.0
    low = min(0.0, float(values.min(initial=0.0))) * 1.1
    figure["yaxis"] = value_axis(y_title, range=[low, top * 1.15])
    text = [number(value) for value in values] if N <= 16 else None
    trace = bars(values, names, role, upright=True, marked=marked, text=text)
    return {"data": [trace], "layout": figure}
