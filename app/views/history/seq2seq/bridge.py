"""The one vector between the two networks, and what it still knows of each word."""

import numpy as np
import streamlit as st

from app.charts.columns import columns
from app.charts.toolbar import plot_config
from app.components.board import Grid, board
from app.data.translation import Decoding
from app.data.walk import Walk, walk
from app.format import escape, percent
from app.i18n import _
from app.inspect.arrays import STATE_FOLD, arrays, grid
from app.inspect.naming import token_markdown
from app.ui.chart import theme_mode
from app.ui.table import table, table_fold
from app.views.history.seq2seq import texts
from app.views.history.seq2seq.data import moved


def bridge(now: Walk) -> None:
    """Draw the encoder's last state, and those of a short and a long sentence beside it."""
    size, n = now.array("memory").shape[-1], len(now.capture.src)
    st.markdown(_(texts.BRIDGE).format(size=size, n=n, each=_each(size, n)))
    arrays(now, [grid(now, "memory", (0, None), _("memory"), role="input", reach=1.0)], "bridge")
    short, long = (len(text.split()) for text in (texts.SHORT, texts.LONG))
    st.markdown(
        _(texts.BRIDGES).format(
            size=size, short=short, long=long, short_each=_each(size, short),
            long_each=_each(size, long),
        )
    )  # fmt: skip
    board([_of(now, text) for text in (texts.SHORT, texts.LONG)], key="bridges")
    st.caption("  \n".join(f"{len(t.split())}: {escape(t)}" for t in (texts.SHORT, texts.LONG)))


def fade(now: Walk) -> None:
    """Draw how far the last state moves without each of the tokens."""
    far = moved(now)
    tokens = now.capture.src
    words = far[:-1]  # the end sign is no word
    most, least = int(words.argmax()), int(words.argmin())
    said = _(texts.FADE).format(
        most=token_markdown(tokens[most]),
        least=token_markdown(tokens[least]),
        most_by=percent(far[most]),
        least_by=percent(far[least]),
    )
    if len(words) > 1:
        first, second = (half.mean() for half in np.array_split(words, 2))
        halves = _(texts.FADE_HALVES)
        said += " " + halves.format(first=percent(first), second=percent(second))
    st.markdown(said)
    names, title = [token.text for token in tokens], _(texts.FADE_TITLE)
    figure = columns(
        far, names, title="", y_title=_(texts.FADE_AXIS), x_title=_(texts.FADE_TOKEN),
        role="input", marked=most, mode=theme_mode(),
    )  # fmt: skip
    st.plotly_chart(figure, theme=None, config=plot_config("fade"), key="fade", alt=title)
    named = [f"{i} {name}" for i, name in enumerate(names, 1)]
    found = {_(texts.FADE_TOKEN): named, _(texts.FADE_AXIS): far.tolist()}
    table_fold("fade", lambda: table(found, "fade"))


def _each(size: int, n: int) -> str:
    return f"{size / n:.0f}"


def _of(now: Walk, text: str) -> Grid:
    """Return the last state of another sentence; its numbers cannot be asked on this page."""
    other = walk(now.translation.model, text, Decoding("greedy"))
    title = _("{n} words").format(n=len(text.split()))
    return Grid("", (None,), other.array("memory")[0], title, "input", reach=1.0, fold=STATE_FOLD)
