"""How near two positions are: the dot products of their vectors."""

import math

import numpy as np
import streamlit as st

from app.format import number, power
from app.i18n import _
from app.page.quiz import Task
from app.ui.chart import show_chart
from app.ui.table import Columns
from app.views.walk.positions import texts
from app.views.walk.positions.layout_chart import dots_heatmap, dots_row
from app.views.walk.positions.place import Place


def dots_text(place: Place) -> str:
    """Say what a position finds in itself and in its neighbour."""
    a = place.position
    own, near = (number(place.dots[a, other]) for other in (a, a + 1))
    return _(texts.DOTS).format(self=own, near=near, a=a, b=a + 1)


def guess_dots(place: Place) -> Task:
    """Ask what two neighbours far away find in each other."""
    c, near = place.length - 2, number(place.dots[place.position, place.position + 1])
    options = [_(texts.SMALLER), _(texts.SAME), _(texts.LARGER)]
    values = {"c": c, "d": c + 1, "near": near}
    return Task.of(texts.DOTS_GUESS, options, [1], texts.DOTS_RIGHT, texts.DOTS_WRONG, **values)


def draw_dots(place: Place) -> None:
    """Draw the dot products of all pairs of positions."""
    title = _("p · p of all positions")
    figure = dots_heatmap(place.dots, place.position, title)
    show_chart(figure, "dots", title, lambda: by_position(place.dots, 0))
    st.markdown(_(texts.DIAGONALS))


def dots_row_text(place: Place) -> str:
    """Say how far the captured vectors are from the formula."""
    p = np.asarray(place.captured, dtype=float)  # (T, D)
    difference = float(np.abs(p @ p.T - place.dots[: len(p), : len(p)]).max())
    return _(texts.DOTS_ROW).format(word=place.word, difference=power(difference))


def draw_dots_row(place: Place) -> None:
    """Draw one position's dot products, by formula and as captured."""
    here, dots = place.position, place.dots
    p = np.asarray(place.captured, dtype=float)  # (T, D)
    title = _("The row of “{word}”, position {place}").format(word=place.text, place=here)
    words = [token.text for token in place.tokens]
    figure = dots_row(dots[here], p @ p[here], words, here, title)
    show_chart(figure, "dots-row", title, lambda: _row_columns(dots[here], p @ p[here]))


def _row_columns(formula: np.ndarray, captured: np.ndarray) -> Columns:
    rest = [math.nan] * (len(formula) - len(captured))
    return {
        _("position"): [str(i) for i in range(len(formula))],
        _("formula"): formula.tolist(),
        _("captured"): [*captured.tolist(), *rest],
    }


def by_position(values: np.ndarray, first: int) -> Columns:
    """Return numbers (N, K) as columns of a table, counted from `first`, one row a position."""
    columns = {str(i): column for i, column in enumerate(values.T.tolist(), first)}
    return {_("position"): [str(i) for i in range(len(values))], **columns}
