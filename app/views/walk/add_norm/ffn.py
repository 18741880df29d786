"""The feed-forward network: its two maps, the ReLU, and the hidden units that fire."""

from typing import Final

import numpy as np
import streamlit as st

from app.charts.columns import columns
from app.charts.heatmap import attention_heatmap
from app.components.board import Grid, Op
from app.format import escape
from app.i18n import _
from app.inspect.arrays import arrays, grid
from app.inspect.naming import array_name, layer_names
from app.state import Param, whole
from app.ui.chart import show_chart
from app.ui.pickers import pick
from app.ui.table import numbered
from app.views.walk.add_norm import texts
from app.views.walk.add_norm.sublayer import Sub

UNIT: Final = Param[int]("unit", -1, whole(-1, 1_000_000))
SHOWN: Final = 8  # units offered, the strongest


def maps_text(sub: Sub) -> str:
    """Say how wide the network is."""
    return _(texts.FFN).format(d=sub.walk.config.d_model, d_ff=sub.walk.config.d_ff)


def draw_maps(sub: Sub) -> None:
    """Draw the way of the chosen word through W₁, ReLU and W₂, and count the units that fire."""
    walk, ffn, d_ff = sub.walk, f"{sub.scope}.ffn", sub.walk.config.d_ff
    arrays(
        walk,
        [
            _x(sub),
            Op("× W_1 + b_1"),
            sub.strip(f"{ffn}.pre", "x W₁ + b₁"),
            Op("ReLU"),
            sub.strip(f"{ffn}.hidden", "max(0, x W₁ + b₁)", role="value"),
            Op("× W_2 + b_2"),
            sub.strip(f"{ffn}.out", "FFN(x)", role="output"),
        ],
        key="ffn",
    )
    fires = int((walk.array(f"{ffn}.hidden", (sub.word,)) > 0).sum())
    share, word = f"{fires / d_ff:.0%}", escape(sub.text)
    text = _(texts.FIRES)
    st.markdown(text.format(word=word, fires=fires, d_ff=d_ff, silent=d_ff - fires, share=share))
    _draw_shares(sub)


def unit_text(sub: Sub) -> str:
    """Say which units are offered."""
    return _(texts.STRONGEST).format(word=escape(sub.text))


def draw_unit(sub: Sub) -> None:
    """Draw the strongest units, and what one of them asks and answers."""
    walk, ffn = sub.walk, f"{sub.scope}.ffn"
    hidden = np.asarray(walk.array(f"{ffn}.hidden"), dtype=float)  # (T, d_ff)
    mine = hidden[sub.word]
    strongest = np.argsort(-mine, kind="stable")[:SHOWN].tolist()
    unit = UNIT.get() if 0 <= UNIT.get() < mine.size else strongest[0]
    offered = strongest if unit in strongest else [*strongest, unit]
    names = {i: f"{i + 1}: {mine[i]:.2f}" for i in offered}
    pick(UNIT, _("Hidden unit"), names, value=unit, wrap=True)
    pre = float(walk.array(f"{ffn}.pre", (sub.word, unit)))
    asks = _(texts.UNIT).format(unit=unit + 1, d=walk.config.d_model, pre=f"{pre:.3f}")
    answers = _(texts.UNIT_ON if mine[unit] > 0 else texts.UNIT_OFF)
    st.markdown(f"{asks} {answers.format(hidden=f'{mine[unit]:.3f}')}")
    one = (unit,)
    arrays(
        walk,
        [
            _x(sub),
            Op("·"),
            grid(walk, f"param:{ffn}.W_1", (None, unit), f"W₁ · {unit + 1}"),
            Op("+"),
            grid(walk, f"param:{ffn}.b_1", (None,), "b₁", cols=one),
            Op("="),
            sub.strip(f"{ffn}.pre", "x W₁ + b₁", cols=one),
            Op("ReLU"),
            sub.strip(f"{ffn}.hidden", "max(0, …)", cols=one, role="value"),
            Op("×"),
            grid(walk, f"param:{ffn}.W_2", (unit, None), f"W₂ · {unit + 1}"),
        ],
        key="unit",
    )
    _draw_words(sub, _(texts.UNIT_WORDS).format(unit=unit + 1), hidden[:, unit])


def _x(sub: Sub) -> Grid:
    """Return what the feed-forward network of this layer reads."""
    name = sub.walk.inputs(f"{sub.scope}.ffn.pre")[0]
    return sub.strip(name, f"x · “{sub.text}”", note=array_name(name))


def _draw_words(sub: Sub, title: str, values: np.ndarray) -> None:
    """Draw a unit's value for each word, (T,)."""
    word, value = _("word"), _("value after the ReLU")
    figure = columns(
        values, sub.words, title="", y_title=value, x_title=word, role="value", marked=sub.word
    )
    st.markdown(title)
    twin = {word: numbered(sub.words), value: values.tolist()}
    show_chart(figure, "unit-words", title, lambda: twin)


def _draw_shares(sub: Sub) -> None:
    """Draw how many units fire for each word, in all layers."""
    hidden = [sub.walk.array(f"{sub.stack}.{i}.ffn.hidden") for i in range(sub.n_layers)]
    shares = (np.stack(hidden) > 0).mean(-1)  # (L, T)
    here = shares[sub.layer]
    most, least = (escape(sub.words[int(i)]) for i in (here.argmax(), here.argmin()))
    st.markdown(_(texts.FIRES_ALL).format(most=most, least=least))
    layers = layer_names(sub.n_layers)
    title = _("Share of hidden units that fire")
    figure = attention_heatmap(
        shares,
        layers,
        sub.words,
        query_title=_("layer"),
        key_title=_("word"),
        title=title,
        hover="{query} · {key}: {weight}",
        pinned=(sub.layer, sub.word),
    )
    by_layer = dict(zip(layers, shares.tolist(), strict=True))
    show_chart(figure, "firing", title, lambda: {_("word"): numbered(sub.words), **by_layer})
