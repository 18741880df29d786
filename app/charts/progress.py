"""How likely a sentence is so far, step by step: log-probabilities added up."""

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from app.charts.theme import (
    INK,
    Figure,
    Mode,
    Role,
    axis,
    label,
    layout,
    legend_above,
    role_colour,
    value_axis,
)

# Two ways are told apart by colour, line and sign.
LOOKS: Final[tuple[tuple[Role, str, str, str], ...]] = (
    ("key", "dash", "circle", "bottom center"),
    ("value", "solid", "diamond", "top center"),
)
MOST_NAMED = 10  # more steps than this leave no room for words


def log_prob_lines(
    ways: Mapping[str, tuple[NDArray[np.floating], Sequence[str]]],
    *,
    step_title: str,
    value_title: str,
    title: str = "",
    mode: Mode = "light",
) -> Figure:
    """Draw one or two ways by name: log-probabilities (T,) of their pieces, and the pieces."""
    if not 1 <= len(ways) <= len(LOOKS):
        raise ValueError(f"One or two ways can be compared, not {len(ways)}.")
    longest = max(len(pieces) for _, pieces in ways.values())
    figure = layout(title, mode, height=330)
    figure["xaxis"] = axis(
        mode, title={"text": label(step_title)}, range=[0.5, longest + 0.5],
        dtick=max(1, longest // 15),
    )  # fmt: skip
    figure["yaxis"] = value_axis(value_title, mode)
    legend_above(figure)
    lines = [
        _line(name, *way, look, longest <= MOST_NAMED, mode)
        for (name, way), look in zip(ways.items(), LOOKS, strict=False)
    ]
    return {"data": lines, "layout": figure}


def _line(
    name: str,
    log_probs: NDArray[np.floating],
    pieces: Sequence[str],
    look: tuple[Role, str, str, str],
    named: bool,
    mode: Mode,
) -> Figure:
    role, dash, symbol, position = look
    colour = role_colour(role, mode)
    return {
        "type": "scatter",
        "mode": "lines+markers+text" if named else "lines+markers",
        "name": label(name),
        "x": list(range(1, len(pieces) + 1)),
        "y": np.round(np.cumsum(log_probs), 4).tolist(),
        "text": [label(piece) for piece in pieces],
        "textposition": position,
        "textfont": {"color": INK[mode]},
        "cliponaxis": False,
        "customdata": np.round(log_probs, 4).tolist(),
        "hovertemplate": "%{text}: log p = %{customdata:.4f}, Σ = %{y:.4f}<extra></extra>",
        "line": {"color": colour, "dash": dash, "width": 2},
        "marker": {"color": colour, "symbol": symbol, "size": 9},
    }
