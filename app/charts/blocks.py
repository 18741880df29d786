"""One bar for each block of a model, split into the counts of the block's parts."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from app.charts.parts import bars
from app.charts.theme import INK, Figure, Role, layout, names_axis, value_axis
from app.format import label

ROW = 22  # pixels per bar


@dataclass(frozen=True)
class Part:
    """One kind of part: its name, its colour and pattern, and its count in each block."""

    name: str
    role: Role
    pattern: str
    counts: Sequence[int]


def block_bars(blocks: Sequence[str], parts: Sequence[Part], *, value_title: str) -> Figure:
    """Draw one bar per block, the first on top; colour and pattern tell the parts apart."""
    count = len(blocks)
    figure = layout("", height=ROW * count + 132)
    figure |= {"barmode": "stack", "bargap": 0.25, "showlegend": True}
    below = {"x": 0, "y": -58 / (ROW * count), "yanchor": "top"}
    figure["legend"] = {"orientation": "h", "traceorder": "normal", **below}
    figure["xaxis"] = value_axis(value_title, standoff=4, nticks=5, rangemode="tozero")
    figure["yaxis"] = names_axis(blocks, down=True)
    data = [
        bars(
            np.array(part.counts),
            blocks,
            part.role,
            name=label(part.name),
            hovertemplate="%{customdata}<br>%{fullData.name}: %{x:,}<extra></extra>",
            marker={
                "line": {"color": INK, "width": 0.5},
                "pattern": {"shape": part.pattern, "fillmode": "overlay", "size": 7},
            },
        )
        for part in parts
    ]
    return {"data": data, "layout": figure}
