"""The feed-forward network: its two maps, the activation, and the hidden units that fire."""

from typing import Final

import numpy as np
import streamlit as st

from app.charts.columns import columns
from app.charts.heatmap import attention_heatmap
from app.components.board import Grid, Op
from app.format import escape, number, percent, quoted
from app.i18n import _
from app.inspector.arrays import arrays, grid
from app.inspector.naming import layer_names
from app.page.quiz import Task
from app.state import Param, whole
from app.ui.chart import show_chart
from app.ui.pickers import pick
from app.ui.table import numbered
from app.views.walk.add_norm import texts
from app.views.walk.add_norm.sublayer import Sub

UNIT: Final = Param[int]("unit", -1, whole(-1, 1_000_000))
SHOWN: Final = 8  # units offered, the strongest
FOLD, WIDE = 32, 64  # numbers a line of a small picture
ACTIVATION_NAMES: Final = {"relu": "ReLU", "gelu": "GELU", "swish": "Swish"}
SHARES: Final = (0.1, 0.3, 0.6)  # the bounds of the guess


def maps_text(sub: Sub) -> str:
    """Say how wide the network is."""
    config = sub.walk.config
    values = {"d": config.d_model, "d_ff": config.d_ff, "word": escape(sub.text)}
    if _relu(sub):
        return _(texts.FFN).format(**values)
    return _(texts.FFN_SMOOTH).format(activation=_activation(sub), **values)


def maps_title(sub: Sub) -> str:
    """Name the network's activation."""
    return _(texts.FFN_TITLE if _relu(sub) else texts.FFN_SMOOTH_TITLE)


def shares_text(sub: Sub) -> str:
    """Say what the activation is there for."""
    return _(texts.FIRES if _relu(sub) else texts.FIRES_SMOOTH)


def draw_maps(sub: Sub) -> None:
    """Draw the way of the chosen token through W₁, the activation and W₂."""
    ffn = f"{sub.scope}.ffn"
    items: list[Grid | Op] = [
        _x(sub),
        Op("× W_1 + b_1"),
        sub.strip(f"{ffn}.pre", "x W₁ + b₁", fold=WIDE),
        Op(_activation(sub)),
        sub.strip(f"{ffn}.hidden", _activated(sub, "x W₁ + b₁"), role="value", fold=WIDE),
        Op("× W_2 + b_2"),
        sub.strip(f"{ffn}.out", "FFN(x)", role="output", fold=FOLD),
    ]
    arrays(sub.walk, items, key="ffn")


def guess_share(sub: Sub) -> Task:
    """Ask how many units fire."""
    fires, d_ff = firing(sub), sub.walk.config.d_ff
    options = [_(option) for option in texts.FIRES_OPTIONS]
    right = int(np.searchsorted(SHARES, fires / d_ff, side="right"))
    values = {"word": sub.text, "d_ff": d_ff, "fires": fires, "share": percent(fires / d_ff)}
    return Task.of(
        texts.FIRES_GUESS, options, [right], texts.FIRES_RIGHT, texts.FIRES_WRONG, **values
    )


def firing(sub: Sub) -> int:
    """Return how many hidden units fire for the chosen token."""
    return int((sub.walk.array(f"{sub.scope}.ffn.hidden", (sub.word,)) > 0).sum())


def draw_shares(sub: Sub) -> None:
    """Draw the share of units that fire, for each token in all layers."""
    fires, d_ff = firing(sub), sub.walk.config.d_ff
    hidden = [sub.walk.array(f"{sub.stack}.{i}.ffn.hidden") for i in range(sub.n_layers)]
    shares = (np.stack(hidden) > 0).mean(-1)  # (L, T)
    here = shares[sub.layer]
    most, least = (escape(sub.words[int(i)]) for i in (here.argmax(), here.argmin()))
    counts = {"fires": fires, "d_ff": d_ff, "silent": d_ff - fires, "share": percent(fires / d_ff)}
    text = _(texts.FIRES_ALL if _relu(sub) else texts.FIRES_ALL_SMOOTH)
    st.markdown(text.format(word=escape(sub.text), most=most, least=least, **counts))
    layers = layer_names(sub.n_layers)
    title = _("Share of hidden units that fire")
    figure = attention_heatmap(
        shares,
        layers,
        sub.words,
        query_title=_("layer"),
        key_title=_("token"),
        title=title,
        hover="{query} · {key}: {weight}",
        pinned=(sub.layer, sub.word),
    )
    by_layer = dict(zip(layers, shares.tolist(), strict=True))
    show_chart(figure, "firing", title, lambda: {_("token"): numbered(sub.words), **by_layer})


