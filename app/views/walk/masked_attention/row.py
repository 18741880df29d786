"""Chapter 7, what the mask does: to one word's scores, and to those of the whole sentence."""

import numpy as np
import streamlit as st

from app.components.board import Grid, Op
from app.data.walk import Walk
from app.format import number, percent
from app.i18n import _
from app.inspect.arrays import arrays, grid
from app.inspect.naming import token_markdown
from app.ui.section import section
from app.views.walk.masked_attention.data import hide
from app.views.walk.masked_attention.texts import LAST, ROW, WHOLE, WHY


def best_later(walk: Walk, scope: str, head: int, word: int) -> int | None:
    """Return the later word that a word scores highest against, or None for the last one."""
    later = walk.array(f"{scope}.scaled")[head, word, word + 1 :]
    return word + 1 + int(later.argmax()) if later.size else None


def row(walk: Walk, scope: str, head: int, word: int) -> None:
    """Draw one word's scores, before and after the mask, and its weights."""
    tokens = walk.capture.tgt
    later = best_later(walk, scope, head, word)
    if later is None:
        text = _(LAST).format(word=token_markdown(tokens[word]))
    else:
        score = number(walk.array(f"{scope}.scaled")[head, word, later])
        text = _(ROW).format(
            word=token_markdown(tokens[word]), later=token_markdown(tokens[later]), score=score
        )
    section(_("One word and its future"), text)
    _stages(walk, scope, (head, word, None), np.arange(len(tokens)) <= word, "mask-row")
    if later is not None:
        _ways(walk, scope, head, word)


def whole(walk: Walk, scope: str, head: int) -> None:
    """Draw the scores of all words, before and after the mask, and their weights."""
    masked = walk.array(f"{scope}.masked")[head]
    section(
        _("All words at once"),
        _(WHOLE).format(shut=int(np.isneginf(masked).sum()), cells=masked.size),
    )
    _stages(walk, scope, (head, None, None), np.tri(len(masked), dtype=bool), "mask-whole")


def _stages(
    walk: Walk, scope: str, index: tuple[int | None, ...], allowed: np.ndarray, key: str
) -> None:
    arrays(
        walk,
        [
            grid(walk, f"{scope}.scaled", index, "q·k ÷ √d_k"),
            Op(_("mask →")),
            grid(walk, f"{scope}.masked", index, _("after the mask"), mask=allowed),
            Op("softmax →"),
            grid(walk, f"{scope}.weights", index, _("weights"), mask=allowed),
        ],
        key,
    )


def _ways(walk: Walk, scope: str, head: int, word: int) -> None:
    """Compare −∞ before the softmax with the two ways that seem simpler."""
    tokens = walk.capture.tgt
    ways = hide(walk.array(f"{scope}.scaled")[head, word], word)
    st.markdown(
        _(WHY).format(
            word=token_markdown(tokens[word]), zero=percent(float(ways.zero[word + 1 :].sum())),
            after=number(float(ways.after.sum())),
        )
    )  # fmt: skip
    drawn = {
        _("score −∞"): ways.before,
        _("score 0"): ways.zero,
        _("weight 0"): ways.after,
    }
    weights = np.stack(list(drawn.values()))  # (3, T)
    sums = np.stack([weights.sum(-1), weights[:, word + 1 :].sum(-1)], -1)  # (3, 2)
    labels = [token.text for token in tokens]
    names = (_("all"), _("later"))
    arrays(
        walk,
        [
            Grid(
                name="", index=(None, None), values=weights, title=_("weights"), scale="weights",
                row_labels=list(drawn), col_labels=labels,
            ),
            Op("Σ"),
            Grid(
                name="", index=(None, None), values=sums, title=_("sums: all, later words"),
                scale="weights", row_labels=list(drawn), col_labels=names,
            ),
        ],
        "mask-ways",
    )  # fmt: skip
