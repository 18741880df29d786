"""The one vector between the two networks, and what it still knows of each word."""

import numpy as np
import streamlit as st

from app.charts.columns import columns
from app.components.board import Grid, array_grid
from app.data.translation import Decoding
from app.data.walk import walk
from app.format import percent
from app.i18n import _
from app.inspector.arrays import STATE_FOLD, arrays, state_grid
from app.inspector.naming import token_markdown
from app.page.quiz import Task
from app.ui.chart import show_chart
from app.ui.sentence_box import offer
from app.ui.table import numbered
from app.views.history.seq2seq import texts
from app.views.history.seq2seq.data import moved
from app.views.history.seq2seq.unrolled import Moment


def bridge_text(moment: Moment) -> str:
    """Say how much room each token has in the last state."""
    size, n = size_of(moment), len(moment.walk.capture.src)
    words = {"sentence": texts.SHORT, "short": n_words(texts.SHORT), "long": n_words(texts.LONG)}
    return _(texts.BRIDGE).format(size=size, n=n, each=f"{size / n:.0f}", **words)


def guess_bridge(moment: Moment) -> Task:
    """Ask how many numbers the decoder gets of a long sentence."""
    size, n, long = size_of(moment), len(moment.walk.capture.src), n_words(texts.LONG)
    options = [str(round(size * n / long)), str(size), str(round(size * long / n))]
    says = _(texts.BRIDGE_SAYS).format(size=size)
    question = _(texts.BRIDGE_ASK).format(n=n, size=size, long=long)
    return Task(question, options, frozenset([1]), says, says)


def draw_bridge(moment: Moment) -> None:
    """Draw the encoder's last state, and those of a short and a long sentence beside it."""
    walk = moment.walk
    own = state_grid(walk, "memory", 0, _(texts.YOURS), "input")
    short, long = (_last_state(walk.translation.model, text) for text in (texts.SHORT, texts.LONG))
    arrays(walk, [own, short, long], "bridge")
    st.caption(f"{n_words(texts.LONG)}: {texts.LONG}")
    st.markdown(_(texts.LONGER))
    offer(texts.LONGER_SENTENCES, "longer")


def size_of(moment: Moment) -> int:
    """Return how many numbers the last state has."""
    return int(moment.walk.array("memory").shape[-1])


def n_words(text: str) -> int:
    """Return how many words a sentence has."""
    return len(text.split())


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


def _last_state(model: str, text: str) -> Grid:
    """Return the last state of another sentence; its numbers cannot be asked on this page."""
    state, n = walk(model, text, Decoding("greedy")).array("memory")[0], n_words(text)
    return array_grid(state, _("{n} words").format(n=n), "input", reach=1.0, fold=STATE_FOLD)
