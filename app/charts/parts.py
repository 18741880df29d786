"""The parts that charts are made of: bars, cells, markers, texts, notes, frames and lines."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.charts.theme import INK, QUIET, Figure, Role, Scale, role_colour, scale_colours
from app.format import label, listed


def bars(
    values: NDArray[np.number],
    names: Sequence[str],
    role: Role,
    *,
    upright: bool = False,
    marked: int | None = None,
    marker: Figure | None = None,
    **settings: Any,
) -> Figure:
    """Return a bar for each of the values (N,), with the marked one outlined; NaN has no bar.

    Raises ValueError if there are not N names.
    """
    if values.shape != (len(names),):
        raise ValueError(f"{values.shape} values need as many labels, not {len(names)}.")
    along, across = "yx" if upright else "xy"
    line = {"color": INK, "width": [2 if i == marked else 0 for i in range(len(names))]}
    return {
        "type": "bar",
        "orientation": "v" if upright else "h",
        along: gaps(values),
        across: list(range(len(names))),
        "customdata": [label(name) for name in names],
        "hovertemplate": f"%{{customdata}}: %{{{along}}}<extra></extra>",
        "textposition": "outside",
        "cliponaxis": False,
        "marker": {"color": role_colour(role), "line": line, **(marker or {})},
        **settings,
    }


def cells(z: Any, scale: Scale, reach: float = 1.0, **settings: Any) -> Figure:
    """Return cells coloured from 0 to `reach`, or from -`reach` on the signed scale."""
    return {
        "type": "heatmap",
        "z": z,
        "zmin": -reach if scale == "signed" else 0,
        "zmax": reach,
        "colorscale": scale_colours(scale),
        "showscale": "colorbar" in settings,
        **settings,
    }


def place() -> str:
    """Return the mark that stands for the two coordinates of a point."""
    return f"({listed(['%{x}', '%{y}'])})"


def gaps(values: NDArray[np.number]) -> list[Any]:
    """Return numbers as lists with None for every non-finite number, as JSON has no NaN."""
    return np.where(np.isfinite(values), values, None).tolist()  # type: ignore[call-overload]


def marks(
    x: Any, y: Any, colour: Any, symbol: Any, size: Any, *, outline: Any = 0, **settings: Any
) -> Figure:
    """Return markers at places (N,), outlined in the text colour."""
    line = {"color": INK, "width": outline}
    marker = {"color": colour, "symbol": symbol, "size": size, "line": line}
    return {"type": "scatter", "mode": "markers", "x": x, "y": y, "marker": marker, **settings}


def polyline(x: Any, y: Any, look: Figure, **settings: Any) -> Figure:
    """Return a line through places (N,); `look` is Plotly's `line`."""
    return {"type": "scatter", "mode": "lines", "x": x, "y": y, "line": look, **settings}


def texts(x: Any, y: Any, text: Sequence[str], position: Any, colour: Any, size: Any) -> Figure:
    """Return texts beside places (N,), without a hover text."""
    return {
        "type": "scatter",
        "mode": "text",
        "x": x,
        "y": y,
        "text": text,
        "textposition": position,
        "textfont": {"color": colour, "size": size},
        "cliponaxis": False,
        "hoverinfo": "skip",
        "showlegend": False,
    }


def colour_bar(**settings: Any) -> Figure:
    """Return the colour bar that explains the colours of cells."""
    return {"tickfont": {"color": QUIET}, **settings}


def note(
    text: str, x: float, y: float, *, colour: str = INK, size: int = 12, **settings: Any
) -> Figure:
    """Return a text at a place; HTML is drawn as such."""
    font = {"color": colour, "size": size}
    return {"text": text, "x": x, "y": y, "showarrow": False, "font": font, **settings}


def frame(x0: float, x1: float, y0: float, y1: float, *, colour: str = INK, **look: Any) -> Figure:
    """Return the outline of a rectangle."""
    ends = {"x0": x0, "x1": x1, "y0": y0, "y1": y1}
    return {"type": "rect", **ends, "line": {"color": colour, "width": 2, **look}}


def upright_line(x: float, **look: Any) -> Figure:
    """Return a dashed line from the bottom of a chart to its top."""
    ends = {"x0": x, "x1": x, "y0": 0, "y1": 1, "yref": "paper"}
    return {"type": "line", **ends, "line": {"color": INK, "width": 1.5, "dash": "dash", **look}}
