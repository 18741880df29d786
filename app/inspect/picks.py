"""Choosing what a chapter looks at: a word, a layer, a head."""

from collections.abc import Sequence

import streamlit as st

from app import state
from app.components.chips import Chip, chips
from app.data.translation import Token
from app.i18n import _


def pick_word(tokens: Sequence[Token], label: str, default: int = 0) -> int:
    """Draw the tokens and return the index of the chosen one."""
    chosen = word_of(tokens, default)
    chips(
        [Chip(token.text, token.starts_word, token.special) for token in tokens],
        key="pick-word",
        label=label,
        role="query",
        selected=chosen,
        on_select=state.WORD.set,
    )
    return chosen


def word_of(tokens: Sequence[Token], default: int = 0) -> int:
    """Return the index of the chosen token, or of the default where there is none such."""
    chosen = state.WORD.get()
    return chosen if 0 <= chosen < len(tokens) else min(default, len(tokens) - 1)


def pick_layer(count: int) -> int:
    """Draw the layers and return the chosen one, from 0."""
    chosen = layer_of(count)
    st.segmented_control(
        _("Layer"), [str(i + 1) for i in range(count)], required=True, wrap=True,
        key=state.LAYER.widget(str(chosen + 1)),
    )  # fmt: skip
    return chosen


def layer_of(count: int) -> int:
    """Return the chosen layer, from 0; the first where there is none such."""
    return _clamped(state.LAYER.get(), count)


def pick_head(count: int) -> int:
    """Draw the heads and return the chosen one, from 0."""
    chosen = head_of(count)
    st.segmented_control(
        _("Head"), [str(i + 1) for i in range(count)], required=True, wrap=True,
        key=state.HEAD.widget(str(chosen + 1)),
    )  # fmt: skip
    return chosen


def head_of(count: int) -> int:
    """Return the chosen head, from 0; the first where there is none such."""
    return _clamped(state.HEAD.get(), count)


def _clamped(chosen: str, count: int) -> int:
    return int(chosen) - 1 if chosen.isdecimal() and 1 <= int(chosen) <= count else 0
