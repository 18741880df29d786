"""Ways to look at attention: the matrix, the wall of all heads, and lines between two columns."""

import numpy as np
import streamlit as st

from app import state
from app.charts.arrange import aggregate
from app.components.lines import lines
from app.components.matrix import matrix
from app.components.wall import HeadPick, wall
from app.data.translation import Translation
from app.i18n import _
from app.inspect.attention import AGGREGATE_NAMES, AGGREGATES, Look, explain, look, pick
from app.inspect.pinned import pinned
from app.inspect.weights_table import weights_table
from app.state import Pin


def matrix_view(translation: Translation) -> None:
    """Draw one head as a matrix of cells, with what is pinned beside it."""
    now = pick(translation)
    if _nothing(now):
        return
    left, right = st.columns([3, 2], gap="large")
    with left:
        _matrix(now)
        explain(now)
    with right:
        pinned(now)
    weights_table(now)


def lines_view(translation: Translation) -> None:
    """Draw one head as lines between two columns of words, with what is pinned beside it."""
    now = pick(translation)
    if _nothing(now):
        return
    left, right = st.columns([3, 2], gap="large")
    with left:
        lines(
            now.weights,
            now.queries.labels,
            now.keys.labels,
            key="lines",
            locked=_locked_word(now),
            on_lock=lambda word: _set_pin(now, word),
        )
        explain(now)
    with right:
        pinned(now)
    weights_table(now)


def wall_view(translation: Translation) -> None:
    """Draw every head of every layer; the one that is locked comes below, as a matrix."""
    now = pick(translation, one_head=False)
    if _nothing(now):
        return
    heads = np.stack([now.heads(layer) for layer in range(now.n_layers)])  # (L, H, T, S)
    wall(
        heads,
        now.queries.labels,
        now.keys.labels,
        key="wall",
        locked=HeadPick(now.layer, now.head),
        aggregates={how: aggregate(heads, how) for how in AGGREGATES if heads.shape[1] > 1},
        aggregate_titles={how: _(name) for how, name in AGGREGATE_NAMES.items()},
        on_lock=_lock,
    )
    explain(look(translation))
    left, right = st.columns([3, 2], gap="large")
    with left:
        st.header(head_name(now), anchor=False)
        _matrix(now)
    with right:
        pinned(now)
    weights_table(now)


def head_name(now: Look) -> str:
    """Return what the chosen head is called."""
    if isinstance(now.head, int):
        return _("Layer {layer}, head {head}").format(layer=now.layer + 1, head=now.head + 1)
    return _("Layer {layer}, {name} over heads").format(
        layer=now.layer + 1, name=_(AGGREGATE_NAMES[now.head])
    )


def _nothing(now: Look) -> bool:
    if now.queries.labels and now.keys.labels:
        return False
    st.info(_("All tokens here are special ones, and those are hidden."))
    return True


def _matrix(now: Look) -> None:
    matrix(
        now.weights,
        now.queries.labels,
        now.keys.labels,
        key="matrix",
        pinned=_drawn_pin(now),
        mask=now.mask,
        on_pin=lambda pin: _set_pin(now, pin),
    )


def _drawn_pin(now: Look) -> Pin | None:
    """Return the row and the column of what is pinned, among those that are drawn."""
    pin = state.PIN.get() or Pin(None, None)
    drawn = Pin(now.queries.find(pin.query), now.keys.find(pin.key))
    return None if drawn == (None, None) else drawn


def _set_pin(now: Look, drawn: Pin) -> None:
    pin = Pin(now.queries.first(drawn.query), now.keys.first(drawn.key))
    state.PIN.set(None if pin == (None, None) else pin)


def _locked_word(now: Look) -> Pin | None:
    pin = _drawn_pin(now)
    return pin if pin is None or pin.query is None else Pin(pin.query, None)


def _lock(picked: HeadPick) -> None:
    state.LAYER.set(str(picked.layer + 1))
    state.HEAD.set(str(picked.head + 1) if isinstance(picked.head, int) else picked.head)
