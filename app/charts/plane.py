"""A plane of two inputs: two kinds of points, the lines that separate them, the output anywhere."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from app.charts.parts import cells, colour_bar, marks, place, polyline
from app.charts.theme import GRID, INK, QUIET, Figure, Role, axis, layout, role_colour, role_shade
from app.format import label

Floats = NDArray[np.floating]
Span = tuple[float, float]
CORNERS: Span = (-0.6, 1.6)  # around 0 and 1, with room for names


@dataclass(frozen=True, eq=False)
class Dots:
    """Points (N, 2) of one kind, told apart by colour and symbol; `texts` stand beside them."""

    name: str
    points: Floats
    role: Role
    symbol: str
    texts: Sequence[str] = ()
    size: int = 13


@dataclass(frozen=True)
class Line:
    """The line where w₁x₁ + w₂x₂ + w₃ = 0; `filled` shades the side where the sum is positive."""

    name: str
    weights: tuple[float, float, float]
    role: Role
    dash: str = "solid"
    filled: bool = False


@dataclass(frozen=True, eq=False)
class Surface:
    """Numbers from 0 to 1 (M, M) at places (M,) on both axes, with the first row at the bottom."""

    places: Floats
    values: Floats
    title: str


def plane(
    dots: Sequence[Dots],
    lines: Sequence[Line],
    *,
    x_title: str,
    y_title: str,
    across: Span = CORNERS,
    up: Span | None = None,
    surface: Surface | None = None,
    clickable: Floats | None = None,
    height: int = 320,
) -> Figure:
    """Draw the plane; `clickable` (N, 2) are places that take a click, on top of the rest.

    `up` defaults to the span `across`. Without a `y_title` the plane is a line, on which only the
    horizontal coordinate counts.
    """
    up = up or across
    figure = layout("", height)
    # The legend stands beside the square plane, because below it would make the plane smaller. With
    # a surface, its colour bar stands there instead.
    figure["showlegend"] = bool(dots or lines) and surface is None
    figure["legend"] = {"x": 1.02, "y": 1, "yanchor": "top"}
    grid = {"showgrid": True, "gridcolor": GRID, "zeroline": True, "zerolinecolor": QUIET}
    grid["dtick"] = 2 if across[1] - across[0] > 4 else 0.5
    figure["xaxis"] = axis(x_title, 4, range=list(across), **grid)
    upright = {"title": y_title, **grid} if y_title else {"showticklabels": False}
    figure["yaxis"] = axis(range=list(up), scaleanchor="x", **upright)
    data = [] if surface is None else [_surface(surface)]
    data += [trace for line in lines for trace in _line(line, across, up)]
    data += [_dots(each) for each in dots]
    if clickable is not None:
        data.append(_targets(clickable))
    return {"data": data, "layout": figure}


def ends(weights: tuple[float, float, float], across: Span, up: Span) -> Floats:
    """Return where a line enters and leaves a rectangle: (2, 2), or (0, 2) if it misses it."""
    corners = _corners(across, up)
    sides = zip(corners, np.roll(corners, -1, 0), strict=True)
    cuts = [_cut(weights, a, b) for a, b in sides if _value(weights, a) * _value(weights, b) < 0]
    on = [corner for corner in corners if _value(weights, corner) == 0]
    found = np.array([*cuts, *on])
    return found[:2] if len(found) >= 2 and any(weights[:2]) else np.empty((0, 2))


def _corners(across: Span, up: Span) -> Floats:
    (left, right), (low, high) = across, up
    return np.array([(left, low), (right, low), (right, high), (left, high)], float)


def _value(weights: tuple[float, float, float], at: Floats) -> float:
    return float(weights[0] * at[0] + weights[1] * at[1] + weights[2])


def _cut(weights: tuple[float, float, float], a: Floats, b: Floats) -> Floats:
    at_a, at_b = _value(weights, a), _value(weights, b)
    return a + (b - a) * at_a / (at_a - at_b)


def _line(line: Line, across: Span, up: Span) -> list[Figure]:
    x, y = (column.tolist() or [None] for column in ends(line.weights, across, up).T)
    look = {"color": role_colour(line.role), "width": 3, "dash": line.dash}
    drawn = polyline(x, y, look, name=label(line.name), hoverinfo="skip")
    return [_side(line, across, up), drawn] if line.filled else [drawn]


def _side(line: Line, across: Span, up: Span) -> Figure:
    """Shade the part of the rectangle where the line's sum is nonnegative."""
    corners = _corners(across, up)
    kept: list[Floats] = []
    for a, b in zip(corners, np.roll(corners, -1, 0), strict=True):
        if _value(line.weights, a) >= 0:
            kept.append(a)
        if _value(line.weights, a) * _value(line.weights, b) < 0:
            kept.append(_cut(line.weights, a, b))
    x, y = np.array(kept).reshape(-1, 2).T.tolist()
    area = {"fill": "toself", "fillcolor": role_shade(line.role)}
    return polyline(x, y, {"width": 0}, hoverinfo="skip", showlegend=False, **area)


def _dots(dots: Dots) -> Figure:
    colour, name = role_colour(dots.role), label(dots.name)
    # Without any place there would be no legend entry, and the first point would shift the plane.
    x, y = (column.tolist() or [None] for column in dots.points.T)
    trace = marks(x, y, colour, dots.symbol, dots.size, outline=2, name=name, cliponaxis=False)
    if "open" in dots.symbol:
        trace["marker"]["line"]["color"] = colour
    return trace | {
        "mode": "markers+text" if dots.texts else "markers",
        "text": [label(text) for text in dots.texts],
        "textposition": "top right",
        "textfont": {"color": INK, "size": 13},
        "hovertemplate": f"{place()}<extra>{name}</extra>",
    }


def _surface(surface: Surface) -> Figure:
    places, title = np.round(surface.places, 4).tolist(), label(surface.title)
    named = {"text": title, "side": "right"}
    return cells(
        np.round(surface.values, 4).tolist(),
        "weights",
        x=places,
        y=places,
        hovertemplate=f"{place()}: %{{z}}<extra>{title}</extra>",
        colorbar=colour_bar(tickvals=[0, 0.5, 1], title=named),
    )


def _targets(places: Floats) -> Figure:
    """Return invisible markers, which can be clicked."""
    return {
        "type": "scatter",
        "mode": "markers",
        "x": places[:, 0].tolist(),
        "y": places[:, 1].tolist(),
        "marker": {"symbol": "square", "size": 24, "opacity": 0},
        "hovertemplate": f"{place()}<extra></extra>",
        "showlegend": False,
    }
