"""Ways to look at attention: the matrix, the wall of all heads, and lines between two columns.

Each has a column beside it: what is pinned, below what the page draws there.
"""

from collections.abc import Callable
from functools import partial

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from app import state
from app.charts.arrange import Axis
from app.charts.heatmap import attention_heatmap
from app.components.grid import Weights, difference_words, table_words
from app.components.lines import lines
from app.components.matrix import Edit, matrix, payload
from app.components.shared.kept import KeptFigure
from app.components.wall import HeadPick, wall
from app.data.translation import Translation
from app.i18n import _
from app.inspector.attention import AGGREGATES, Look, draw_explanation, pick_attention
from app.inspector.picks import choose_head
from app.inspector.pinned import draw_pinned
from app.state import Pin
from app.ui.about import about
from app.ui.chart import picture
from app.ui.table import figure_menu, matrix_columns, table

OnEdit = Callable[[Look], Callable[[Edit], None]]
Beside = Callable[[], None]


def draw_matrix(translation: Translation, beside: Beside, on_edit: OnEdit | None = None) -> None:
    """Draw one head as a matrix of cells.

    With `on_edit`, the weights of one head can be set by hand, token by token.
    """
    look = pick_attention(translation)
    draw = _matrix
    if on_edit is not None and is_editable(look) and state.EDIT.get():
        draw = partial(_matrix, on_edit=on_edit(look))
    _draw_beside(look, draw, beside)


def is_editable(look: Look) -> bool:
    """Return whether each cell is a weight of one head between two tokens."""
    return look.by_token and isinstance(look.head, int)


def draw_lines(translation: Translation, beside: Beside) -> None:
    """Draw one head as lines between two columns of words."""
    _draw_beside(pick_attention(translation), _lines, beside)


def draw_wall(translation: Translation, beside: Beside) -> None:
    """Draw every head of every layer; the one that is locked comes below, as a matrix."""
    _draw_beside(pick_attention(translation, one_head=False), _wall, beside)


def _draw_beside(look: Look, draw: Callable[[Look], None], beside: Beside) -> None:
    """Draw a picture, and on its right what the page has there, and what is pinned."""
    left, right = st.columns([3, 2], gap="large")
    with right:
        beside()
    with left, about(place=look.place):
        if not (look.queries.labels and look.keys.labels):
            st.info(_("All tokens here are special ones, and those are hidden."))
            return
        draw(look)
        draw_explanation(look)
        draw_weights_table(look)
    with right, about(place=look.place):
        draw_pinned(look)


def _wall(look: Look) -> None:
    heads = np.stack([look.heads(layer) for layer in range(look.n_layers)])  # (L, H, T, S)
    wall(
        look.labelled._replace(values=heads),
        key="wall",
        locked=HeadPick(look.layer, look.head),
        aggregates={
            how: (_(name), np.stack([look.aggregate(layer, how) for layer in range(look.n_layers)]))
            for how, name in AGGREGATES.items()
            if heads.shape[1] > 1
        },
        on_lock=choose_head,
        enlarged=False,
    )
    st.header(look.head_name, anchor=False)
    _matrix(look)


def _matrix(look: Look, on_edit: Callable[[Edit], None] | None = None) -> None:
    matrix(
        look.labelled,
        key="matrix",
        pinned=_drawn_pin(look),
        mask=look.mask,
        on_pin=partial(_set_pin, look.queries, look.keys),
        on_edit=on_edit,
    )


def _lines(look: Look) -> None:
    locked, on_lock = _locked_word(look), partial(_set_pin, look.queries, look.keys)
    lines(look.labelled, key="lines", locked=locked, on_lock=on_lock)


def _drawn_pin(look: Look) -> Pin | None:
    """Return the row and the column of what is pinned, among those that are drawn."""
    pin = state.PIN.get() or Pin(None, None)
    drawn = Pin(look.queries.find(pin.query), look.keys.find(pin.key))
    return None if drawn == (None, None) else drawn


def _set_pin(queries: Axis, keys: Axis, drawn: Pin) -> None:
    pin = Pin(queries.first(drawn.query), keys.first(drawn.key))
    state.PIN.set(None if pin == (None, None) else pin)


def _locked_word(look: Look) -> Pin | None:
    pin = _drawn_pin(look)
    return pin if pin is None or pin.query is None else Pin(pin.query, None)


def draw_weights_table(look: Look) -> None:
    """Offer the matrix as a table, as CSV, and as a picture."""
    row, col = _drawn_pin(look) or (None, None)
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
        drawn = KeptFigure("matrix", payload(weights, mask, {"name": alt}), pin)
        picture(figure, name, alt, [drawn])

    figure_menu(name, draw_menu)
