"""Without the mask: the decoder looks ahead, and its predictions betray it."""

from collections.abc import Sequence
from typing import Final

import streamlit as st

from app import state
from app.charts.pairs import pair_bars
from app.components.board import Op
from app.data.attention import allowed
from app.data.translation import Token
from app.data.walk import Walk
from app.format import number, percent
from app.i18n import _
from app.inspector.arrays import arrays, grid, weights_grid
from app.inspector.head import Head
from app.inspector.naming import follows, labels_of, token_markdown
from app.ui.chart import show_chart
from app.ui.pickers import pick_from_list
from app.ui.table import Columns, numbered
from app.views.walk.masked_attention import texts
from app.views.walk.masked_attention.data import Effect, alternatives, effect, unmasked

MOST_HIGH: Final = 252  # pixels of the chart, so that its step fits a laptop's screen
PLACE: Final = state.Param[int]("change", -1, state.whole(-1, 10_000))
INSTEAD: Final = state.Param[int]("instead", 0, state.whole(0, 4))


def has_future(head: Head) -> bool:
    """Say whether there is anything to look ahead at."""
    return len(head.words) > 1


def peek_text(head: Head) -> str:
    """Say how much of its attention a token spends on later ones without the mask."""
    if not has_future(head):
        return _(texts.ALONE)
    word = min(head.query, len(head.words) - 2)
    ahead = unmasked(head.walk)[f"{head.scope}.weights"][head.head, word, word + 1 :].sum()
    return _(texts.PEEK).format(word=head.words[word], share=percent(ahead))


def draw_peek(head: Head) -> None:
    """Draw the weights with the causal mask and without it."""
    if not has_future(head):
        return
    walk, name = head.walk, f"{head.scope}.weights"
    words, mask = labels_of(walk, name, 2), allowed(walk, head.kind)
    every, opened = (head.head, None, None), unmasked(walk)[name][head.head]
    masked = grid(walk, name, every, _("with the mask"), mask=mask, thumb=True)
    without = weights_grid(opened, _("without the mask"), (), words, thumb=True)
    arrays(walk, [masked, Op("→"), without], "mask-peek")


def draw_change(head: Head) -> None:
    """Draw what another token at one place changes before it, with the mask and without."""
    _draw_change(head.walk)


def _draw_change(walk: Walk) -> None:
    tokens = walk.capture.tgt
    place, instead = _pick_change(walk)
    masked, opened = (effect(walk, place, instead, causal) for causal in (True, False))
    change = opened.largest
    text = _(texts.EFFECT).format(
        word=token_markdown(tokens[place]),
        instead=token_markdown(instead),
        masked=number(masked.largest.size, 4),
        open=number(change.size, 4),
        reads=token_markdown(tokens[change.row]),
        next=token_markdown(change.token),
        before=number(change.before, 4),
        after=number(change.after, 4),
    )
    title = _("What each earlier token predicts next: how much of it changes")
    st.markdown(text)
    st.markdown(f"**{title}**")
    figure = pair_bars(
        (
            (_("with the mask"), "value", 100 * masked.moved[:place]),
            (_("without the mask"), "key", 100 * opened.moved[:place]),
        ),
        [f"{read.text} →" for read in tokens[:place]],
        value_title=_("probability that moves to other tokens, in %"),
    )
    figure["layout"]["height"] = min(figure["layout"]["height"], MOST_HIGH)
    show_chart(figure, "peek", title, lambda: _columns(walk, masked, opened))


def _pick_change(walk: Walk) -> tuple[int, Token]:
    """Draw the choices and return the place that changes and the word that comes there."""
    tokens = walk.capture.tgt
    names = numbered([token.text for token in tokens], " · ")
    words = {i: name for i, name in enumerate(names) if i}
    place = PLACE.get() if PLACE.get() in words else _last_word(tokens)
    others = alternatives(walk, place)
    at = min(INSTEAD.get(), len(others) - 1)
    about = _("The tokens that the model itself found likeliest there, after its own choice.")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        pick_from_list(PLACE, _("Change this token"), words, value=place)
        titles = dict(enumerate(token.text for token in others))
        pick_from_list(INSTEAD, _("Put this token there"), titles, value=at, help=about)
    return place, others[at]


def _last_word(tokens: Sequence[Token]) -> int:
    words = [i for i, token in enumerate(tokens) if i and token.text.isalpha()]
    return words[-1] if words else len(tokens) - 1


def _columns(walk: Walk, masked: Effect, opened: Effect) -> Columns:
    pairs = zip(walk.capture.tgt, follows(walk), strict=True)
    return {
        _("after → next token"): numbered([f"{read.text} → {new.text}" for read, new in pairs]),
        _("with the mask, before"): masked.before.tolist(),
        _("with the mask, after"): masked.after.tolist(),
        _("with the mask, moved"): masked.moved.tolist(),
        _("without the mask, before"): opened.before.tolist(),
        _("without the mask, after"): opened.after.tolist(),
        _("without the mask, moved"): opened.moved.tolist(),
    }
