"""One number per layer on a logarithmic axis, for several networks of the same depth."""

import math
from collections.abc import Sequence
from itertools import cycle

from app.charts.curves import Curve
from app.charts.parts import polyline
from app.charts.theme import Figure, axis, layout, legend_above, role_colour, value_axis
from app.format import label

SYMBOLS = ("diamond", "circle")
SMALLEST = 1e-300  # 0 has no place on a logarithmic axis


def depth_lines(drawn: Sequence[Curve], *, layer_title: str, value_title: str) -> Figure:
    """Draw curves over the layers, from layer 1; each has its own colour, line and marker."""
    figure = layout("", height=260)
    last = max(int(curve.x[-1]) for curve in drawn)
    span, apart = [0.5, last + 0.5], max(1, last // 10)
    figure["xaxis"] = axis(layer_title, standoff=4, range=span, tick0=1, dtick=apart)
    ends = [max(float(one), SMALLEST) for curve in drawn for one in (curve.y.min(), curve.y.max())]
    decades = math.log10(max(ends) / min(ends))
    figure["yaxis"] = value_axis(
        value_title, type="log", exponentformat="power", dtick=max(1, math.ceil(decades / 8))
    )
    legend_above(figure)
    lines = [_line(curve, symbol) for curve, symbol in zip(drawn, cycle(SYMBOLS), strict=False)]
    return {"data": lines, "layout": figure}


def _line(curve: Curve, symbol: str) -> Figure:
    colour = role_colour(curve.role)
    return polyline(
        curve.x.tolist(),
        [float(f"{max(y, SMALLEST):.5g}") for y in curve.y],
        {"color": colour, "dash": "dot" if curve.look == "dash" else "solid", "width": 2},
        mode="lines+markers",
        name=label(curve.name),
        marker={"color": colour, "symbol": symbol, "size": 7},
        hovertemplate="%{x}: %{y}<extra>" + label(curve.name) + "</extra>",
    )
