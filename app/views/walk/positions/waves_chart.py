"""Positional encodings as waves: pairs of a sine and a cosine, one below the other."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.charts.theme import GRID, INK, Figure, Mode, Role, axis, layout, legend_above, role_colour
from app.format import label

Floats = NDArray[np.floating]
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


def waves(
    pairs: Sequence[Wave],
    *,
    length: int,
    here: int,
    chosen: int,
    names: tuple[str, str],
    x_title: str,
    mode: Mode = "light",
) -> Figure:
    """Draw pairs one below the other: curves by formula, dots as captured, a line at `here`."""
    figure = layout("", mode, height=92 * len(pairs) + 90)
    legend_above(figure)
    figure["xaxis"] = axis(
        mode, title={"text": label(x_title)}, range=[-0.6, length - 0.4], tickformat="d"
    )
    middles = [STEP * i for i in range(len(pairs))]
    figure["yaxis"] = axis(
        mode,
        tickvals=middles,
        # What a pair is, above how fast it turns.
        ticktext=[
            f"<b>{name}</b>" if i == chosen else name
            for i, name in enumerate(label(pair.name).replace(": ", "<br>") for pair in pairs)
        ],
        range=[middles[-1] - 1.3, 1.3],
    )
    figure["shapes"] = [
        _line(mode, x0=here, x1=here, y0=0, y1=1, yref="paper", dash="dot"),
        *(_line(mode, x0=0, x1=1, xref="paper", y0=y, y1=y, width=1, faint=True) for y in middles),
    ]
    time = np.arange(0, length - 1 + 0.05, 0.1)
    data: list[Figure] = []
    for way, name, dots in zip(
        WAYS, names, ([pair.sines for pair in pairs], [pair.cosines for pair in pairs]), strict=True
    ):
        curves = [way.of(time * pair.rate) for pair in pairs]
        for strong in (False, True):
            rows = [i for i in range(len(pairs)) if (i == chosen) == strong]
            data.append(_curves(time, curves, rows, way, name, strong, mode))
        data.append(_dots(dots, chosen, way, name, mode))
    return {"data": data, "layout": figure}


def _curves(
    time: Floats,
    curves: Sequence[Floats],
    rows: Sequence[int],
    way: Way,
    name: str,
    strong: bool,
    mode: Mode,
) -> Figure:
    """Return the curves of some rows as one line with gaps: Plotly is slow with many."""
    return {
        "type": "scatter",
        "mode": "lines",
        "x": np.tile(np.append(time, np.nan), len(rows)).astype(np.float32),
        "y": np.array([y for i in rows for y in (*curves[i] + STEP * i, np.nan)], np.float32),
        "line": {
            "color": role_colour(way.role, mode),
            "width": 2.5 if strong else 1.5,
            "dash": way.dash,
        },
        "opacity": 1.0 if strong else 0.75,
        "hoverinfo": "skip",
        "legendgroup": name,
        "name": name,
        "showlegend": strong,
    }


def _dots(dots: Sequence[Floats], chosen: int, way: Way, name: str, mode: Mode) -> Figure:
    """Return the model's numbers (T,) of every row."""
    return {
        "type": "scatter",
        "mode": "markers",
        "x": [position for row in dots for position in range(len(row))],
        "y": np.round([y + STEP * i for i, row in enumerate(dots) for y in row], 4).tolist(),
        "customdata": np.round(np.concatenate(dots), 5).tolist(),
        "hovertemplate": "%{x}: %{customdata:+.5f}" + f"<extra>{label(name)}</extra>",
        "marker": {
            "color": role_colour(way.role, mode),
            "opacity": [1.0 if i == chosen else 0.75 for i, row in enumerate(dots) for _y in row],
            "size": 8,
            "symbol": way.symbol,
            "line": {"color": INK[mode], "width": 1},
        },
        "legendgroup": name,
        "name": name,
        "showlegend": False,
    }


def _line(
    mode: Mode, *, width: float = 1.5, dash: str = "solid", faint: bool = False, **ends: float | str
) -> Figure:
    colour = GRID[mode] if faint else INK[mode]
    return {
        "type": "line",
        **ends,
        "line": {"color": colour, "width": width, "dash": dash},
        "layer": "below" if faint else "above",
    }
