"""Two measures of all heads: one point per head, distinguished by colour and marker."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from app.charts.parts import marks
from app.charts.theme import Figure, Role, axis, layout, legend_above, role_colour
from app.format import label

TICKS: Final = 6
LEFT, BELOW = 64, 48  # pixels, for an axis' numbers and its title
ROOM: Final = 0.06  # of the values' span, at each end


@dataclass(frozen=True)
class HeadPoint:
    """One head: its name, its address, its two values, and whether its card is open."""

    name: str
    key: str
    x: float
    y: float
    opened: bool


@dataclass(frozen=True)
class HeadGroup:
    """The heads of one attention, and how they look."""

    name: str
    role: Role
    symbol: str
    points: Sequence[HeadPoint]


def scatter(groups: Sequence[HeadGroup], x: str, y: str) -> Figure:
    """Draw the points; each carries its head's address for clicks."""
    figure = layout("", height=330)
    figure |= {"hovermode": "closest", "clickmode": "event+select", "dragmode": False}
    points = [point for group in groups for point in group.points]
    fixed = {"nticks": TICKS, "automargin": False}
    figure["xaxis"] = axis(x, 4, range=_range([one.x for one in points]), **fixed)
    figure["yaxis"] = axis(y, 4, range=_range([one.y for one in points]), **fixed)
    legend_above(figure)
    figure["margin"] |= {"l": LEFT, "b": BELOW}
    return {"data": [_trace(group) for group in groups if group.points], "layout": figure}


def _range(values: Sequence[float]) -> list[float]:
    """Return the ends of an axis; giving them saves the browser a second layout."""
    low, high = min(values), max(values)
    room = ROOM * (high - low) or 1.0
    return [low - room, high + room]


def _trace(group: HeadGroup) -> Figure:
    points = group.points
    return marks(
        [one.x for one in points],
        [one.y for one in points],
        role_colour(group.role),
        group.symbol,
        9,
        outline=[3 if one.opened else 0 for one in points],
        name=label(group.name),
        customdata=[[label(one.name), one.key] for one in points],
        hovertemplate="%{customdata[0]}<br>%{x}, %{y}<extra></extra>",
    )
