"""What the mask does: to one word's scores, and to those of the whole sentence."""

import numpy as np
import streamlit as st

from app.components.board import Grid, Op
from app.data.attention import allowed
from app.format import number, percent
from app.i18n import _
from app.inspect.arrays import arrays, grid, weights_grid
from app.inspect.head import Head
from app.views.walk.masked_attention import texts
from app.views.walk.masked_attention.data import hide


def best_later(head: Head) -> int | None:
    """Return the later word that the word scores highest against, or None for the last one."""
    later = head.row("scaled")[head.query + 1 :]
    return head.query + 1 + int(later.argmax()) if later.size else None


def row_text(head: Head) -> str:
    """Say which score the mask takes away."""
    later = best_later(head)
    if later is None:
        return _(texts.LAST).format(word=head.word)
    score = number(head.row("scaled")[later])
    return _(texts.ROW).format(word=head.word, later=head.words[later], score=score)


def draw_row(head: Head) -> None:
    """Draw one word's scores, before and after the mask, and its weights."""
    _draw_stages(head, (head.head, head.query, None), head.mask, "mask-row")
    if best_later(head) is not None:
        _draw_ways(head)


def whole_text(head: Head) -> str:
    """Count the scores that the mask takes away."""
    masked = head.walk.array(f"{head.scope}.masked")[head.head]
    return _(texts.WHOLE).format(shut=int(np.isneginf(masked).sum()), cells=masked.size)


def draw_whole(head: Head) -> None:
    """Draw the scores of all words, before and after the mask, and their weights."""
    mask = allowed(head.walk, head.kind)
    _draw_stages(head, (head.head, None, None), mask, "mask-whole")


def _draw_stages(head: Head, index: tuple[int | None, ...], mask: np.ndarray, key: str) -> None:
    scaled, masked, weights = (f"{head.scope}.{name}" for name in ("scaled", "masked", "weights"))
    items: list[Grid | Op] = [
        grid(head.walk, scaled, index, "q·k ÷ √d_k"),
        Op(_("mask →")),
        grid(head.walk, masked, index, _("after the mask"), mask=mask),
        Op("softmax →"),
        grid(head.walk, weights, index, _("weights"), mask=mask),
    ]
    arrays(head.walk, items, key)


def _draw_ways(head: Head) -> None:
    """Compare −∞ before the softmax with the two ways that seem simpler."""
    ways, later = hide(head.row("scaled"), head.query), slice(head.query + 1, None)
    zero, after = percent(float(ways.zero[later].sum())), number(float(ways.after.sum()))
    st.markdown(_(texts.WHY).format(word=head.word, zero=zero, after=after))
    names = [_("score −∞"), _("score 0"), _("weight 0")]
    weights = np.stack([ways.before, ways.zero, ways.after])  # (3, T)
    sums = np.stack([weights.sum(-1), weights[:, later].sum(-1)], -1)  # (3, 2)
    words = [token.text for token in head.walk.capture.tgt]
    all_ = weights_grid(weights, _("weights"), names, words)
    title, parts = _("sums: all, later words"), (_("all"), _("later"))
    arrays(head.walk, [all_, Op("Σ"), weights_grid(sums, title, names, parts)], "mask-ways")
