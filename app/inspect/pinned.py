"""What is pinned: its number, how that came about, its row as bars, and q, k, v of the tokens."""

import html

import numpy as np
import streamlit as st

from app import state
from app.charts.arrange import Floats, strongest
from app.charts.bars import row_bars
from app.charts.theme import Role
from app.charts.toolbar import plot_config
from app.charts.vectors import vector_strip
from app.data.translation import Token
from app.i18n import N_, _
from app.inspect.attention import Look
from app.state import Pin
from app.ui.chart import theme_mode

Vectors = dict[str, tuple[Role, Floats]]
MULTIPLIED = N_("q · k = {product};  ÷ √{d_k} = {scaled};  softmax over the row = {weight}")
ADDED = N_("v_a · tanh(q + k) = {product};  softmax over the row = {weight}")


def pinned(now: Look) -> None:
    """Draw what is pinned; as long as nothing is, the strongest cell."""
    pin = state.PIN.get() or Pin(None, None)
    row, col = now.queries.find(pin.query), now.keys.find(pin.key)
    if row is None and col is None:
        _hint(pin)
        row, col = strongest(now.weights, now.queries, now.keys)
        pin = Pin(now.queries.first(row), now.keys.first(col))
    else:
        st.button(
            _("Unpin"), icon=":material/keep_off:", on_click=state.PIN.set, args=(None,),
            type="tertiary",
        )  # fmt: skip
    _title(now, row, col)
    if row is not None and col is not None:
        _how(now, Pin(now.queries.first(row) if pin.query is None else pin.query, pin.key))
    _bars(now, row, col)
    _vectors(now, pin)


def _hint(pin: Pin) -> None:
    if pin != (None, None):
        st.caption(
            _("What was pinned is not shown here. Below is the strongest link between words.")
        )
        return
    st.caption(
        _(
            "Click a cell or a token to pin it. Until then, this is the strongest link "
            "between words."
        )
    )


def _title(now: Look, row: int | None, col: int | None) -> None:
    """Say who looks at whom, in text that is no Markdown, with the number below it."""
    names = [
        html.escape(axis.labels[i])
        for axis, i in ((now.queries, row), (now.keys, col))
        if i is not None
    ]
    number = "" if row is None or col is None else f"{now.weights[row, col]:.4f}"
    st.html(
        '<div data-testid="pinned" style="overflow-wrap:anywhere">'
        f'<div style="font-size:1.1rem">{" → ".join(f"<b>{name}</b>" for name in names)}</div>'
        f'<div style="font-size:2rem;font-variant-numeric:tabular-nums;line-height:1.2">{number}'
        "</div></div>"
    )


def _how(now: Look, pin: Pin) -> None:
    """Show where the number of the two pieces comes from, in the model's own numbers."""
    if not isinstance(now.head, int) or pin.query is None or pin.key is None:
        return
    if now.kind == "decoder" and pin.key > pin.query:
        st.caption(_("This cell is masked: its score becomes −∞, and its weight 0."))
        return
    capture, at = now.translation.capture, (now.head, pin.query, pin.key)

    def stage(name: str, digits: int) -> str:
        return f"{float(capture.stage(now.kind, now.layer, name)[at]):.{digits}f}"

    st.caption(
        _(ADDED if now.additive else MULTIPLIED).format(
            product=stage("scores", 3), d_k=capture.config.d_k,
            scaled="" if now.additive else stage("scaled", 3), weight=stage("weights", 4),
        )
    )  # fmt: skip
    if state.MERGE.get() or state.HIDE.get():
        st.caption(_("This line is about the pinned pieces, before merging and hiding."))


def _bars(now: Look, row: int | None, col: int | None) -> None:
    mode = theme_mode()
    if row is not None:
        values, labels, title = now.weights[row], now.keys.labels, _("Its row: where it looks")
        highlight = col
    else:
        values, labels = now.weights[:, col or 0], now.queries.labels
        title, highlight = _("Its column: who looks at it"), None
    figure = row_bars(
        values, labels, value_title=_("weight"), title=title, mode=mode, highlight=highlight
    )
    st.plotly_chart(
        figure, theme=None, config=plot_config(f"{now.name}-row"), key="pinned-bars", alt=title
    )


def _vectors(now: Look, pin: Pin) -> None:
    if not isinstance(now.head, int):
        st.caption(_("Queries, keys and values belong to one head: choose one to see them."))
        return
    vectors = _vectors_of(now, now.head, pin)
    st.plotly_chart(
        vector_strip(vectors, title=_("Its vectors in this head"), mode=theme_mode()),
        theme=None,
        config=plot_config(f"{now.name}-vectors"),
        key="pinned-vectors",
        alt=_("Its vectors in this head"),
    )


def _vectors_of(now: Look, head: int, pin: Pin) -> Vectors:
    """Return q of a token that looks, k and v of one that is looked at; in self-attention all."""
    capture = now.translation.capture
    tokens = ((pin.query, capture.queries(now.kind)), (pin.key, capture.keys(now.kind)))
    roles: dict[str, Role] = {"q": "query", "k": "key", "v": "value"}
    stages = ("qkv", "qkv") if now.kind != "cross" else ("q", "kv")
    vectors: Vectors = {}
    for (index, of), names in zip(tokens, stages, strict=True):
        if index is None:
            continue
        for name in names:
            stage = np.asarray(capture.stage(now.kind, now.layer, name, head))  # (T, d_k)
            vectors[f"{name} · {_name(of, index)}"] = (roles[name], stage[index])
    return vectors


def _name(tokens: tuple[Token, ...], index: int) -> str:
    text = tokens[index].text
    twice = sum(token.text == text for token in tokens) > 1
    return f"{text} ({index + 1})" if twice else text
