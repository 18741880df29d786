"""Positional encodings as waves: pairs of a sine and a cosine, one below the other."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from app.charts.theme import (
    GRID,
    INK,
    Figure,
    Mode,
    axis,
    label,
    layout,
    legend_above,
    role_colour,
)

Floats = NDArray[np.floating]


@dataclass(frozen=True)
class Wave:
    """One pair: its name, its curve, and the model's numbers where the tokens stand."""

    name: str
    rate: float  # radians a position
    sines: Floats  # (T,)
    cosines: Floats  # (T,)


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
    middles = [-2.6 * i for i in range(len(pairs))]
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
    for i, (pair, middle) in enumerate(zip(pairs, middles, strict=True)):
        strong = i == chosen
        angle = time * pair.rate
        for j, (curve, dots) in enumerate(
            ((np.sin(angle), pair.sines), (np.cos(angle), pair.cosines))
        ):
            data.extend(_curve(time, curve, dots, middle, names[j], j, i == 0, strong, mode))
    return {"data": data, "layout": figure}


def _curve(
    time: Floats,
    curve: Floats,
    dots: Floats,
    middle: float,
    name: str,
    which: int,
    first: bool,
    strong: bool,
    mode: Mode,
) -> list[Figure]:
    colour = role_colour("input" if which == 0 else "query", mode)
    shared = {"legendgroup": name, "name": name, "opacity": 1.0 if strong else 0.75}
    line: Figure = {
        "type": "scatter",
        "mode": "lines",
        "x": np.round(time, 2).tolist(),
        "y": np.round(curve + middle, 3).tolist(),
        "line": {
            "color": colour,
            "width": 2.5 if strong else 1.5,
            "dash": "solid" if which == 0 else "dash",
        },
        "hoverinfo": "skip",
        "showlegend": first,
        **shared,
    }
    points: Figure = {
        "type": "scatter",
        "mode": "markers",
        "x": list(range(len(dots))),
        "y": np.round(dots + middle, 4).tolist(),
        "customdata": np.round(dots, 5).tolist(),
        "hovertemplate": "%{x}: %{customdata:+.5f}" + f"<extra>{label(name)}</extra>",
        "marker": {
            "color": colour,
            "size": 8,
            "symbol": "circle" if which == 0 else "diamond",
            "line": {"color": INK[mode], "width": 1},
        },
        "showlegend": False,
        **shared,
    }
    return [line, points]


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
