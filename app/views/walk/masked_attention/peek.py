"""Chapter 7, without the mask: the decoder looks ahead, and its predictions betray it."""

from typing import Final

import numpy as np
import streamlit as st

from app import state
from app.charts.pairs import pair_bars
from app.charts.toolbar import plot_config
from app.components.board import Grid, Op
from app.data.translation import Token
from app.data.walk import Walk
from app.format import number, percent
from app.i18n import _
from app.inspect.arrays import arrays, grid
from app.inspect.naming import follows, token_markdown
from app.ui.chart import theme_mode
from app.ui.table import Columns, table, table_fold
from app.views.walk.masked_attention.data import Effect, alternatives, effect, unmasked
from app.views.walk.masked_attention.texts import ALONE, CHANGE, EFFECT, PEEK, TRAINED

PLACE: Final = state.Param[int]("change", -1, state.whole(-1, 10_000))
INSTEAD: Final = state.Param[int]("instead", 0, state.whole(0, 4))


def peek(walk: Walk, scope: str, head: int, word: int) -> None:
    """Run the model without the causal mask: its weights, and what a later word changes."""
    tokens = walk.capture.tgt
    if len(tokens) == 1:
        st.info(_(ALONE))
        return
    weights = unmasked(walk)[f"{scope}.weights"][head]
    word = min(word, len(tokens) - 2)
    st.markdown(
        _(PEEK).format(
            word=token_markdown(tokens[word]), share=percent(weights[word, word + 1 :].sum())
        )
    )
    _weights(walk, scope, head, weights)
    st.markdown(_(CHANGE))
    _change(walk)
    st.markdown(_(TRAINED))


def _weights(walk: Walk, scope: str, head: int, weights: np.ndarray) -> None:
    labels = [token.text for token in walk.capture.tgt]
    allowed = np.tri(len(labels), dtype=bool)
    with_mask, without = _("with the mask"), _("without the mask")
    arrays(
        walk,
        [
            grid(walk, f"{scope}.weights", (head, None, None), with_mask, mask=allowed),
            Op("→"),
            Grid(
                name="", index=(None, None), values=weights, title=without, scale="weights",
                row_labels=labels, col_labels=labels,
            ),
        ],
        "mask-peek",
    )  # fmt: skip


def _change(walk: Walk) -> None:
    tokens = walk.capture.tgt
    place, instead = _pick(walk)
    masked, opened = (effect(walk, place, instead, causal) for causal in (True, False))
    change = opened.largest
    st.markdown(
        _(EFFECT).format(
            word=token_markdown(tokens[place]), instead=token_markdown(instead),
            masked=number(masked.largest.size, 4), open=number(change.size, 4),
            reads=token_markdown(tokens[change.row]), next=token_markdown(change.token),
            before=number(change.before, 4), after=number(change.after, 4),
        )
    )  # fmt: skip
    title = _("What each earlier word predicts next: how much of it changes")
    figure = pair_bars(
        (
            (_("with the mask"), "value", 100 * masked.moved[:place]),
            (_("without the mask"), "key", 100 * opened.moved[:place]),
        ),
        [f"{read.text} →" for read in tokens[:place]],
        value_title=_("probability that moves to other words, in %"),
        mode=theme_mode(),
    )
    st.markdown(f"**{title}**")
    st.plotly_chart(figure, theme=None, config=plot_config("peek"), key="peek", alt=title)
    table_fold("peek", lambda: table(_columns(walk, masked, opened), "peek"))


def _pick(walk: Walk) -> tuple[int, Token]:
    """Draw the choices and return the place that changes and the word that comes there."""
    tokens = walk.capture.tgt
    places = list(range(1, len(tokens)))
    place = PLACE.get() if PLACE.get() in places else _last_word(tokens)
    others = alternatives(walk, place)
    at = min(INSTEAD.get(), len(others) - 1)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.selectbox(
            _("Change this word"), places, key=PLACE.widget(place),
            format_func=lambda i: f"{i + 1} · {tokens[i].text}",
        )  # fmt: skip
        st.selectbox(
            _("Put this word there"), range(len(others)), key=INSTEAD.widget(at),
            format_func=lambda i: others[i].text,
            help=_("The words that the model itself found likeliest there, after its own choice."),
        )  # fmt: skip
    return place, others[at]


def _last_word(tokens: tuple[Token, ...]) -> int:
    words = [i for i, token in enumerate(tokens) if i and token.text.isalpha()]
    return words[-1] if words else len(tokens) - 1


def _columns(walk: Walk, masked: Effect, opened: Effect) -> Columns:
    words = enumerate(zip(walk.capture.tgt, follows(walk), strict=True), start=1)
    return {
        _("after → next word"): [f"{i} {read.text} → {new.text}" for i, (read, new) in words],
        _("with the mask, before"): masked.before.tolist(),
        _("with the mask, after"): masked.after.tolist(),
        _("with the mask, moved"): masked.moved.tolist(),
        _("without the mask, before"): opened.before.tolist(),
        _("without the mask, after"): opened.after.tolist(),
        _("without the mask, moved"): opened.moved.tolist(),
    }  # fmt: skip
