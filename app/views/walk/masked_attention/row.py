"""The causal mask, and what it does: to one token's scores, and to those of all tokens."""

from typing import Final

import numpy as np

from app.components.board import Grid, Op
from app.data.attention import allowed
from app.format import number, percent
from app.i18n import _
from app.inspector.arrays import arrays, grid, weights_grid
from app.inspector.head import Head
from app.page.quiz import Task
from app.ui.chart import show_chart
from app.ui.table import Columns, matrix_columns
from app.views.walk.masked_attention import texts
from app.views.walk.masked_attention.data import hide
from app.views.walk.masked_attention.masks_chart import mask_squares

SQUARE: Final = 330  # pixels


def best_later(head: Head) -> int | None:
    """Return the later token that the token scores highest against, or None for the last one."""
    later = head.row("scaled")[head.query + 1 :]
    return head.query + 1 + int(later.argmax()) if later.size else None


def row_text(head: Head) -> str:
    """Say which score the mask takes away, and count those of all tokens."""
    masked = head.walk.array(f"{head.scope}.masked")[head.head]
    whole = _(texts.WHOLE).format(shut=int(np.isneginf(masked).sum()), cells=masked.size)
    later = best_later(head)
    if later is None:
        return f"{_(texts.LAST).format(word=head.word)} {whole}"
    score = number(head.row("scaled")[later])
    own = _(texts.ROW).format(word=head.word, later=head.words[later], score=score)
    return f"{own} {whole}"


def draw_row(head: Head) -> None:
    """Draw one token's scores, before and after the mask, and its weights."""
    items: list[Grid | Op] = [
        head.column("scaled", "q · k ÷ √d_k"),
        Op(_("mask →")),
        head.column("masked", _("after the mask"), row_labels=()),
        Op("softmax →"),
        head.column("weights", _("weights"), row_labels=()),
    ]
    arrays(head.walk, items, "mask-row")


def mask_text(head: Head) -> str:
    """Count the pairs that the mask leaves open."""
    mask = allowed(head.walk, head.kind)
    return _(texts.MASK).format(open=int(mask.sum()), cells=mask.size)


def draw_mask(head: Head) -> None:
    """Draw the causal mask of the sentence."""
    mask, title = allowed(head.walk, head.kind), _("causal mask")
    words = [token.text for token in head.walk.capture.tgt]

    def columns() -> Columns:
        return matrix_columns(title, words, words, mask)

    show_chart(mask_squares(mask, words, title), "mask-causal", title, columns, width=SQUARE)


def draw_whole(head: Head) -> None:
    """Draw the scores of all tokens, before and after the mask, and their weights."""
    walk, mask, every = head.walk, allowed(head.walk, head.kind), (head.head, None, None)
    look = {"mask": mask, "row_labels": (), "thumb": True}
    items: list[Grid | Op] = [
        grid(walk, f"{head.scope}.scaled", every, "q · k ÷ √d_k", thumb=True),
        Op(_("mask →")),
        grid(walk, f"{head.scope}.masked", every, _("after the mask"), **look),
        Op("softmax →"),
        grid(walk, f"{head.scope}.weights", every, _("weights"), **look),
    ]
    arrays(walk, items, "mask-whole")


def has_later(head: Head) -> bool:
    """Say whether anything comes after the token."""
    return best_later(head) is not None


def ways_text(head: Head) -> str:
    """Say what is compared."""
    return _(texts.WAYS).format(word=head.word)


def guess_ways(head: Head) -> Task:
    """Ask what a score of 0 would do."""
    ways, later = hide(head.row("scaled"), head.query), slice(head.query + 1, None)
    zero, after = percent(float(ways.zero[later].sum())), number(float(ways.after.sum()))
    says = _(texts.WAYS_SAYS).format(zero=zero, after=after)
    options = [_(texts.WAYS_NONE), _(texts.WAYS_SOME)]
    return Task(_(texts.WAYS_ASK), options, frozenset([1]), says, says)


def draw_ways(head: Head) -> None:
    """Compare −∞ before the softmax with the two ways that seem simpler."""
    ways, later = hide(head.row("scaled"), head.query), slice(head.query + 1, None)
    names = [_("score −∞"), _("score 0"), _("weight 0")]
    weights = np.stack([ways.before, ways.zero, ways.after])  # (3, T)
    sums = np.stack([weights.sum(-1), weights[:, later].sum(-1)], -1)  # (3, 2)
    words = [token.text for token in head.walk.capture.tgt]
    all_ = weights_grid(weights, _("weights"), names, words)
    title, parts = _("sums"), (_("all"), _("later"))
    arrays(head.walk, [all_, Op("Σ"), weights_grid(sums, title, (), parts)], "mask-ways")
