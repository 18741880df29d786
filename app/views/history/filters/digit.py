"""What the network sees in one digit: its feature maps in both layers, and what it says."""

import numpy as np
import streamlit as st

from app.charts.bars import distribution_bars
from app.i18n import _
from app.ui.chart import show_chart
from app.ui.table import Columns, table, table_fold
from app.views.history.filters import texts
from app.views.history.filters.choice import DIGIT, Choice
from app.views.history.filters.data import cnn, digit, digits, reading
from app.views.history.filters.tiles_chart import tiles

ACROSS = 4  # as many as can be seen on a phone


def digit_text(choice: Choice) -> str:
    """Say what the layers do, and how far the network is."""
    first, second = cnn.FILTERS
    return _(texts.READ).format(first=first, second=second, updates=choice.network.update)


def draw_digit(choice: Choice) -> None:
    """Draw a digit, its feature maps in both layers, and what the network says."""
    st.slider(_("Digit"), 1, digits.HELD_OUT, key=DIGIT.widget(), help=_(texts.DIGIT_HELP))
    shown, read = digit(choice.digit), reading(choice.network, choice.digit)
    p = read.probabilities
    answer = int(p.argmax())
    left, right = st.columns([0.35, 0.65], gap="medium", vertical_alignment="center")
    with left:
        figure = tiles(shown.greys[None], [_("digit")], across=1, scale="greys", tile=150)
        show_chart(figure, "filters-digit", _("The digit, 8 × 8 greys"))
    with right:
        names = [str(i) for i in range(len(p))]
        title, alt = _("probability"), _("What the network says: the probability of each digit")
        bars = distribution_bars(p, names, "output", value_title=title, marked=answer)
        show_chart(bars, "filters-said", alt)
    text = _(texts.VERDICT_RIGHT if answer == shown.label else texts.VERDICT_WRONG)
    shares = {"p": f"{p[answer]:.3f}", "q": f"{p[shown.label]:.3f}"}
    st.markdown(text.format(label=shown.label, said=answer, **shares))
    columns = st.columns(2, gap="medium")
    for n, (column, maps) in enumerate(zip(columns, (read.maps1, read.maps2), strict=True), 1):
        with column:
            _draw_maps(maps, n)
    table_fold("filters-maps", lambda: table(_columns(read.maps1), "feature-maps"))


def _draw_maps(maps: np.ndarray, layer: int) -> None:
    title = _("Feature maps of {layer}").format(layer=_("layer {n}").format(n=layer))
    st.caption(title)
    names = [str(i + 1) for i in range(len(maps))]
    figure = tiles(maps, names, across=ACROSS, scale="weights")
    show_chart(figure, f"filters-maps{layer}", title)


def _columns(maps: np.ndarray) -> Columns:
    """Return maps as columns, a pixel a row."""
    places = [f"{r + 1}, {c + 1}" for r, c in np.ndindex(maps.shape[1:])]
    values = {str(i + 1): each.ravel().astype(float).tolist() for i, each in enumerate(maps)}
    return {_("row, column"): places} | values
