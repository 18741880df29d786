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
    position = _("position")
    left, right = st.columns(2)
    with left:
        title = _("p · p of all positions")
        figure = dots_heatmap(dots, here=here, title=title, x_title=position, y_title=position)
        show_chart(figure, "dots", title)
    with right:
        title = _("The row of “{word}”, position {place}").format(word=place.text, place=here)
        figure = dots_row(
            dots[here],
            p @ p[here],
            [token.text for token in place.tokens],
            here=here,
            title=title,
            x_title=position,
            y_title=_("dot product"),
        )
        show_chart(figure, "dots-row", title)
    difference = float(np.abs(p @ p.T - dots[: len(p), : len(p)]).max())
    st.caption(_(texts.DOTS_READ).format(difference=f"{difference:.1e}"))
    table_fold("dots", lambda: table(by_position(dots), "position-dots"))


def by_position(values: np.ndarray) -> Columns:
    """Return numbers (N, K) as columns of a table, one row a position."""
    columns = {str(i): column for i, column in enumerate(values.T.tolist())}
    return {_("position"): [str(i) for i in range(len(values))], **columns}
