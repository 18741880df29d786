"""How far each token's output moves when the words change places, on a logarithmic scale."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from app.charts.theme import GRID, INK, QUIET, Figure, Mode, axis, label, layout, role_colour

LEAST = 1e-8  # an exact 0 has no place on the scale: it stands at its left end


def moved(
    without: NDArray[np.floating],
    with_positions: NDArray[np.floating],
    words: Sequence[str],
    *,
    names: tuple[str, str],
    x_title: str,
    chosen: int,
    mode: Mode = "light",
) -> Figure:
    """Draw two distances (S,) for each word: without positions and with them."""
    S = len(words)
    figure = layout("", mode, height=27 * S + 120)
    figure["margin"]["t"] = 58
    figure["xaxis"] = axis(
        mode,
        type="log",
        title={"text": label(x_title)},
        range=[-8.3, 1.6],
        tickvals=[10.0**n for n in range(-8, 2, 2)],
        ticktext=["0", "10⁻⁶", "10⁻⁴", "0.01", "1"],
        showgrid=True,
        gridcolor=GRID[mode],
    )
    figure["yaxis"] = axis(
        mode,
        tickvals=list(range(S)),
        ticktext=[f"<b>{label(w)}</b>" if i == chosen else label(w) for i, w in enumerate(words)],
        range=[S - 0.5, -0.5],
    )
    figure["showlegend"] = True
    figure["legend"] = {"orientation": "h", "x": 0, "y": 1, "yanchor": "bottom"}
    figure["shapes"] = [
        {
            "type": "line",
            "x0": max(a, LEAST),
            "x1": max(b, LEAST),
            "y0": i,
            "y1": i,
            "line": {"color": QUIET[mode], "width": 1},
            "layer": "below",
        }
        for i, (a, b) in enumerate(zip(without.tolist(), with_positions.tolist(), strict=True))
    ]
    looks = (("residual", "circle"), ("input", "diamond"))
    data = [
        {
            "type": "scatter",
            "mode": "markers",
            "name": name,
            "x": np.maximum(values, LEAST).tolist(),
            "y": list(range(S)),
            "customdata": [
                [label(word), f"{v:.2e}"] for word, v in zip(words, values, strict=True)
            ],
            "hovertemplate": "%{customdata[0]}: %{customdata[1]}<extra></extra>",
            "marker": {
                "color": role_colour(role, mode),  # type: ignore[arg-type]
                "symbol": symbol,
                "size": 11,
                "line": {"color": INK[mode], "width": 1},
            },
        }
        for name, values, (role, symbol) in zip(
            names, (without, with_positions), looks, strict=True
        )
    ]
    return {"data": data, "layout": figure}
