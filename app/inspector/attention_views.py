"""Ways to look at attention: the matrix, the wall of all heads, and lines; and what is pinned."""

import html
from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from app import state
from app.charts.arrange import Axis, strongest
from app.charts.bars import distribution_bars
from app.charts.heatmap import attention_heatmap, vector_strip
from app.charts.theme import Floats, Role
from app.components.grid import Weights, difference_words, table_words
from app.components.lines import lines
from app.components.matrix import Edit, matrix
from app.components.wall import HeadPick, wall
from app.data.attention import is_changed
from app.data.changed import Difference
from app.data.translation import Translation
from app.data.walk import ATTENTIONS
from app.format import number, share, signed
from app.i18n import _
from app.inspector.attention import AGGREGATES, Look, chosen_look, draw_explanation
from app.inspector.both import draw_both, draw_both_bars, line_of
from app.inspector.changes import run_name
from app.inspector.naming import text_at
from app.inspector.picks import choose_head
from app.state import Pin
from app.ui.about import about
from app.ui.buttons import quiet_button
from app.ui.chart import picture, show_chart
from app.ui.table import figure_menu, matrix_columns, table

OnEdit = Callable[[Look], Callable[[Edit], None]]
Beside = Callable[[], None]


def is_editable(look: Look) -> bool:
    """Return whether each cell is a weight of one head between two tokens, and none is hidden."""
    by_token = look.queries.n_tokens, look.keys.n_tokens
    return isinstance(look.head, int) and look.weights.shape == by_token


def draw_attention(
    view: str, translation: Translation, beside: Beside, on_edit: OnEdit | None = None
) -> None:
    """Draw one of VIEWS, and on its right what the page has there, and what is pinned.

    With `on_edit`, the weights of one head can be set by hand in a matrix, token by token.
    """
    look = chosen_look(translation)
    left, right = st.columns([3, 2], gap="large")
    with right:
        beside()
    with left, about(place=look.place):
        if not (look.queries.labels and look.keys.labels):
            st.info(_("All tokens here are special ones, and those are hidden."))
            return
        if on_edit is not None and is_editable(look) and state.EDIT.get():
            _matrix(look, on_edit(look))
        else:
            VIEWS[view](look)
        draw_explanation(look)
        row, col = _drawn_pin(look) or (None, None)
        pinned = None if row is None or col is None else (row, col)
        alt = difference_words()["name"] if look.signed else table_words()["name"]
        draw_weights_menu("attention", look.labelled, look.mask, pinned, alt)
    with right, about(place=look.place):
        draw_pinned(look)


def _wall(look: Look) -> None:
    """Draw every head of every layer; the one that is locked comes below, as a matrix."""
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
        unheard=look.unheard,
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
    """Draw one head as lines between two columns of words."""
    pin = _drawn_pin(look)
    locked = pin if pin is None or pin.query is None else Pin(pin.query, None)
    on_lock = partial(_set_pin, look.queries, look.keys)
    lines(look.labelled, key="lines", locked=locked, on_lock=on_lock)


VIEWS: Final[Mapping[str, Callable[[Look], None]]] = {
    "matrix": _matrix,
    "wall": _wall,
    "lines": _lines,
}


def _drawn_pin(look: Look) -> Pin | None:
    """Return the row and the column of what is pinned, among those that are drawn."""
    pin = state.PIN.get() or Pin(None, None)
    drawn = Pin(look.queries.find(pin.query), look.keys.find(pin.key))
    return None if drawn == (None, None) else drawn


def _set_pin(queries: Axis, keys: Axis, drawn: Pin) -> None:
    pin = Pin(queries.first(drawn.query), keys.first(drawn.key))
    state.PIN.set(None if pin == (None, None) else pin)


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
        picture(figure, name, alt)

    figure_menu(name, draw_menu)


def draw_pinned(look: Look) -> None:
    """Draw what is pinned; as long as nothing is, the strongest cell."""
    pin, hint = state.PIN.get() or Pin(None, None), ""
    row, col = look.queries.find(pin.query), look.keys.find(pin.key)
    if row is None and col is None:
        hint = _hint(look, pin)
        row, col = strongest(np.abs(np.nan_to_num(look.weights)), look.queries, look.keys)
        pin = Pin(look.queries.first(row), look.keys.first(col))
    else:
        pin = Pin(None if row is None else pin.query, None if col is None else pin.key)
        quiet_button(_("Unpin"), "unpin", "keep_off", state.PIN.set, None)
    at = _cell(look, pin)
    _draw_number(look, row, col, hint, "" if at is None else _how(look, at))
    if isinstance(look.translation, Difference) and at is not None and look.is_open(*at[1:]):
        draw_both(look.translation, *look.translation.weight_cells(look.kind, look.layer, at))
    _draw_bars(look, row, col)
    _draw_vectors(look, pin)


