"""The weights of one attention as a table, as CSV, and as a picture to keep."""

import numpy as np
from numpy.typing import NDArray

from app import state
from app.charts.heatmap import attention_heatmap
from app.components import matrix
from app.components.grid import Weights, difference_words, table_words
from app.components.shared.kept import Figure as Kept
from app.i18n import _
from app.inspector.attention import Look
from app.state import Pin
from app.ui.chart import picture
from app.ui.table import figure_menu, matrix_columns, table


def draw_weights_table(look: Look) -> None:
    """Offer the matrix as a table, as CSV, and as a picture."""
    pin = state.PIN.get() or Pin(None, None)
    row, col = look.queries.find(pin.query), look.keys.find(pin.key)
    pinned = None if row is None or col is None else (row, col)
    alt = difference_words()["name"] if look.signed else table_words()["name"]
    draw_weights_menu("attention", look.labelled, look.mask, pinned, alt)


def draw_weights_menu(
    name: str,
    weights: Weights,
    mask: NDArray[np.bool_] | None,
    pinned: tuple[int, int] | None,
    alt: str,
) -> None:
    """Offer weights (T, S) as a table, as CSV, and as a picture, on which a cell is framed."""

    def draw_menu() -> None:
        corner = _("query ↓ key →")
        table(matrix_columns(corner, weights.queries, weights.keys, weights.values), name)
        figure = attention_heatmap(
            *weights[:3],
            reach=weights.reach,
            query_title=_("query (looks) ↓"),
            key_title=_("key (is looked at) →"),
            mask=mask,
            pinned=pinned,
        )
        pin = None if pinned is None else {"query": pinned[0], "key": pinned[1]}
        drawn = Kept("matrix", matrix.payload(weights, mask, {"name": alt}), pin)
        picture(figure, name, alt, [drawn])

    figure_menu(name, draw_menu)
