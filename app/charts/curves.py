"""Curves over the steps of a training run, with a line at the selected step."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from app.charts.parts import polyline, upright_line
from app.charts.theme import QUIET, Figure, Role, axis, layout, role_colour, value_axis
from app.format import label

BOTTOM = {"y": 0, "yref": "container", "yanchor": "bottom"}
Look = Literal["line", "dash", "points"]


@dataclass(frozen=True)
class Curve:
    """One curve: values y (N,) at steps x (N,); `look` tells it apart in addition to its colour."""

    name: str
    x: NDArray[np.number]
    y: NDArray[np.floating]
    role: Role
    look: Look = "line"


def curves(
    drawn: Sequence[Curve],
    step_title: str,
    value_title: str,
    *,
    title: str = "",
    steps: int | None = None,
    span: tuple[float, float] | None = None,
    here: int | None = None,
    height: int = 250,
) -> Figure:
    """Draw curves over `steps`; `here` is the selected step."""
    for curve in drawn:
        if curve.x.shape != curve.y.shape:
            raise ValueError(f"{curve.name}: {curve.y.shape} values at {curve.x.shape} steps.")
    figure = layout(title, height)
    last = steps or max((int(curve.x[-1]) for curve in drawn if curve.x.size), default=1)
    small: Figure = {"tickfont": {"color": QUIET, "size": 11}}
    figure["xaxis"] = axis(step_title, 4, range=[0, last * 1.01], nticks=6, **small)
    reach = {"range": list(span)} if span else {"rangemode": "tozero"}
    figure["yaxis"] = value_axis(value_title, nticks=5, **small, **reach)
    if len(drawn) > 1:
        figure["showlegend"] = True  # below the chart: on a phone each name takes a line
        figure["legend"] = {"orientation": "h", "x": 0, **BOTTOM}
    if here is not None:
        figure["shapes"] = [upright_line(here)]
    return {"data": [_line(curve) for curve in drawn], "layout": figure}


def _line(curve: Curve) -> Figure:
    colour = role_colour(curve.role)
    return polyline(
        curve.x.tolist(),
        # JSON has neither NaN nor infinity: they become gaps.
        [float(f"{y:.5g}") if np.isfinite(y) else None for y in curve.y],
        {"color": colour, "width": 2, "dash": "dot" if curve.look == "dash" else "solid"},
        mode="lines+markers" if curve.look == "points" or len(curve.y) == 1 else "lines",
        name=label(curve.name),
        marker={"color": colour, "size": 7, "symbol": "diamond"},
        cliponaxis=len(curve.y) > 1,
        hovertemplate="%{x}: %{y}<extra>" + label(curve.name) + "</extra>",
    )
