"""Self-attention without parameters, on the vectors of the sentence itself."""

import numpy as np

from app.components.board import Grid, Op
from app.data.attention import simple_attention
from app.format import escape, maths, number, percent, power, quoted, short, visible
from app.i18n import _
from app.inspect.arrays import arrays, grid
from app.inspect.head import Head
from app.inspect.naming import labels_of
from app.ui.about import about
from app.views.walk.self_attention import texts

X = "src.sum"
EVERY = (None, None)
ALONE = 0.99  # a weight from which nothing else is worth speaking of


def scores_text(head: Head) -> str:
    """Explain the scores, with those of the token that looks."""
    scores = simple_attention(_x(head)).scores[head.query]
    own = {"word": head.word, "own": number(scores[head.query])}
    if len(scores) == 1:
        return f"{_(texts.SIMPLE)} {_(texts.SIMPLE_ALONE).format(**own)}"
    others = np.where(np.arange(len(scores)) == head.query, -np.inf, scores)
    best = int(others.argmax())
    other = escape(visible(labels_of(head.walk, X, 0)[best]))
    second = _(texts.SIMPLE_SCORES).format(other=other, next=number(scores[best]), **own)
    return f"{_(texts.SIMPLE)} {second}"


@about(place=())
def draw_scores(head: Head) -> None:
    """Draw X and the dot products of its rows."""
    items: list[Grid | Op] = [
        grid(head.walk, X, EVERY, "X", thumb=True),
        Op("× Xᵀ ="),
        grid(head.walk, "simple.likeness", EVERY, "w′", row_labels=()),
    ]
    arrays(head.walk, items, key="simple-1")


def shares_text(head: Head) -> str:
    """Explain the weights, with the one that the token gives to itself."""
    x, word = _x(head), head.query
    own = float(simple_attention(x).weights[word, word])
    text = _(texts.SHARES).format(word=head.word, weight=percent(own))
    root = float(np.sqrt(x.shape[1]))
    tamed = float(simple_attention(x / np.sqrt(root)).weights[word, word])  # √ in both factors
    if tamed > ALONE:
        text += " " + _(texts.SIMPLE_TAMED).format(root=short(root, 3), tamed=percent(tamed))
    return maths(text)


@about(place=())
def draw_shares(head: Head) -> None:
    """Draw the scores and their softmax."""
    items: list[Grid | Op] = [
        grid(head.walk, "simple.likeness", EVERY, "w′"),
        Op("softmax"),
        grid(head.walk, "simple.mixing", EVERY, "w", row_labels=()),
    ]
    arrays(head.walk, items, key="simple-2")


def mix_text(head: Head) -> str:
    """Say what comes of the weighted average, and what is missing."""
    x, word = _x(head), head.query
    attention = simple_attention(x)
    own = float(attention.weights[word, word])
    change = float(np.abs(attention.outputs[word] - x[word]).max())
    text = _(texts.SIMPLE_SELF if own > ALONE else texts.SIMPLE_MIXED).format(
        word=head.word, weight=percent(own), change=power(change, 0)
    )
    return maths(f"{_(texts.MIX)} {text} {_(texts.SIMPLE_MISSING)}")


@about(place=())
def draw_mix(head: Head) -> None:
    """Draw one token's weights, X, and the weighted average of its rows."""
    word, reach = head.query, float(np.abs(_x(head)).max())
    label = labels_of(head.walk, X, 0)[word]
    items: list[Grid | Op] = [
        grid(head.walk, "simple.mixing", (word, None), f"w · {quoted(label)}"),
        Op("×"),
        grid(head.walk, X, EVERY, "X", reach=reach, thumb=True),
        Op("="),
        grid(head.walk, "simple.mixture", (word, None), f"y · {quoted(label)}", reach=reach),
    ]
    arrays(head.walk, items, key="simple-3")


def _x(head: Head) -> np.ndarray:
    return np.asarray(head.walk.array(X), dtype=np.float64)  # (T, D)
