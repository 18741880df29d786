"""Counts of the blocks of a model, each bar split into the parts of its block."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.charts.theme import INK, Figure, Mode, Role, layout, names_axis, role_colour, value_axis
from app.format import label

ROW = 26  # pixels a bar


@dataclass(frozen=True)
class Part:
    """One kind of part: its name, its colour and pattern, and its count in each block."""

    name: str
    role: Role
    pattern: str
    counts: Sequence[int]


def block_bars(
    blocks: Sequence[str], parts: Sequence[Part], *, value_title: str, mode: Mode = "light"
) -> Figure:
    """Draw one bar a block, the first on top; colour and pattern tell the parts apart."""
    count = len(blocks)
    figure = layout("", mode, height=ROW * count + 160)
    figure["margin"]["t"] = 36  # Plotly's own buttons lie here
    figure["barmode"] = "stack"
    figure["bargap"] = 0.25
    figure["showlegend"] = True
    below = {"x": 0, "y": -58 / (ROW * count), "yanchor": "top"}
    figure["legend"] = {"orientation": "h", "traceorder": "normal", **below}
    figure["xaxis"] = value_axis(value_title, mode, nticks=5, rangemode="tozero")
    figure["xaxis"]["title"]["standoff"] = 4
    figure["yaxis"] = names_axis(blocks, mode, down=True)
    return {"data": [_bars(part, blocks, mode) for part in parts], "layout": figure}


def _bars(part: Part, blocks: Sequence[str], mode: Mode) -> Figure:
    if len(part.counts) != len(blocks):
        raise ValueError(f"{len(part.counts)} counts need as many blocks, not {len(blocks)}.")
    colour = role_colour(part.role, mode)
    return {
        "type": "bar",
        "orientation": "h",
        "name": label(part.name),
        "x": list(part.counts),
        "y": list(range(len(blocks))),
        "customdata": [label(name) for name in blocks],
        "hovertemplate": "%{customdata}<br>%{fullData.name}: %{x:,}<extra></extra>",
        "marker": {
            "color": colour,
            "line": {"color": INK[mode], "width": 0.5},
            "pattern": {"shape": part.pattern, "fillmode": "overlay", "size": 7},
        },
    }
