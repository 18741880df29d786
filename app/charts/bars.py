"""Bars for one distribution: a pinned row of weights, or the next token."""

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
    count = len(labels)
    text = [probability(p) for p in probabilities.tolist()]
    trace = bars(probabilities, labels, role, marked=marked, text=text)
    trace["marker"]["opacity"] = [1.0 if marked in (None, i) else 0.55 for i in range(count)]
    figure = layout(title, height=ROW * count + (95 if title else 62))
    # A little more than 1, so that the number beside a full bar is still inside.
    figure["xaxis"] = value_axis(value_title, range=[0, 1.12], tickvals=[0, 0.25, 0.5, 0.75, 1])
    figure["yaxis"] = names_axis(labels, down=True, marked=marked)
    figure["bargap"] = 0.25
    return {"data": [trace], "layout": figure}
