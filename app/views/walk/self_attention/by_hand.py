"""Two tokens worked by hand, with the numbers of the slides."""

from typing import Final

import numpy as np
import streamlit as st

from app.components.board import Grid, Op, array_grid
from app.format import number, percent, quoted, short
from app.i18n import _
from app.inspector.arrays import arrays, weights_grid
from app.inspector.head import Head
from app.page.quiz import Task
from app.ui.about import about
from app.views.walk.self_attention import texts
from app.views.walk.self_attention.data import Attention

TIMES: Final = 8  # so often eight numbers follow each other: d_k = 64
QUERY: Final = (2, -1, 1, -2, 1, 2, -1, 1)
KEYS: Final = ((2, 0, 1, -2, 1, 2, 0, 0), (1, -1, 2, -1, 1, 1, -1, 1))  # 14 and 12 a time
VALUES: Final = ((1, 0, 2, -1, 1, 0), (-1, 3, 0, 1, -2, 2))


def example() -> Attention:
    """Return what “Thinking” does in the example of the slides."""
    q, k = np.tile(QUERY, TIMES), np.tile(KEYS, TIMES)
    return Attention(*(np.array(each, dtype=float) for each in (q, k, VALUES)))


def two_text(_head: Head) -> str:
    """Say what the two scores are."""
    hand, (a, b) = example(), texts.WORDS
    own, other = (f"{score:.0f}" for score in hand.scores)
    x, y = _scaled(hand)
    sizes = {"d_k": len(hand.q), "root": _root(hand)}
    text = _(texts.TWO).format(a=a, b=b, own=own, other=other, x=x, y=y, **sizes)
    return f"**{_(texts.BY_HAND)}** {text}"


@about(sentence="", place=())
def draw_two(head: Head) -> None:
    """Draw the query, the keys and their scores; then weights, values and their sum."""
    hand, (a, _b) = example(), texts.WORDS
    items: list[Grid | Op] = [
        array_grid(hand.q, f"q · {quoted(a)}", "query"),
        Op("·"),
        array_grid(hand.k, "K", "key", row_labels=texts.WORDS, thumb=True),
        Op("="),
        array_grid(hand.scores[:, None], "q · k"),
        Op(f"÷ {_root(hand)} ="),
        array_grid(hand.scaled[:, None], _("scaled")),
    ]
    arrays(head.walk, items, key="hand-1")
    st.markdown(_say_total(hand))
    total: list[Grid | Op] = [
        array_grid(hand.scaled[:, None], _("scaled"), row_labels=texts.WORDS),
        Op("softmax"),
        weights_grid(hand.weights[:, None], _("weight")),
        Op("×"),
        array_grid(hand.v, "V", "value"),
        Op("="),
        array_grid(hand.z, "z", "output"),
    ]
    arrays(head.walk, total, key="hand-2")


def guess_two(_head: Head) -> Task:
    """Ask for the larger of the two weights."""
    hand = example()
    gap = float(hand.scaled[0] - hand.scaled[1])
    plain = float(hand.scaled[0] / hand.scaled.sum())
    shares = [percent(share) for share in (plain, float(hand.weights[0]), 1.0)]
    x, y = _scaled(hand)
    values = {"share": shares[1], "gap": f"{gap:.0f}", "ratio": number(np.exp(gap), 1)}
    return Task.of(
        texts.HALF_ASK,
        shares,
        [1],
        texts.HALF_RIGHT,
        texts.HALF_WRONG,
        a=texts.WORDS[0],
        x=x,
        y=y,
        **values,
    )


def _say_total(hand: Attention) -> str:
    x, y = _scaled(hand)
    own, other = map(number, hand.weights)
    sizes = {"d_k": len(hand.q), "drawn": len(hand.z)}
    return _(texts.TOTAL).format(x=x, y=y, own=own, other=other, **sizes)


def _scaled(hand: Attention) -> tuple[str, str]:
    x, y = (f"{score:.0f}" for score in hand.scaled)
    return x, y


def _root(hand: Attention) -> str:
    return short(np.sqrt(len(hand.q)), 3)
