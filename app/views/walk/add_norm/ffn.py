"""The feed-forward network: its two maps, the ReLU, and the hidden units that fire."""

from typing import Final

import numpy as np
import streamlit as st

from app.charts.columns import columns
from app.charts.heatmap import attention_heatmap
from app.charts.toolbar import plot_config
from app.components.board import Op
from app.format import escape
from app.i18n import _
from app.inspect.arrays import arrays, grid
from app.inspect.naming import array_name
from app.state import Param, whole
from app.ui.chart import theme_mode
from app.ui.section import section
from app.ui.table import table, table_fold
from app.views.walk.add_norm import texts
from app.views.walk.add_norm.sublayer import Sub

UNIT: Final = Param[int]("unit", -1, whole(-1, 1_000_000))
SHOWN: Final = 8  # units offered, the strongest


def draw_maps(sub: Sub) -> None:
    """Draw the way of the chosen word through W₁, ReLU and W₂, and count the units that fire."""
    walk, ffn, at = sub.walk, f"{sub.scope}.ffn", (sub.word, None)
    config = walk.config
    section(
        _("Feed-forward: two linear maps and a ReLU"),
        _(texts.FFN).format(d=config.d_model, d_ff=config.d_ff),
    )
    arrays(
        walk,
        [
            grid(walk, given(sub), at, f"x · “{sub.text}”", note=array_name(given(sub))),
            Op("× W_1 + b_1"),
            grid(walk, f"{ffn}.pre", at, "x W₁ + b₁"),
            Op("ReLU"),
            grid(walk, f"{ffn}.hidden", at, "max(0, x W₁ + b₁)", role="value"),
            Op("× W_2 + b_2"),
            grid(walk, f"{ffn}.out", at, "FFN(x)", role="output"),
        ],
        key="ffn",
    )
    hidden = walk.array(f"{ffn}.hidden", at)
    fires = int((hidden > 0).sum())
    st.markdown(
        _(texts.FIRES).format(
            word=escape(sub.text), fires=fires, d_ff=config.d_ff, silent=config.d_ff - fires,
            share=f"{fires / config.d_ff:.0%}",
        )
    )  # fmt: skip
    _shares(sub)


def given(sub: Sub) -> str:
    """Return what the feed-forward network of this layer reads."""
    return sub.walk.numbers.stages[f"{sub.scope}.ffn.pre"].inputs[0]


def draw_unit(sub: Sub) -> None:
    """Draw the strongest units, and what one of them asks and answers."""
    walk, ffn, d = sub.walk, f"{sub.scope}.ffn", sub.walk.config.d_model
    hidden = np.asarray(walk.array(f"{ffn}.hidden"), dtype=float)  # (T, d_ff)
    mine = hidden[sub.word]
    order = np.argsort(-mine, kind="stable")[:SHOWN].tolist()
    unit = UNIT.get() if 0 <= UNIT.get() < mine.size else order[0]
    offered = order if unit in order else [*order, unit]
    section(_("One hidden unit"), _(texts.STRONGEST).format(word=escape(sub.text)))
    st.segmented_control(
        _("Hidden unit"), offered, required=True, wrap=True, key=UNIT.widget(unit),
        format_func=lambda i: f"{i + 1}: {mine[i]:.2f}",
    )  # fmt: skip
    pre = float(walk.array(f"{ffn}.pre")[sub.word, unit])
    answer = texts.UNIT_ON if mine[unit] > 0 else texts.UNIT_OFF
    said = _(texts.UNIT).format(unit=unit + 1, d=d, pre=f"{pre:.3f}")
    st.markdown(f"{said} {_(answer).format(hidden=f'{mine[unit]:.3f}')}")
    at, one = (sub.word, None), (unit,)
    arrays(
        walk,
        [
            grid(walk, given(sub), at, f"x · “{sub.text}”", note=array_name(given(sub))),
            Op("·"),
            grid(walk, f"param:{ffn}.W_1", (None, unit), f"W₁ · {unit + 1}"),
            Op("+"),
            grid(walk, f"param:{ffn}.b_1", (None,), "b₁", cols=one),
            Op("="),
            grid(walk, f"{ffn}.pre", at, "x W₁ + b₁", cols=one),
            Op("ReLU"),
            grid(walk, f"{ffn}.hidden", at, "max(0, …)", cols=one, role="value"),
            Op("×"),
            grid(walk, f"param:{ffn}.W_2", (unit, None), f"W₂ · {unit + 1}"),
        ],
        key="unit",
    )
    _unit_words(sub, unit, hidden[:, unit])


def _unit_words(sub: Sub, unit: int, values: np.ndarray) -> None:
    title = _(texts.UNIT_WORDS).format(unit=unit + 1)
    figure = columns(
        values, sub.words, title="", y_title=_("value after the ReLU"), x_title=_("word"),
        role="value", marked=sub.word, mode=theme_mode(),
    )  # fmt: skip
    st.markdown(title)
    st.plotly_chart(
        figure, theme=None, config=plot_config(f"unit-{unit + 1}"), key="unit-words", alt=title
    )
    names = [f"{i + 1} {word}" for i, word in enumerate(sub.words)]
    table_fold(
        "unit-words",
        lambda: table({_("word"): names, _("value after the ReLU"): values.tolist()}, "unit"),
    )


def _shares(sub: Sub) -> None:
    """Draw how many units fire for each word, in all layers."""
    config = sub.walk.config
    count = config.n_encoder_layers if sub.side == "src" else config.n_decoder_layers
    shares = np.stack(
        [(sub.walk.array(f"{sub.stack}.{i}.ffn.hidden") > 0).mean(-1) for i in range(count)]
    )  # (L, T)
    here = shares[sub.layer]
    st.markdown(
        _(texts.FIRES_ALL).format(
            most=escape(sub.words[int(here.argmax())]), least=escape(sub.words[int(here.argmin())])
        )
    )
    layers = [_("layer {n}").format(n=i + 1) for i in range(count)]
    title = _("Share of hidden units that fire")
    figure = attention_heatmap(
        shares, layers, sub.words, query_title=_("layer"), key_title=_("word"), title=title,
        hover="{query} · {key}: {weight}", mode=theme_mode(),
        pinned=(sub.layer, sub.word),
    )  # fmt: skip
    st.plotly_chart(figure, theme=None, config=plot_config("firing"), key="firing", alt=title)
    names = [f"{i + 1} {word}" for i, word in enumerate(sub.words)]
    rows: dict[str, list[str | float]] = {_("word"): [*names]}
    rows |= {layer: row.tolist() for layer, row in zip(layers, shares, strict=True)}
    table_fold("firing", lambda: table(rows, "firing"))
