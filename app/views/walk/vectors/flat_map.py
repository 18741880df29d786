"""A flat map of the table's best known words, with the sentence's tokens on it."""

import streamlit as st

from app.charts.word_map import word_map as word_map_figure
from app.data.walk import Walk
from app.format import percent
from app.i18n import _
from app.ui.chart import show_chart
from app.ui.table import Columns
from app.views.walk.vectors import texts
from app.views.walk.vectors.data import WordMap, word_map
from app.views.walk.vectors.piece import Piece

HEIGHT = 312  # pixels: the page does not scroll


def map_text(piece: Piece) -> str:
    """Say which words are on the map; nothing where they are too few."""
    flat = word_map(piece.walk)
    return _(texts.MAP).format(words=len(flat.words)) if flat else ""


def draw_map(piece: Piece) -> None:
    """Draw the map, and say how much of the table it shows."""
    walk, flat = piece.walk, word_map(piece.walk)
    if flat is None:
        st.info(_(texts.TOO_FEW))
        return
    tokens = list(dict.fromkeys(walk.capture.src))
    places = [walk.capture.src.index(token) for token in tokens]
    first, second = map(percent, flat.explained)
    figure = word_map_figure(
        flat.points,
        [word.text for word in flat.words],
        flat.sentence[places],
        [token.text for token in tokens],
        x_title=_("first axis ({share} of the spread)").format(share=first),
        y_title=_("second axis ({share})").format(share=second),
        height=HEIGHT,
    )
    share = percent(flat.explained.sum())
    caption = _(texts.MAP_HONEST).format(d_model=walk.config.d_model, share=share)
    show_chart(figure, "map", _(texts.MAP_TITLE), lambda: _columns(walk, flat), caption=caption)


def _columns(walk: Walk, flat: WordMap) -> Columns:
    rows = [*zip(walk.capture.src, flat.sentence, strict=True)]
    rows += [*zip(flat.words, flat.points, strict=True)]
    return {
        _("word"): [token.text for token, _point in rows],
        _("first axis"): [float(point[0]) for _token, point in rows],
        _("second axis"): [float(point[1]) for _token, point in rows],
        _("in your sentence"): ["✓"] * len(walk.capture.src) + [""] * len(flat.words),
    }