def _hint(look: Look, pin: Pin) -> str:
    if look.signed:
        return _("Click a cell to pin it. Until then, this is the link that changed most.")
    if pin != (None, None):
        return _(
            "The pinned cell is not in this picture. Below is the strongest link between words."
        )
    return _(
        "Click a cell or a token to pin it. Until then, this is the strongest link between words."
    )


def _draw_number(look: Look, row: int | None, col: int | None, hint: str, how: str) -> None:
    """Say who looks at whom, in text that is no Markdown, with the number and its origin below."""
    names = [
        html.escape(labels[i])
        for labels, i in ((look.query_names, row), (look.keys.labels, col))
        if i is not None
    ]
    write = signed if look.signed else share
    weight = "" if row is None or col is None else write(look.weights[row, col], 4)
    above, below = (f"<p>{html.escape(said)}</p>" if said else "" for said in (hint, how))
    st.html(
        f'<div class="pinned" data-testid="pinned">{above}'
        f"<div>{' → '.join(f'<b>{name}</b>' for name in names)}</div>"
        f"<div>{weight}</div>{below}</div>"
    )


def _cell(look: Look, pin: Pin) -> tuple[int, int, int] | None:
    """Return the head, the query and the key of the number that is pinned; None where none is."""
    if not isinstance(look.head, int) or pin.query is None or pin.key is None:
        return None
    return look.head, pin.query, pin.key


def _how(look: Look, at: tuple[int, int, int]) -> str:
    """Say where the number of the two pieces comes from, in the model's own numbers."""
    if not look.is_open(*at[1:]):
        return _("This cell is masked: its score becomes −∞, and its weight 0.")
    if isinstance(look.translation, Difference):
        return ""
    capture = look.translation.capture

    def stage(name: str, digits: int) -> str:
        return number(float(capture.stage(look.kind, look.layer, name)[at]), digits)

    formula = _("q · k = {product};  ÷ √{d_k} = {scaled};  softmax over the row = {weight}")
    if look.additive:
        formula = _("v_a · tanh(q + k) = {product};  softmax over the row = {weight}")
    # Where arrays of an attention were changed, the weight is not the softmax of the score.
    if is_changed(capture, look.kind, look.layer, "scores", "scaled", "masked", "weights"):
        formula = _("score = {product};  with the changes of this run, weight = {weight}")
    stages = {
        "product": stage("scores", 3),
        "d_k": capture.config.d_k,
        "scaled": "" if look.additive else stage("scaled", 3),
        "weight": stage("weights", 4),
    }
    said = formula.format(**stages)
    if not state.MERGE.get() and not state.HIDE.get():
        return said
    more = _("These numbers belong to the pinned tokens, before tokens are merged or hidden.")
    return f"{said}. {more}"


def _draw_bars(look: Look, row: int | None, col: int | None) -> None:
    """Draw the row, or else the column; of a difference, that of both runs side by side."""
    at, labels, title = line_of(row, col, look.query_names, look.keys.labels)
    values = look.weights[at]
    if look.signed:
        before, names = look.before.weights[at], (run_name("before"), run_name("after"))
        draw_both_bars(names, before, before + values, labels, title)
        return
    marked = None if row is None else col
    figure = distribution_bars(values, labels, "key", _("weight"), title, marked)
    show_chart(figure, "pinned-row", title)


def _draw_vectors(look: Look, pin: Pin) -> None:
    """Draw q of a token that looks, k and v of one that is looked at; in self-attention all."""
    if not isinstance(look.head, int):
        st.caption(_("Queries, keys and values belong to one head: choose a head to see them."))
        return
    title = (
        _("Its vectors: the changed run minus the original one")
        if look.signed
        else _("Its vectors in this head")
    )
    capture = look.translation.capture
    tokens = ((pin.query, capture.queries(look.kind)), (pin.key, capture.keys(look.kind)))
    roles: dict[str, Role] = {"q": "query", "k": "key", "v": "value"}
    stages = ("qkv", "qkv") if ATTENTIONS[look.kind].own else ("q", "kv")
    vectors: dict[str, tuple[Role, Floats]] = {}
    for (index, of), names in zip(tokens, stages, strict=True):
        if index is None:
            continue
        for name in names:
            stage = np.asarray(capture.stage(look.kind, look.layer, name, look.head))  # (T, d_k)
            vectors[f"{name} · {text_at(of, index)}"] = (roles[name], stage[index])
    show_chart(vector_strip(vectors, title=title), "pinned-vectors", title)
