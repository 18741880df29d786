"""Six attentions in one table: their formulas, and their numbers on the same few vectors."""

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
import streamlit as st

from app.components.board import Grid, Op, array_grid, board
from app.format import escape, maths, number
from app.i18n import _
from app.ui.table import Columns, table, table_fold
from app.views.history.evolution import texts
from app.views.history.evolution.choice import Choice
from app.views.history.evolution.data import Attention, Name, attentions
from app.views.history.evolution.vectors import SIZE, Vectors, draw_fields

FIRST_THREE: Final[tuple[Name, ...]] = ("additive", "dot", "scaled")
PROJECTED: Final = "$Q = {q} W_Q$, $K = H W_K$, $V = H W_V$, "
SCALED: Final = r"$\mathrm{softmax}(Q K^\top$ $/ \sqrt{d})\,V$"
# The formulas, in parts between which a line may break.
FORMULAS: Final[Mapping[Name, str]] = {
    "additive": r"$e_{ij} = v \cdot$ $\tanh(s_i W_a$ $+\ h_j U_a)$, $\mathrm{softmax}(e)\,H$",
    "dot": r"$\mathrm{softmax}(S H^\top)\,H$",
    "scaled": r"$\mathrm{softmax}(S H^\top$ $/ \sqrt{d})\,H$",
    "self": PROJECTED.format(q="H") + SCALED,
    "cross": PROJECTED.format(q="S") + SCALED,
    "multi_head": (
        r"$z_i =$ $\mathrm{softmax}(Q_i K_i^\top$ $/ \sqrt{d/2})\,V_i$, $[z_1; z_2]\,W_O$"
    ),
}
# What follows the weights where it is not H itself that is mixed.
MIXED: Final[Mapping[Name, str]] = {
    "self": "× V =",
    "cross": "× V =",
    "multi_head": "[z₁; z₂] × W_O =",
}


def draw_six(choice: Choice) -> None:
    """Draw the fields, the table of formulas, and each attention on what the fields hold."""
    columns = {
        _("attention"): [f"**{_(texts.SIX_NAMES[name])}**" for name in FORMULAS],
        _("asks → answers"): ["$H$ → $H$" if name == "self" else "$S$ → $H$" for name in FORMULAS],
        _("formula"): list(FORMULAS.values()),
    }
    st.table(columns)
    st.markdown(_(texts.VECTORS).format(size=SIZE))
    vectors = choice.vectors
    draw_fields(choice.translations, vectors.errors)
    computed = attentions(vectors.inputs)
    for name, attention in computed.items():
        with st.container(border=True):
            text = maths(_(texts.SIX_TEXTS[name]).format(size=SIZE))
            st.markdown(f"**{_(texts.SIX_NAMES[name])}**: {text}")
            _draw_numbers(vectors, name, attention)
    word = escape(vectors.queries[-1])
    st.markdown(_(texts.SHARP).format(word=word, **largest(computed, -1)))
    table_fold("six", lambda: table(_columns(vectors, computed), "six-attentions"))


def largest(computed: Mapping[Name, Attention], query: int) -> dict[str, str]:
    """Return what a query gives to its favourite in the first three, as text."""
    return {name: number(computed[name].weights[0, query].max(), 3) for name in FIRST_THREE}


def queries_of(vectors: Vectors, name: Name) -> tuple[str, ...]:
    """Return what the rows of an attention are called."""
    return vectors.keys if name == "self" else vectors.queries


def _draw_numbers(vectors: Vectors, name: Name, attention: Attention) -> None:
    rows, heads = queries_of(vectors, name), len(attention.weights)
    labels: dict[str, Any] = {"row_labels": rows, "col_labels": vectors.keys}
    out = array_grid(attention.out, _("result"), "output", row_labels=rows)
    for i, weights in enumerate(attention.weights, start=1):
        head = f" {i}" if heads > 1 else ""
        items: list[Grid | Op] = [
            array_grid(attention.scores[i - 1], _("scores") + head, **labels),
            Op("softmax"),
            array_grid(weights, _("weights") + head, scale="weights", **labels),
        ]
        if i == heads:
            items += [Op(MIXED.get(name, "× H =")), out]
        board(items, key=f"six-{name}-{i}")


def _columns(vectors: Vectors, computed: Mapping[Name, Attention]) -> Columns:
    cells = [
        (name, index, float(attention.scores[index]), float(attention.weights[index]))
        for name, attention in computed.items()
        for index in np.ndindex(attention.weights.shape)
    ]
    return {
        _("attention"): [_(texts.SIX_NAMES[name]) for name, *_rest in cells],
        _("head"): [str(head + 1) for _name, (head, _t, _s), *_rest in cells],
        _("query"): [queries_of(vectors, name)[t] for name, (_head, t, _s), *_rest in cells],
        _("key"): [vectors.keys[s] for _name, (_head, _t, s), *_rest in cells],
        _("scores"): [score for *_rest, score, _weight in cells],
        _("weights"): [weight for *_rest, weight in cells],
    }
