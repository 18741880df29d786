"""Self-attention without parameters, on the vectors of the sentence itself."""

import numpy as np

from app.components.board import Grid, Op
from app.data.attention import simple_attention
from app.format import maths, number, percent, power, short
from app.i18n import _
from app.inspector.arrays import arrays, grid
from app.inspector.head import Head
from app.ui.about import about
from app.views.walk.self_attention import texts

X = "src.sum"
EVERY = (None, None)
ALONE = 0.99  # a weight from which nothing else is worth speaking of


def simple_text(head: Head) -> str:
    """Say how vectors become scores, weights and averages, and what is missing."""
    x, word = _x(head), head.query
    attention = simple_attention(x)
    own = float(attention.weights[word, word])
    change = float(np.abs(attention.outputs[word] - x[word]).max())
    said = [_(texts.SIMPLE), _(texts.SIMPLE_SELF if own > ALONE else texts.SIMPLE_MIXED)]
    root = float(np.sqrt(x.shape[1]))
    tamed = float(simple_attention(x / np.sqrt(root)).weights[word, word])  # √ in both factors
    if tamed > ALONE:
        said.append(_(texts.SIMPLE_TAMED).format(root=short(root, 3), tamed=percent(tamed)))
    said.append(_(texts.SIMPLE_MISSING))
    own_words = {"word": head.word, "weight": percent(own), "change": power(change, 0)}
    said[1] = said[1].format(score=number(attention.scores[word, word]), **own_words)
    return maths(" ".join(said))


@about(place=())
def draw_simple(head: Head) -> None:
    """Draw the dot products of X's rows, their softmax, and the weighted averages of X."""
    reach = float(np.abs(_x(head)).max())
    items: list[Grid | Op] = [
        grid(head.walk, "simple.likeness", EVERY, "w′ = X Xᵀ"),
        Op("softmax"),
        grid(head.walk, "simple.mixing", EVERY, "w", row_labels=()),
        Op("×"),
        grid(head.walk, X, EVERY, "X", reach=reach, thumb=True),
        Op("="),
        grid(head.walk, "simple.mixture", EVERY, "Y", reach=reach, row_labels=(), thumb=True),
    ]
    arrays(head.walk, items, key="simple")


def _x(head: Head) -> np.ndarray:
    return np.asarray(head.walk.array(X), dtype=np.float64)  # (T, D)
