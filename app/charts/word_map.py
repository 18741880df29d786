"""Words on a flat map, some of them marked. (N words, M marked ones)"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from app.charts.theme import GRID, INK, QUIET, Figure, Mode, axis, layout, role_colour
from app.format import label

HEIGHT = 520
# The room that labels are laid out for, in pixels: less than a wide screen has, as the page may
# be narrow.
WIDTH = 400
LETTER, LINE = 6.5, 15

Points = NDArray[np.floating]
Box = tuple[float, float, float, float]


def word_map(
    points: Points,
    words: Sequence[str],
    marked: Points,
    marked_words: Sequence[str],
    *,
    x_title: str,
    y_title: str,
    arrows: Sequence[tuple[int, int]] = (),
    mode: Mode = "light",
) -> Figure:
    """Draw words (N, 2) as dots and marked ones (M, 2) as diamonds; names where there is room.

    `arrows` go from one of the marked words to another one.
    """
    both = np.concatenate([marked, points])
    named = readable_labels(both, [*marked_words, *words])
    figure = layout("", mode, height=HEIGHT)
    lines = {
        "showgrid": True,
        "gridcolor": GRID[mode],
        "zeroline": True,
        "zerolinecolor": GRID[mode],
    }
    quiet = {"showticklabels": False, "constrain": "domain", **lines}
    (left, right), (low, high) = _square(both)
    figure["xaxis"] = axis(mode, title={"text": label(x_title)}, range=[left, right], **quiet)
    figure["yaxis"] = axis(
        mode, title={"text": label(y_title)}, range=[low, high], scaleanchor="x", **quiet
    )
    count = len(marked)
    dots = _dots(points, words, QUIET[mode], "circle", 5)
    names = _names(points, words, named[count:], QUIET[mode], 10)
    green = role_colour("input", mode)
    diamonds = _dots(marked, marked_words, green, "diamond", 11)
    diamonds["marker"]["line"] = {"color": INK[mode], "width": 1}
    marked_names = _names(marked, marked_words, named[:count], green, 13)
    figure["annotations"] = [_arrow(marked[start], marked[end], mode) for start, end in arrows]
    return {"data": [dots, names, diamonds, marked_names], "layout": figure}


def _square(points: Points) -> list[tuple[float, float]]:
    """Return the ends of both axes: a square around all points, with room for their names."""
    if not len(points):
        return [(-1.0, 1.0), (-1.0, 1.0)]
    middle = (points.max(0) + points.min(0)) / 2
    reach = 0.58 * (float(np.ptp(points, axis=0).max()) or 1.0)
    return [(float(at - reach), float(at + reach)) for at in middle]


def readable_labels(points: Points, labels: Sequence[str]) -> list[bool]:
    """Return which labels can be written above their points without covering an earlier one."""
    if not len(points):
        return []
    low, span = points.min(0), float(np.ptp(points, axis=0).max()) or 1.0
    at = (points - low) / span * (WIDTH, WIDTH)
    taken: list[Box] = []
    return [_place(x, y, text, taken) for (x, y), text in zip(at.tolist(), labels, strict=True)]


def _place(x: float, y: float, text: str, taken: list[Box]) -> bool:
    half = len(text) * LETTER / 2
    box = (x - half, x + half, y, y + LINE)
    free = all(
        box[1] <= other[0] or other[1] <= box[0] or box[3] <= other[2] or other[3] <= box[2]
        for other in taken
    )
    if free:
        taken.append(box)
    return free


def _arrow(start: Points, end: Points, mode: Mode) -> Figure:
    (ax, ay), (x, y) = np.round(start, 4).tolist(), np.round(end, 4).tolist()
    ends = {"x": x, "y": y, "ax": ax, "ay": ay, "axref": "x", "ayref": "y", "text": ""}
    look = {"showarrow": True, "arrowhead": 2, "arrowwidth": 2, "standoff": 7, "startstandoff": 7}
    return {**ends, **look, "arrowcolor": QUIET[mode]}


def _dots(points: Points, words: Sequence[str], colour: str, symbol: str, size: int) -> Figure:
    return {
        "type": "scatter",
        "mode": "markers",
        **_places(points),
        "customdata": [label(word) for word in words],
        "hovertemplate": "%{customdata} (%{x:.3f}, %{y:.3f})<extra></extra>",
        "marker": {"color": colour, "size": size, "symbol": symbol},
        "cliponaxis": False,
    }


def _names(
    points: Points, words: Sequence[str], named: Sequence[bool], colour: str, size: int
) -> Figure:
    """Return the names that have room: Plotly takes its time for an empty one, too."""
    return {
        "type": "scatter",
        "mode": "text",
        **_places(points[np.asarray(named, dtype=bool)]),
        "text": [label(word) for word, shown in zip(words, named, strict=True) if shown],
        "textposition": "top center",
        "textfont": {"color": colour, "size": size},
        "cliponaxis": False,
        "hoverinfo": "skip",
    }


def _places(points: Points) -> dict[str, list[float]]:
    return {"x": np.round(points[:, 0], 4).tolist(), "y": np.round(points[:, 1], 4).tolist()}
