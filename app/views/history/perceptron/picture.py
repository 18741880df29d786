"""The plane with the points and the lines: pictures of several screens."""

from collections.abc import Sequence

import numpy as np

from app.charts.plane import Dots, Line, plane
from app.charts.theme import Figure
from app.i18n import _
from app.views.history.perceptron import texts
from app.views.history.perceptron.data import Points, Update, separator
from app.views.history.perceptron.points import SPAN

START = (0, 0, 0)


def points_figure(
    points: Points,
    dots: Sequence[Dots],
    lines: Sequence[Line],
    height: int = 315,
    clickable: np.ndarray | None = None,
) -> Figure:
    """Return the plane with all points, and what is drawn besides."""
    kinds = [
        Dots("+1", _places(points, 1), "input", "circle", size=12),
        Dots("−1", _places(points, -1), "key", "square-open", size=12),
    ]
    return plane(
        [*kinds, *dots],
        lines,
        x_title="x₁",
        y_title="x₂",
        across=SPAN,
        clickable=clickable,
        height=height,
    )


def line_now(so_far: Sequence[Update]) -> Line:
    """Return the perceptron's line after some updates."""
    weights = so_far[-1].after if so_far else START
    return Line(_("w·x = 0"), weights, "input", filled=bool(so_far))


def line_before(so_far: Sequence[Update]) -> list[Line]:
    """Return the line before the last update."""
    return [Line(_("before"), so_far[-1].before, "residual", "dot")] if so_far else []


def last_mistake(so_far: Sequence[Update]) -> list[Dots]:
    """Return a ring around the point of the last update."""
    if not so_far:
        return []
    place = np.array([(so_far[-1].point.x1, so_far[-1].point.x2)])
    return [Dots(_("last mistake"), place, "residual", "circle-open", (), 24)]


def best_line(points: Points) -> list[Line]:
    """Return the line with the largest margin, where there is one."""
    best = separator(points)
    return [] if best is None else [Line(_(texts.BEST), best.weights, "query", "dash")]


def _places(points: Points, kind: int) -> np.ndarray:
    return np.array([(p.x1, p.x2) for p in points if p.side == kind], float).reshape(-1, 2)
