"""The one vector between the two networks, and what it still knows of each word."""

import numpy as np
import streamlit as st

from app.charts.columns import columns
from app.components.board import Grid, array_grid, board
from app.data.translation import Decoding
from app.data.walk import walk
from app.format import escape, percent
from app.i18n import _
from app.inspect.arrays import STATE_FOLD, arrays, grid
from app.inspect.naming import token_markdown
from app.ui.chart import show_chart
from app.ui.table import numbered
from app.views.history.seq2seq import texts
from app.views.history.seq2seq.data import moved
from app.views.history.seq2seq.unrolled import Moment


def bridge_text(moment: Moment) -> str:
    """Say how much room each word has in the last state."""
    size, n = moment.walk.array("memory").shape[-1], len(moment.walk.capture.src)
    return _(texts.BRIDGE).format(size=size, n=n, each=f"{size / n:.0f}")


def draw_bridge(moment: Moment) -> None:
    """Draw the encoder's last state, and those of a short and a long sentence beside it."""
    walk = moment.walk
    size = walk.array("memory").shape[-1]
    arrays(walk, [grid(walk, "memory", (0, None), _("memory"), role="input", reach=1.0)], "bridge")
    sentences = {len(text.split()): text for text in (texts.SHORT, texts.LONG)}
    short, long = sentences
    each = {"short_each": f"{size / short:.0f}", "long_each": f"{size / long:.0f}"}
    st.markdown(_(texts.BRIDGES).format(size=size, short=short, long=long, **each))
    model = walk.translation.model
    board([_last_state(model, text, n) for n, text in sentences.items()], key="bridges")
    st.caption("  \n".join(f"{n}: {escape(text)}" for n, text in sentences.items()))


def fade_text(moment: Moment) -> str:
    """Say which word moves the last state most, and which least."""
    tokens, shares = moment.walk.capture.src, moved(moment.walk)
    words = shares[:-1]  # the end sign is no word
    most, least = int(words.argmax()), int(words.argmin())
    names = {"most": token_markdown(tokens[most]), "least": token_markdown(tokens[least])}
    by = {"most_by": percent(shares[most]), "least_by": percent(shares[least])}
    text = _(texts.FADE).format(**names, **by)
    if len(words) == 1:
        return text
    first, second = (percent(half.mean()) for half in np.array_split(words, 2))
    return f"{text} {_(texts.FADE_HALVES).format(first=first, second=second)}"


def draw_fade(moment: Moment) -> None:
    """Draw how far the last state moves without each of the tokens."""
    shares = moved(moment.walk)
    names = [token.text for token in moment.walk.capture.src]
    token, share, most = _(texts.FADE_TOKEN), _(texts.FADE_AXIS), int(shares[:-1].argmax())
    figure = columns(shares, names, y_title=share, x_title=token, role="input", marked=most)
    numbers = {token: numbered(names), share: shares.tolist()}
    show_chart(figure, "fade", _(texts.FADE_TITLE), lambda: numbers)


def _last_state(model: str, text: str, n: int) -> Grid:
    """Return the last state of another sentence; its numbers cannot be asked on this page."""
    state = walk(model, text, Decoding("greedy")).array("memory")[0]
    return array_grid(state, _("{n} words").format(n=n), "input", reach=1.0, fold=STATE_FOLD)
