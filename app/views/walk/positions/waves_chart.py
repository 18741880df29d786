"""Positional encodings as waves: pairs of a sine and a cosine, one below the other."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from app.charts.parts import marks, polyline, upright_line
from app.charts.theme import GRID, Figure, Floats, Role, axis, layout, legend_above, role_colour
from app.format import label, signed
from app.i18n import _

STEP = -2.6  # from the middle of a row to that of the next, which is below it


@dataclass(frozen=True)
class Wave:
    """One pair: its name, its curve, and the model's numbers where the tokens stand."""

    name: str
    rate: float  # radians a position
    sines: Floats  # (T,)
    cosines: Floats  # (T,)


class Way(NamedTuple):
    """How the sines are drawn, or the cosines."""

    of: Callable[[Floats], Floats]
    role: Role
    dash: str
    symbol: str


WAYS = (Way(np.sin, "input", "solid", "circle"), Way(np.cos, "query", "dash", "diamond"))


def waves(pairs: Sequence[Wave], *, length: int, here: int, chosen: int) -> Figure:
    """Draw pairs one below the other: curves by formula, dots as captured, a line at `here`."""
    figure = layout("", height=35 * len(pairs) + 80)
    legend_above(figure)
    figure["xaxis"] = axis(_("position"), range=[-0.6, length - 0.4], tickformat="d")
    middles = [STEP * i for i in range(len(pairs))]
    figure["yaxis"] = axis(
        tickvals=middles,
        # What a pair is, above how fast it turns.
        ticktext=[
            f"<b>{name}</b>" if i == chosen else name
            for i, name in enumerate(label(pair.name).replace(": ", "<br>") for pair in pairs)
        ],
        range=[middles[-1] - 1.3, 1.3],
    )
    faint: Figure = {"type": "line", "x0": 0, "x1": 1, "xref": "paper", "layer": "below"}
    faint["line"] = {"color": GRID, "width": 1}
    figure["shapes"] = [{**faint, "y0": y, "y1": y} for y in middles]
    figure["shapes"].append(upright_line(here, dash="dot"))
    time = np.arange(0, length - 1 + 0.05, 0.1)
    data: list[Figure] = []
    sines, cosines = [pair.sines for pair in pairs], [pair.cosines for pair in pairs]
    names = label(_("sine")), label(_("cosine"))
    for way, name, dots in zip(WAYS, names, (sines, cosines), strict=True):
        curves = [way.of(time * pair.rate) for pair in pairs]
        for strong in (False, True):
            rows = [i for i in range(len(pairs)) if (i == chosen) == strong]
            data.append(_curves(time, curves, rows, way, name, strong))
        data.append(_dots(dots, chosen, way, name))
    return {"data": data, "layout": figure}


def _curves(
    time: Floats, curves: Sequence[Floats], rows: Sequence[int], way: Way, name: str, strong: bool
) -> Figure:
    """Return the curves of some rows as one line with gaps: Plotly is slow with many."""
    return polyline(
        np.tile(np.append(time, np.nan), len(rows)).astype(np.float32),
        np.array([y for i in rows for y in (*curves[i] + STEP * i, np.nan)], np.float32),
        {"color": role_colour(way.role), "width": 2.5 if strong else 1.5, "dash": way.dash},
        opacity=1.0 if strong else 0.75,
        hoverinfo="skip",
        legendgroup=name,
        name=name,
        showlegend=strong,
    )


def _dots(dots: Sequence[Floats], chosen: int, way: Way, name: str) -> Figure:
    """Return the model's numbers (T,) of every row."""
    trace = marks(
        [position for row in dots for position in range(len(row))],
        np.round([y + STEP * i for i, row in enumerate(dots) for y in row], 4).tolist(),
        role_colour(way.role),
        way.symbol,
        8,
        outline=1,
        customdata=[signed(x, 5) for x in np.concatenate(dots).tolist()],
        hovertemplate="%{x}: %{customdata}" + f"<extra>{name}</extra>",
        legendgroup=name,
        name=name,
        showlegend=False,
    )
    opacity = [1.0 if i == chosen else 0.75 for i, row in enumerate(dots) for _each in row]
    trace["marker"]["opacity"] = opacity
    return trace
