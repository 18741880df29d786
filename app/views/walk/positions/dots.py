"""How near two positions are: the dot products of their vectors."""

import numpy as np
import streamlit as st

from app.i18n import _
from app.ui.chart import show_chart
from app.ui.table import Columns, table, table_fold
from app.views.walk.positions import texts
from app.views.walk.positions.layout_chart import dots_heatmap, dots_row
from app.views.walk.positions.place import Place


def dots_text(place: Place) -> str:
    """Say what a position finds in itself and in its neighbour."""
    here = place.position
    own, near = (f"{place.dots[here, other]:.2f}" for other in (here, here + 1))
    return _(texts.DOTS).format(self=own, near=near)


def draw_dots(place: Place) -> None:
    """Draw the dot products of all pairs of positions, and one position's row."""
    here, dots = place.position, place.dots
    p = np.asarray(place.captured, dtype=float)  # (T, D)
    left, right = st.columns(2)
    with left:
        title = _("p · p of all positions")
        show_chart(dots_heatmap(dots, here, title), "dots", title)
    with right:
        title = _("The row of “{word}”, position {place}").format(word=place.text, place=here)
        words = [token.text for token in place.tokens]
        show_chart(dots_row(dots[here], p @ p[here], words, here, title), "dots-row", title)
    difference = float(np.abs(p @ p.T - dots[: len(p), : len(p)]).max())
    st.caption(_(texts.DOTS_READ).format(difference=f"{difference:.1e}"))
    table_fold("dots", lambda: table(by_position(dots), "position-dots"))


def by_position(values: np.ndarray) -> Columns:
    """Return numbers (N, K) as columns of a table, one row a position."""
    columns = {str(i): column for i, column in enumerate(values.T.tolist())}
    return {_("position"): [str(i) for i in range(len(values))], **columns}
