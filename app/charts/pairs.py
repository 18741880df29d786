"""Up to four numbers for each word or head, one bar below the other."""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from app.charts.parts import bars
from app.charts.theme import (
    INK,
    Figure,
    Role,
    layout,
    legend_above,
    names_axis,
    role_colour,
    value_axis,
)
from app.format import label, number

ROW = 18  # pixels per bar
FEW = 16  # more pairs than this are drawn smaller
PATTERNS = ("", "/", "x", ".")  # tell the series apart without colour

Series = tuple[str, Role, NDArray[np.floating]]  # its name, its colour, its values (N,)


def pair_bars(
    pairs: Sequence[Series],
    labels: Sequence[str],
    *,
    value_title: str,
    span: tuple[float, float] | None = None,
) -> Figure:
    """Draw one to four named series (N,), each with its colour, as groups of bars from 0.

    `span` fixes the ends of the axis; without it, the axis spans the numbers. NaN has no bar.
    """
    shapes = {values.shape for _, _, values in pairs}
    if len(pairs) > len(PATTERNS) or shapes != {(len(labels),)}:
        raise ValueError("One to four series are needed, with one number for each label.")
    count = len(labels)
    figure = layout("", height=int(np.clip(FEW / count, 0.6, 1) * ROW * len(pairs) * count) + 150)
    low, high = span or _span(np.concatenate([values for _, _, values in pairs]))
    figure["xaxis"] = value_axis(value_title, range=[low, high], zeroline=True, zerolinecolor=INK)
    figure["yaxis"] = names_axis(labels, down=True)
    figure |= {"barmode": "group", "bargap": 0.25, "bargroupgap": 0.05}
    legend_above(figure)
    if len(pairs) > 2:
        figure["margin"]["t"] += 22  # on a phone the legend has two lines
    data = [
        bars(
            values,
            labels,
            role,
            name=label(name),
            text=["" if math.isnan(value) else number(value) for value in values.tolist()],
            hovertemplate=f"%{{customdata}}, {label(name)}: %{{x}}<extra></extra>",
            marker={
                "line": {"color": role_colour(role), "width": 1},
                "pattern": {"shape": pattern, "fillmode": "overlay", "solidity": 0.4},
            },
        )
        for (name, role, values), pattern in zip(pairs, PATTERNS, strict=False)
    ]
    return {"data": data, "layout": figure}


def _span(values: NDArray[np.floating]) -> tuple[float, float]:
    """Return the ends of the axis, with room for the number at the end of the longest bar."""
    low, high = min(float(values.min()), 0.0), max(float(values.max()), 0.0)
    room = 0.14 * ((high - low) or 1.0)
    return (low - room if low < 0 else 0.0), high + room
