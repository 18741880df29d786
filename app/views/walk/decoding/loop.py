"""Greedy decoding as a loop with its stop: our own lines, and what they write."""

import streamlit as st

from app.data.walk import code
from app.i18n import _
from app.ui.token_chips import token_chips
from app.views.walk.decoding import texts
from app.views.walk.decoding.data import looped
from app.views.walk.decoding.moment import Moment


def loop_text(moment: Moment) -> str:
    """Say what the loop does, and how it ended here."""
    tokens, eos_id = looped(moment.walk), moment.walk.config.eos_id
    ended = bool(tokens) and tokens[-1].id == eos_id
    return _(texts.LOOP if ended else texts.LOOP_LIMIT).format(n=len(tokens))


def draw_loop(moment: Moment) -> None:
    """Draw the lines of the loop, and all tokens that they write."""
    label = _(texts.LOOP_WROTE)
    token_chips(looped(moment.walk), key="looped", label=label, role="output")
    st.code(code("model.decoding.search:greedy_loop"), "python")
