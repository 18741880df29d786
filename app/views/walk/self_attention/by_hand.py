"""Two tokens worked by hand, and beside them the same for the visitor's sentence."""

from typing import Final

import numpy as np

from app.components.board import Grid, Op, array_grid
from app.format import number, percent, quoted, short
from app.i18n import _
from app.inspect.arrays import arrays, grid, weights_grid
from app.inspect.head import Head
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
    """Draw the query, the two keys and their products, divided by √d_k."""
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


def half_text(head: Head) -> str:
    """Say how the two scores become weights."""
    x, y = _scaled(example())
    return f"**{_(texts.BY_HAND)}** {_(texts.HALF).format(word=head.word, x=x, y=y)}"


def guess_half(_head: Head) -> Task:
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


def draw_half(head: Head) -> None:
    """Draw scaled scores and weights: of the two tokens, and of the sentence."""
    hand = example()
    items: list[Grid | Op] = [
        array_grid(hand.scaled[:, None], _("scaled"), row_labels=texts.WORDS),
        Op("softmax"),
        weights_grid(hand.weights[:, None], _("weight")),
        Op(_(texts.YOURS)),
        head.column("scaled", _("scaled")),
        Op("→"),
        head.column("weights", _("weight"), row_labels=()),
    ]
    arrays(head.walk, items, key="hand-2")


def total_text(head: Head) -> str:
    """Say what the sum is made of."""
    hand = example()
    own, other = map(number, hand.weights)
    sizes = {"d_k": len(hand.q), "drawn": len(hand.z)}
    text = _(texts.TOTAL).format(own=own, other=other, word=head.word, **sizes)
    return f"**{_(texts.BY_HAND)}** {text}"


def draw_total(head: Head) -> None:
    """Draw weights, values and their sum: of the two tokens, then of the sentence."""
    walk, hand, every = head.walk, example(), (head.head, None, None)
    reach = float(np.abs(walk.array(f"{head.scope}.v")[head.head]).max())
    small = {"reach": reach, "row_labels": (), "thumb": True}
    items: list[Grid | Op] = [
        weights_grid(hand.weights[:, None], _("weight"), texts.WORDS),
        Op("×"),
        array_grid(hand.v, "V", "value"),
        Op("="),
        array_grid(hand.z, "z", "output"),
        Op(_(texts.YOURS)),
        head.column("weights", _("weight")),
        Op("×"),
        grid(walk, f"{head.scope}.v", every, "V", **small),
        Op("="),
        grid(walk, f"{head.scope}.context", every, "z", rows=(head.query,), **small),
    ]
    arrays(walk, items, key="hand-3")


def _scaled(hand: Attention) -> tuple[str, str]:
    x, y = (f"{score:.0f}" for score in hand.scaled)
    return x, y


def _root(hand: Attention) -> str:
    return short(np.sqrt(len(hand.q)), 3)
