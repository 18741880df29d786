"""All heads side by side: what one word looks at, and every word in every head."""

import numpy as np
import streamlit as st

from app import state
from app.components.wall import HeadPick, wall
from app.format import percent
from app.i18n import _
from app.inspect.arrays import arrays, grid
from app.inspect.head import Head
from app.ui.chart import theme_mode
from app.ui.picture import picture
from app.ui.section import section
from app.ui.table import Columns, table, table_fold
from app.views.walk.heads import texts
from app.views.walk.heads.wall_chart import head_wall


def heads_look(now: Head) -> None:
    """Draw the word's row of weights in each head of the layer."""
    rows = np.asarray(now.walk.array(f"{now.scope}.weights")[:, now.query])  # (H, S)
    section(_(texts.LOOK_TITLE).format(word=now.word), _said(now, rows))
    arrays(
        now.walk,
        [
            grid(
                now.walk, f"{now.scope}.weights", (None, now.query, None), now.title(_("weights")),
                row_labels=head_names(len(rows)),
            )
        ],
        key="heads-look",
    )  # fmt: skip


def every_head(now: Head) -> None:
    """Draw the weights of all layers and heads; one that is clicked is gone to."""
    capture = now.walk.capture
    labels = [token.text for token in capture.src]
    layers = range(capture.n_layers(now.kind))
    heads = np.stack([capture.weights(now.kind, layer) for layer in layers])  # (L, H, T, S)
    st.markdown(_(texts.ALL))
    wall(
        heads, labels, labels, key="heads-wall", locked=HeadPick(now.layer, now.head), on_lock=_go,
        aggregates={}, aggregate_titles={},
    )  # fmt: skip
    table_fold("heads-wall", lambda: _twins(heads, labels), picture=True)


def head_names(count: int) -> list[str]:
    """Return "head 1", "head 2", …"""
    return [_("head {n}").format(n=h + 1) for h in range(count)]


def _said(now: Head, rows: np.ndarray) -> str:
    best = rows.max(-1)  # (H,)
    sharp, broad = int(best.argmax()), int(best.argmin())
    looked_at = rows.argmax(-1)
    text = texts.LOOK_ONE if len(rows) == 1 else texts.LOOK
    said = _(text).format(
        layer=now.layer + 1,
        sharp=sharp + 1, sharp_weight=percent(best[sharp]), sharp_word=now.words[looked_at[sharp]],
        broad=broad + 1, broad_weight=percent(best[broad]), broad_word=now.words[looked_at[broad]],
    )  # fmt: skip
    different = len(set(looked_at.tolist()))
    return said if different == 1 else f"{said} {_(texts.LOOK_AGREE).format(n=different)}"


def _go(picked: HeadPick) -> None:
    state.LAYER.set(str(picked.layer + 1))
    if isinstance(picked.head, int):
        state.HEAD.set(str(picked.head + 1))


def _twins(heads: np.ndarray, labels: list[str]) -> None:
    table(_columns(heads, labels), "heads")
    figure = head_wall(
        heads, layer_names=[_("layer {n}").format(n=i + 1) for i in range(len(heads))],
        head_names=head_names(heads.shape[1]), hover=_("weight"),
        mode=theme_mode(),
    )  # fmt: skip
    picture(figure, "heads", _("All layers and heads"))


def _columns(heads: np.ndarray, labels: list[str]) -> Columns:
    L, H, T, S = heads.shape
    places = [(layer, head, t) for layer in range(L) for head in range(H) for t in range(T)]
    columns: dict[str, list[str | float]] = {
        _("Layer"): [str(layer + 1) for layer, _head, _t in places],
        _("Head"): [str(head + 1) for _layer, head, _t in places],
        _("query ↓ key →"): [f"{t + 1} {labels[t]}" for _layer, _head, t in places],
    }
    flat = heads.reshape(-1, S)
    for i, label in enumerate(labels):
        columns[f"{i + 1} {label}"] = flat[:, i].tolist()
    return columns