def pick_unit(sub: Sub) -> None:
    """Draw the choice of a hidden unit among the strongest ones."""
    mine, unit = _hidden(sub)[sub.word], _unit(sub)
    strongest = np.argsort(-mine, kind="stable")[:SHOWN].tolist()
    offered = strongest if unit in strongest else [*strongest, unit]
    names = {i: f"{i + 1}: {number(mine[i])}" for i in offered}
    pick(UNIT, _("Hidden unit"), names, value=unit, wrap=True)


def unit_text(sub: Sub) -> str:
    """Say what the unit asks and answers."""
    unit, mine = _unit(sub), _hidden(sub)[sub.word]
    pre = float(sub.walk.array(f"{sub.scope}.ffn.pre", (sub.word, unit)))
    values = {"unit": unit + 1, "d": sub.walk.config.d_model, "word": escape(sub.text)}
    asks = _(texts.UNIT).format(pre=number(pre, 3), **values)
    silent = texts.UNIT_OFF if _relu(sub) else texts.UNIT_OFF_SMOOTH
    answers = _(texts.UNIT_ON if mine[unit] > 0 else silent)
    return f"{asks} {answers.format(hidden=number(mine[unit], 3))}"


def draw_unit(sub: Sub) -> None:
    """Draw what the chosen unit reads, and what it adds."""
    walk, ffn, unit = sub.walk, f"{sub.scope}.ffn", _unit(sub)
    one = (unit,)
    items: list[Grid | Op] = [
        _x(sub),
        Op("·"),
        grid(walk, f"param:{ffn}.W_1", (None, unit), f"W₁ · {unit + 1}", fold=FOLD),
        Op("+"),
        grid(walk, f"param:{ffn}.b_1", (None,), "b₁", cols=one),
        Op("="),
        sub.strip(f"{ffn}.pre", "x W₁ + b₁", cols=one),
        Op(_activation(sub)),
        sub.strip(f"{ffn}.hidden", _activated(sub, "…"), cols=one, role="value"),
        Op("×"),
        grid(walk, f"param:{ffn}.W_2", (unit, None), f"W₂ · {unit + 1}", fold=FOLD),
    ]
    arrays(walk, items, key="unit")


def words_text(sub: Sub) -> str:
    """Say which unit it is."""
    return _(texts.UNIT_WORDS).format(unit=_unit(sub) + 1)


def draw_words(sub: Sub) -> None:
    """Draw the chosen unit's value for each token, (T,)."""
    values, token, value = _hidden(sub)[:, _unit(sub)], _("token"), _("value after the activation")
    figure = columns(
        values, sub.words, title="", y_title=value, x_title=token, role="value", marked=sub.word
    )
    twin = {token: numbered(sub.words), value: values.tolist()}
    show_chart(figure, "unit-words", words_text(sub), lambda: twin)


def _activation(sub: Sub) -> str:
    """Return the name of the model's activation."""
    return ACTIVATION_NAMES[sub.walk.config.activation]


def _activated(sub: Sub, x: str) -> str:
    """Write what the activation makes of x."""
    return f"max(0, {x})" if _relu(sub) else f"{_activation(sub)}({x})"


def _relu(sub: Sub) -> bool:
    return sub.walk.config.activation == "relu"


def _hidden(sub: Sub) -> np.ndarray:
    """Return the hidden units after the activation, (T, d_ff)."""
    return np.asarray(sub.walk.array(f"{sub.scope}.ffn.hidden"), dtype=float)


def _unit(sub: Sub) -> int:
    """Return the chosen unit, or the strongest one where there is none such."""
    mine = _hidden(sub)[sub.word]
    return UNIT.get() if 0 <= UNIT.get() < mine.size else int(mine.argmax())


def _x(sub: Sub) -> Grid:
    """Return what the feed-forward network of this layer reads."""
    name = sub.walk.inputs(f"{sub.scope}.ffn.pre")[0]
    return sub.strip(name, f"x · {quoted(sub.text)}", fold=FOLD)
