"""An example by hand: king − man + woman with two numbers a word, which comes out exactly."""

from typing import Final

import numpy as np
import streamlit as st

from app.charts.word_map import word_map
from app.components.board import Grid, Op, array_grid, board
from app.i18n import _
from app.ui.chart import show_chart
from app.ui.table import Columns
from app.views.history.words_as_vectors import texts
from app.views.history.words_as_vectors.choice import Choice

VECTORS: Final = {"king": (4, 2), "man": (1, 1), "woman": (2, 3), "queen": (5, 4)}


def by_hand_text(_choice: Choice) -> str:
    """Write out both sums."""
    columns = zip(*VECTORS.values(), strict=True)
    first, second = (f"{king} − {man} + {woman} = {queen}" for king, man, woman, queen in columns)
    return _(texts.BY_HAND).format(first=first, second=second)


def draw_by_hand(_choice: Choice) -> None:
    """Draw the four vectors, and the words on the plane."""
    vectors = {word: np.array(vector, float) for word, vector in VECTORS.items()}
    reach = max(float(vector.max()) for vector in vectors.values())
    king, man, woman, queen = (
        array_grid(vector[:, None], word, "input", reach=reach) for word, vector in vectors.items()
    )
    items: list[Grid | Op] = [king, Op("−"), man, Op("+"), woman, Op("="), queen]
    left, right = st.columns([0.6, 0.4], gap="small", vertical_alignment="center")
    with left:
        board(items, key="words-by-hand")
    with right:
        names, points = list(vectors), np.stack(list(vectors.values()))
        titles = {"x_title": _("first number"), "y_title": _("second number")}
        steps = [(names.index(a), names.index(b)) for a, b in (("man", "king"), ("woman", "queen"))]
        none = np.zeros((0, 2))
        figure = word_map(none, [], points, names, arrows=steps, height=230, **titles)
        show_chart(figure, "words-plane", _("The four words on the plane"), _columns)


def _columns() -> Columns:
    names: Columns = {_("word"): list(VECTORS)}
    rows = zip(*VECTORS.values(), strict=True)
    titles = _("first number"), _("second number")
    return {**names, **{title: list(row) for title, row in zip(titles, rows, strict=True)}}
