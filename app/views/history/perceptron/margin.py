"""The line with the largest margin in the plane, beside the one that the perceptron finds."""

import streamlit as st

from app.charts.plane import Dots, Line
from app.format import number
from app.i18n import _
from app.ui.chart import show_chart
from app.views.history.perceptron import texts
from app.views.history.perceptron.bound import draw_bound
from app.views.history.perceptron.choice import Choice
from app.views.history.perceptron.data import Points, Separator, distances, separator
from app.views.history.perceptron.picture import best_line, line_now, points_figure
from app.views.history.perceptron.training import side


def margin_text(choice: Choice) -> str:
    """Say how far both lines stay away from the nearest point."""
    best = separator(choice.points)
    if best is None:
        return _(texts.NO_MARGIN)
    own = distances(choice.updates[-1].after, choice.points).min()
    return _(texts.MARGIN).format(margin=number(best.margin), own=number(float(own)))


def draw_margin(choice: Choice) -> None:
    """Draw the best line with its edges and the perceptron's; beside it, why it must end."""
    best, lines, dots = separator(choice.points), [], []
    if best is not None:
        lines = [
            line_now(choice.updates),
            *best_line(choice.points),
            *(
                Line(_(texts.EDGE).format(kind=side(by)), _moved(best, by), "query", "dot")
                for by in (1, -1)
            ),
        ]
        dots = [Dots(_("nearest"), best.nearest, "residual", "diamond-open", size=9)]
    figure = points_figure(choice.points, dots, lines)
    alt = _("The points, the line with the largest margin, and the perceptron's line")
    left, right = st.columns([0.58, 0.42], gap="medium", vertical_alignment="center")
    with left:
        show_chart(figure, "perceptron-margin", alt)
    with right:
        if choice.points:
            draw_bound(choice)


def _moved(best: Separator, by: int) -> tuple[float, float, float]:
    """Return the best line moved by its margin: an edge of what it leaves free."""
    w1, w2, w3 = best.weights
    return w1, w2, w3 - by * best.margin


def margin_both_ways(points: Points, best: Separator) -> tuple[float, float]:
    """Return the margin by the distances from the line, and by where the kinds are nearest."""
    (a1, a2), (b1, b2) = best.nearest.tolist()
    below = float(distances(best.weights, points).min())
    return below, ((a1 - b1) ** 2 + (a2 - b2) ** 2) ** 0.5 / 2
