"""The hover text of each point of a chart, for a saved picture that works without Plotly."""

import html
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from app.charts.theme import Figure
from app.format import short

MARK: Final = re.compile(r"%\{([\w.]+)(?:\[(\d+)\])?(?::[^}]*)?\}")
TAG: Final = re.compile(r"<[^>]*>")
BOTH: Final = "(%{x}, %{y})"  # for a trace without its own template
DIGITS: Final = 6
PLACE: Final = 36  # characters that a point's position takes in a file
MOST: Final = 600_000  # characters of all points: a file with its picture stays below 1 MB


class HoverPoint(NamedTuple):
    """A point, a bar or a cell: its trace, its place in the trace's data, and its hover text.

    A cell's place is its row and its column.
    """

    trace: int
    at: tuple[int, ...]
    text: str


def points(figure: Figure) -> list[HoverPoint] | None:
    """Return the points of a figure that have a hover text, in the order in which they are drawn.

    Return None if they would take more room than the picture.
    """
    places = [
        (i, at)
        for i, trace in enumerate(figure["data"])
        if trace.get("hoverinfo") != "skip"
        for at in _places(trace)
    ]
    if len(places) * PLACE > MOST:
        return None
    found = [HoverPoint(i, at, _text(figure["data"][i], figure["layout"], at)) for i, at in places]
    return found if sum(PLACE + len(point.text) for point in found) <= MOST else None


def _places(trace: Figure) -> Iterator[tuple[int, ...]]:
    """Yield the places that have a number."""
    if trace["type"] == "heatmap":
        yield from ((i, j) for i, row in enumerate(trace["z"]) for j, z in enumerate(row) if _is(z))
        return
    count = max(len(trace.get(side, ())) for side in "xy")
    xs, ys = (trace.get(side, range(count)) for side in "xy")
    both = zip(xs, ys, strict=True)
    yield from ((i,) for i, (x, y) in enumerate(both) if _is(x) and _is(y))


def _is(value: Any) -> bool:
    return value is not None and value == value


def _text(trace: Figure, layout: Figure, at: tuple[int, ...]) -> str:
    known = _known(trace, layout, at)
    template = trace.get("hovertemplate", BOTH + "<extra>%{fullData.name}</extra>")

    def fill(mark: re.Match[str]) -> str:
        value = known[mark[1]] if mark[2] is None else known[mark[1]][int(mark[2])]
        is_number = isinstance(value, int | float | np.number)
        return short(float(value), DIGITS) if is_number else str(value)

    said, _extra, name = MARK.sub(fill, template).partition("<extra>")
    return " · ".join(filter(None, (_plain(said), _plain(name))))


def _known(trace: Figure, layout: Figure, at: tuple[int, ...]) -> Mapping[str, Any]:
    """Return the values of a template's marks."""
    row, col = at[0], at[-1]
    is_cell = len(at) > 1
    x, y = (_at(trace.get(side), (i,), i) for side, i in (("x", col), ("y", row)))
    return {
        "x": _tick(layout, trace.get("xaxis", "x"), x),
        "y": _tick(layout, trace.get("yaxis", "y"), y),
        "z": trace["z"][row][col] if is_cell else None,
        **{name: _at(trace.get(name), at, "") for name in ("text", "hovertext", "customdata")},
        "fullData.name": trace.get("name", ""),
    }


def _at(values: Any, at: tuple[int, ...], default: Any) -> Any:
    """Return a trace's value at a place; a single text holds for all places.

    A missing value is the default.
    """
    if values is None or isinstance(values, str):
        return default if values is None else values
    for i in at:
        if i >= len(values):
            return default
        values = values[i]
    return values


def _tick(layout: Figure, axis: str, value: Any) -> Any:
    """Return the tick label of a value on an axis, or the value if it has none."""
    own = layout.get(f"{axis[0]}axis{axis[1:]}", {})
    names: Sequence[str] = own.get("ticktext", ())
    ticks = list(own.get("tickvals", ()))
    if not names or value not in ticks:
        return value
    return names[ticks.index(value)].replace("-<br>", "-").replace("<br>", " ")


def _plain(text: str) -> str:
    """Return a label without HTML, with a comma for each line break."""
    return html.unescape(TAG.sub("", text.replace("<br>", ", "))).strip()
