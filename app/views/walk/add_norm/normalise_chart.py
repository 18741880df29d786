"""Normalising one vector, drawn as what each step does to its numbers. (D numbers each)"""

from collections.abc import Mapping

import numpy as np

from app.charts.parts import marks
from app.charts.theme import INK, QUIET, Figure, Floats, axis, layout, role_colour, value_axis
from app.format import label, number, signed


def normalising(steps: Mapping[str, Floats], *, hover: str, x_title: str) -> Figure:
    """Draw the numbers (D,) after each step as a row of ticks, with mean and deviation.

    A diamond is the mean, the bar on both sides of it the deviation.
    """
    count = len(steps)
    figure = layout("", height=62 * count + 50)
    figure["xaxis"] = value_axis(x_title, zeroline=True, zerolinecolor=QUIET)
    figure["yaxis"] = axis(
        tickvals=list(range(count)),
        ticktext=[f"<b>{label(name)}</b>" for name in steps],
        range=[count - 0.4, -0.6],
    )
    ends = [float(end) for values in steps.values() for end in (values.min(), values.max())]
    room = 0.04 * (max(ends) - min(ends))
    figure["xaxis"]["range"] = [min(ends) - room, max(ends) + room]
    figure["shapes"] = [
        _ticks(row, np.round(values, 4)) for row, values in enumerate(steps.values())
    ]
    data = [_middle(row, values, label(hover)) for row, values in enumerate(steps.values())]
    return {"data": data, "layout": figure}


def _ticks(row: int, values: Floats) -> Figure:
    """Return a tick for each number, all as one path: markers, one a number, are slow to draw."""
    return {
        "type": "path",
        "path": "".join(f"M{x:g},{row - 0.15}L{x:g},{row + 0.15}" for x in values.tolist()),
        "opacity": 0.55,
        "line": {"width": 1, "color": role_colour("residual")},
    }


def _middle(row: int, values: Floats, hover: str) -> Figure:
    mean, deviation = float(values.mean()), float(values.std())
    bar = {"type": "data", "array": [deviation], "color": INK, "thickness": 2}
    hover = f"{hover}: {signed(mean, 4)}, {number(deviation, 4)}<extra></extra>"
    look = {"error_x": bar, "hovertemplate": hover}
    return marks([mean], [row + 0.33], INK, "diamond", 9, **look)
