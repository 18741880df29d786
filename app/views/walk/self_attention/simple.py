"""Self-attention without parameters, on the vectors of the sentence itself."""

from collections.abc import Sequence

import numpy as np
import streamlit as st

from app.components.board import Op
from app.data.attention import SimpleAttention, simple_attention
from app.data.walk import Walk
from app.format import escape, maths, number, percent
from app.i18n import _
from app.inspect.arrays import arrays, grid
from app.inspect.naming import labels_of
from app.ui.section import section
from app.views.walk.self_attention import texts

X = "src.sum"
ALONE = 0.99  # a weight from which nothing else is worth speaking of


def simple(walk: Walk, word: int) -> None:
    """Draw scores, weights and the mixture of one word, with nothing but its sentence's x."""
    x = np.asarray(walk.array(X), dtype=np.float64)  # (T, D)
    labels = labels_of(walk, X, 0)
    made = simple_attention(x)
    section(_(texts.SIMPLE_TITLE), f"{_(texts.SIMPLE)} {_scores(made.scores[word], labels, word)}")
    every = (None, None)
    arrays(
        walk,
        [
            grid(walk, X, every, "X"),
            Op("X · Xᵀ ="),
            grid(walk, "simple.likeness", every, "w′"),
            Op("softmax"),
            grid(walk, "simple.mixing", every, "w"),
        ],
        key="simple-1",
    )
    st.markdown(_(texts.SIMPLE_MIX))
    reach = float(np.abs(x).max())
    arrays(
        walk,
        [
            grid(walk, "simple.mixing", (word, None), f"w · “{labels[word]}”"),
            Op("×"),
            grid(walk, X, every, "X", reach=reach),
            Op("="),
            grid(walk, "simple.mixture", (word, None), f"y · “{labels[word]}”", reach=reach),
        ],
        key="simple-2",
    )
    st.markdown(_mixture(x, made, word, escape(labels[word])))


def _scores(scores: np.ndarray, labels: Sequence[str], word: int) -> str:
    name, own = escape(labels[word]), number(scores[word])
    if len(labels) == 1:
        return _(texts.SIMPLE_ALONE).format(word=name, own=own)
    others = np.where(np.arange(len(labels)) == word, -np.inf, scores)
    best = int(others.argmax())
    return _(texts.SIMPLE_SCORES).format(
        word=name, own=own, other=escape(labels[best]), next=number(scores[best])
    )


def _mixture(x: np.ndarray, made: SimpleAttention, word: int, name: str) -> str:
    own = float(made.weights[word, word])
    change = float(np.abs(made.outputs[word] - x[word]).max())
    said = _(texts.SIMPLE_SELF if own > ALONE else texts.SIMPLE_MIXED).format(
        word=name, weight=percent(own), change=f"{change:.0e}" if change else "0"
    )
    root = float(np.sqrt(x.shape[1]))
    tamed = float(simple_attention(x / np.sqrt(root)).weights[word, word])  # √ in both factors
    if tamed > ALONE:
        said += " " + _(texts.SIMPLE_TAMED).format(root=f"{root:.3g}", tamed=percent(tamed))
    return maths(f"{said} {_(texts.SIMPLE_MISSING)}")
