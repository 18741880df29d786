"""What is pinned: its number, how that came about, its row as bars, and q, k, v of the tokens."""

import html
from collections.abc import Sequence

import numpy as np
import streamlit as st

from app import state
from app.charts.arrange import strongest
from app.charts.bars import distribution_bars
from app.charts.heatmap import vector_strip
from app.charts.theme import Floats, Role
from app.data.attention import is_changed
from app.data.changed import Difference
from app.format import number, share, signed
from app.i18n import _
from app.inspector.attention import Look
from app.inspector.both import draw_both, draw_both_bars
from app.inspector.changes import run_name
from app.inspector.naming import text_at
from app.state import Pin
from app.ui.buttons import quiet_button
from app.ui.chart import show_chart

Vectors = dict[str, tuple[Role, Floats]]


def draw_pinned(look: Look) -> None:
    """Draw what is pinned; as long as nothing is, the strongest cell."""
    pin = state.PIN.get() or Pin(None, None)
    row, col = look.queries.find(pin.query), look.keys.find(pin.key)
    if row is None and col is None:
        _draw_hint(look, pin)
        row, col = strongest(np.abs(np.nan_to_num(look.weights)), look.queries, look.keys)
        pin = Pin(look.queries.first(row), look.keys.first(col))
    else:
        pin = Pin(None if row is None else pin.query, None if col is None else pin.key)
        quiet_button(_("Unpin"), "unpin", "keep_off", state.PIN.set, None)
    _draw_title(look, row, col)
    if row is not None and col is not None:
        _draw_how(look, Pin(look.queries.first(row) if pin.query is None else pin.query, pin.key))
    _draw_bars(look, row, col)
    _draw_vectors(look, pin)


def _draw_hint(look: Look, pin: Pin) -> None:
    if look.signed:
        st.caption(_("Click a cell to pin it. Until then, this is the link that changed most."))
        return
    elsewhere = _(
        "The pinned cell is not in this picture. Below is the strongest link between words."
    )
    nothing = _(
        "Click a cell or a token to pin it. Until then, this is the strongest link between words."
    )
    st.caption(nothing if pin == (None, None) else elsewhere)


def _draw_title(look: Look, row: int | None, col: int | None) -> None:
    """Say who looks at whom, in text that is no Markdown, with the number below it."""
    names = [
        html.escape(labels[i])
        for labels, i in ((look.query_names, row), (look.keys.labels, col))
        if i is not None
    ]
    write = signed if look.signed else share
    weight = "" if row is None or col is None else write(look.weights[row, col], 4)
    st.html(
        '<div data-testid="pinned" style="overflow-wrap:anywhere">'
        f'<div style="font-size:1.1rem">{" → ".join(f"<b>{name}</b>" for name in names)}</div>'
        f'<div style="font-size:2rem;font-variant-numeric:tabular-nums;line-height:1.2">{weight}'
        "</div></div>"
    )


def _draw_how(look: Look, pin: Pin) -> None:
    """Show where the number of the two pieces comes from, in the model's own numbers."""
    if not isinstance(look.head, int) or pin.query is None or pin.key is None:
        return
    if not look.is_open(pin.query, pin.key):
        st.caption(_("This cell is masked: its score becomes −∞, and its weight 0."))
        return
    capture, at = look.translation.capture, (look.head, pin.query, pin.key)

    def stage(name: str, digits: int) -> str:
        return number(float(capture.stage(look.kind, look.layer, name)[at]), digits)

    if isinstance(look.translation, Difference):
        draw_both(look.translation, *look.translation.weight_cells(look.kind, look.layer, at))
        return

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
    st.caption(formula.format(**stages))
    if state.MERGE.get() or state.HIDE.get():
        st.caption(
            _("These numbers belong to the pinned tokens, before tokens are merged or hidden.")
        )


def _draw_bars(look: Look, row: int | None, col: int | None) -> None:
    labels: Sequence[str]
    if row is not None:
        values, labels, title = look.weights[row], look.keys.labels, _("Its row: where it looks")
    else:
        values, labels = look.weights[:, col or 0], look.query_names
        title = _("Its column: who looks at it")
    if look.signed:
        _draw_both_bars(look, row, col, labels, title)
        return
    marked = None if row is None else col
    figure = distribution_bars(values, labels, "key", _("weight"), title, marked)
    show_chart(figure, "pinned-row", title)


def _draw_both_bars(
    look: Look, row: int | None, col: int | None, labels: Sequence[str], title: str
) -> None:
    """Draw the row, or else the column, of both runs side by side."""
    at = np.s_[row, :] if row is not None else np.s_[:, col or 0]
    before = look.before.weights[at]
    after = before + look.weights[at]
    names = run_name("before"), run_name("after")
    draw_both_bars(names, before, after, labels, title)


def _draw_vectors(look: Look, pin: Pin) -> None:
    if not isinstance(look.head, int):
        st.caption(_("Queries, keys and values belong to one head: choose a head to see them."))
        return
    title = (
        _("Its vectors: the changed run minus the original one")
        if look.signed
        else _("Its vectors in this head")
    )
    figure = vector_strip(_vectors_of(look, look.head, pin), title=title)
    show_chart(figure, "pinned-vectors", title)


def _vectors_of(look: Look, head: int, pin: Pin) -> Vectors:
    """Return q of a token that looks, k and v of one that is looked at; in self-attention all."""
    capture = look.translation.capture
    tokens = ((pin.query, capture.queries(look.kind)), (pin.key, capture.keys(look.kind)))
    roles: dict[str, Role] = {"q": "query", "k": "key", "v": "value"}
    stages = ("qkv", "qkv") if look.kind != "cross" else ("q", "kv")
    vectors: Vectors = {}
    for (index, of), names in zip(tokens, stages, strict=True):
        if index is None:
            continue
        for name in names:
            stage = np.asarray(capture.stage(look.kind, look.layer, name, head))  # (T, d_k)
            vectors[f"{name} · {text_at(of, index)}"] = (roles[name], stage[index])
    return vectors
