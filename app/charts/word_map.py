"""Words on a flat map, some of them marked. (N words, M marked ones)"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from app.charts.parts import marks, place, texts
from app.charts.theme import GRID, QUIET, Figure, axis, layout, role_colour
from app.format import label

HEIGHT = 520
# The width that labels are laid out for, in pixels: less than that of a wide screen, as the page
# may be narrow.
WIDTH = 400
LETTER, LINE = 6.5, 15
DOT, DIAMOND = 5, 11

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
    height: int = HEIGHT,
) -> Figure:
    """Draw words (N, 2) as dots and marked words (M, 2) as diamonds, with names if there is room.

    `arrows` go from one marked word to another.
    """
    both = np.concatenate([marked, points])
    room = WIDTH * height / HEIGHT
    named = readable_labels(both, [*marked_words, *words], room)
    figure = layout("", height=height)
    lines = {"showgrid": True, "gridcolor": GRID, "zeroline": True, "zerolinecolor": GRID}
    quiet: Figure = {"showticklabels": False, **lines}
    (left, right), (low, high) = _square(both)
    figure["xaxis"] = axis(x_title, range=[left, right], **quiet)
    figure["yaxis"] = axis(y_title, range=[low, high], scaleanchor="x", **quiet)
    count, green = len(marked), role_colour("input")
    data = [
        _dots(points, words, QUIET, "circle", DOT),
        _names(points, words, named[count:], QUIET, 10, DOT),
        _dots(marked, marked_words, green, "diamond", DIAMOND, outline=1),
        _names(marked, marked_words, named[:count], green, 13, DIAMOND),
    ]
    figure["annotations"] = [_arrow(marked[start], marked[end]) for start, end in arrows]
    return {"data": data, "layout": figure}


def _square(points: Points) -> list[tuple[float, float]]:
    """Return the ranges of both axes: a square around all points, with room for their names."""
    if not len(points):
        return [(-1.0, 1.0), (-1.0, 1.0)]
    middle = (points.max(0) + points.min(0)) / 2
    reach = 0.58 * (float(np.ptp(points, axis=0).max()) or 1.0)
    return [(float(at - reach), float(at + reach)) for at in middle]


def readable_labels(points: Points, labels: Sequence[str], room: float = WIDTH) -> list[bool]:
    """Return which labels can be written above their points without covering an earlier one.

    The points lie in a square of `room` pixels.
    """
    if not len(points):
        return []
    low, span = points.min(0), float(np.ptp(points, axis=0).max()) or 1.0
    at = (points - low) / span * room
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


def _arrow(start: Points, end: Points) -> Figure:
    (ax, ay), (x, y) = np.round(start, 4).tolist(), np.round(end, 4).tolist()
    ends = {"x": x, "y": y, "ax": ax, "ay": ay, "axref": "x", "ayref": "y", "text": ""}
    look = {"showarrow": True, "arrowwidth": 2, "standoff": 7, "startstandoff": 7}
    return {**ends, **look, "arrowcolor": QUIET}


def _dots(points: Points, words: Sequence[str], *look: str | int, outline: int = 0) -> Figure:
    return marks(
        *_places(points),
        *look,
        outline=outline,
        customdata=[label(word) for word in words],
        hovertemplate=f"%{{customdata}} {place()}<extra></extra>",
        cliponaxis=False,
    )


def _names(
    points: Points, words: Sequence[str], named: Sequence[bool], colour: str, size: int, dot: int
) -> Figure:
    """Return only the names that have room.

    Invisible markers of a dot's size keep each name clear of its dot.
    """
    places = _places(points[np.asarray(named, dtype=bool)])
    shown = [label(word) for word, has_room in zip(words, named, strict=True) if has_room]
    unseen = {"mode": "markers+text", "marker": {"size": 2 * dot, "opacity": 0}}
    return texts(*places, shown, "top center", colour, size) | unseen


def _places(points: Points) -> tuple[list[float], list[float]]:
    return np.round(points[:, 0], 4).tolist(), np.round(points[:, 1], 4).tolist()
