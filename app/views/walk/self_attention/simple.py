"""Self-attention without parameters, on the vectors of the sentence itself."""

from collections.abc import Sequence

import numpy as np
import streamlit as st

from app.components.board import Grid, Op
from app.data.attention import SimpleAttention, simple_attention
from app.format import escape, maths, number, percent
from app.i18n import _
from app.inspect.arrays import arrays, grid
from app.inspect.head import Head
from app.inspect.naming import labels_of
from app.views.walk.self_attention import texts

X = "src.sum"
ALONE = 0.99  # a weight from which nothing else is worth speaking of


def simple_text(head: Head) -> str:
    """Explain the scores, with those of the word that looks."""
    scores = simple_attention(_x(head)).scores[head.query]
    return f"{_(texts.SIMPLE)} {_scores(scores, labels_of(head.walk, X, 0), head.query)}"


def draw_simple(head: Head) -> None:
    """Draw scores, weights and the mixture of one word, with nothing but its sentence's x."""
    walk, word, x = head.walk, head.query, _x(head)
    label, every = labels_of(walk, X, 0)[word], (None, None)
    weights: list[Grid | Op] = [
        grid(walk, X, every, "X"),
        Op("X · Xᵀ ="),
        grid(walk, "simple.likeness", every, "w′"),
        Op("softmax"),
        grid(walk, "simple.mixing", every, "w"),
    ]
    arrays(walk, weights, key="simple-1")
    st.markdown(_(texts.SIMPLE_MIX))
    reach = float(np.abs(x).max())
    mixture: list[Grid | Op] = [
        grid(walk, "simple.mixing", (word, None), f"w · “{label}”"),
        Op("×"),
        grid(walk, X, every, "X", reach=reach),
        Op("="),
        grid(walk, "simple.mixture", (word, None), f"y · “{label}”", reach=reach),
    ]
    arrays(walk, mixture, key="simple-2")
    st.markdown(_mixture(x, simple_attention(x), word, escape(label)))


def _x(head: Head) -> np.ndarray:
    return np.asarray(head.walk.array(X), dtype=np.float64)  # (T, D)


def _scores(scores: np.ndarray, labels: Sequence[str], word: int) -> str:
    name, own = escape(labels[word]), number(scores[word])
    if len(labels) == 1:
        return _(texts.SIMPLE_ALONE).format(word=name, own=own)
    others = np.where(np.arange(len(labels)) == word, -np.inf, scores)
    best = int(others.argmax())
    return _(texts.SIMPLE_SCORES).format(
        word=name, own=own, other=escape(labels[best]), next=number(scores[best])
    )


def _mixture(x: np.ndarray, attention: SimpleAttention, word: int, name: str) -> str:
    own = float(attention.weights[word, word])
    change = float(np.abs(attention.outputs[word] - x[word]).max())
    text = _(texts.SIMPLE_SELF if own > ALONE else texts.SIMPLE_MIXED).format(
        word=name, weight=percent(own), change=f"{change:.0e}" if change else "0"
    )
    root = float(np.sqrt(x.shape[1]))
    tamed = float(simple_attention(x / np.sqrt(root)).weights[word, word])  # √ in both factors
    if tamed > ALONE:
        text += " " + _(texts.SIMPLE_TAMED).format(root=f"{root:.3g}", tamed=percent(tamed))
    return maths(f"{text} {_(texts.SIMPLE_MISSING)}")
