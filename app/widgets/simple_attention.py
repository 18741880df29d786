"""Self-attention without parameters, on the vectors of the sentence itself."""

from collections.abc import Sequence

import numpy as np
import streamlit as st

from app.i18n import _
from app.lessons import self_attention as lesson
from app.services_attention import SimpleAttention, simple_attention
from app.services_walk import Walk
from app.widgets.arrays import arrays, grid
from app.widgets.board import Op
from app.widgets.head import maths, percent
from app.widgets.naming import labels_of
from app.widgets.plain import plain
from app.widgets.said import number
from app.widgets.section import section

X = "src.sum"
ALONE = 0.99  # a weight from which nothing else is worth speaking of


def simple(walk: Walk, word: int) -> None:
    """Draw scores, weights and the mixture of one word, with nothing but its sentence's x."""
    x = np.asarray(walk.array(X), dtype=np.float64)  # (T, D)
    labels = labels_of(walk, X, 0)
    made = simple_attention(x)
    section(
        _(lesson.SIMPLE_TITLE), f"{_(lesson.SIMPLE)} {_scores(made.scores[word], labels, word)}"
    )
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
    st.markdown(_(lesson.SIMPLE_MIX))
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
    st.markdown(_mixture(x, made, word, plain(labels[word])))


def _scores(scores: np.ndarray, labels: Sequence[str], word: int) -> str:
    name, own = plain(labels[word]), number(scores[word])
    if len(labels) == 1:
        return _(lesson.SIMPLE_ALONE).format(word=name, own=own)
    others = np.where(np.arange(len(labels)) == word, -np.inf, scores)
    best = int(others.argmax())
    return _(lesson.SIMPLE_SCORES).format(
        word=name, own=own, other=plain(labels[best]), next=number(scores[best])
    )


def _mixture(x: np.ndarray, made: SimpleAttention, word: int, name: str) -> str:
    own = float(made.weights[word, word])
    change = float(np.abs(made.outputs[word] - x[word]).max())
    said = _(lesson.SIMPLE_SELF if own > ALONE else lesson.SIMPLE_MIXED).format(
        word=name, weight=percent(own), change=f"{change:.0e}" if change else "0"
    )
    root = float(np.sqrt(x.shape[1]))
    tamed = float(simple_attention(x / np.sqrt(root)).weights[word, word])  # √ in both factors
    if tamed > ALONE:
        said += " " + _(lesson.SIMPLE_TAMED).format(root=f"{root:.3g}", tamed=percent(tamed))
    return maths(f"{said} {_(lesson.SIMPLE_MISSING)}")
