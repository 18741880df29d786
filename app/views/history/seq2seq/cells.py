"""A plain cell beside the GRU: how long each still knows the first token."""

import numpy as np
import streamlit as st

from app.charts.curves import Curve, curves
from app.format import percent
from app.i18n import _
from app.inspector.naming import token_markdown
from app.page.quiz import Task
from app.ui.chart import show_chart
from app.views.history.seq2seq import texts
from app.views.history.seq2seq.data import TIMES, remembered
from app.views.history.seq2seq.unrolled import Moment


def forget_text(moment: Moment) -> str:
    """Say what a cell without gates is, what both cells read, and what is measured."""
    measured = _(texts.FORGET).format(times=TIMES, word=first_word(moment))
    return f"{_(texts.CELLS)}\n\n{measured}"


def guess_forget(moment: Moment) -> Task:
    """Ask which cell still has more of the first token."""
    left = shares_left(moment)
    n = len(remembered(moment.walk).gru) - 1
    question = _(texts.FORGET_ASK).format(word=moment.walk.capture.src[0].text, n=n)
    names = [_(texts.CELL_GRU), _(texts.CELL_PLAIN), _(texts.FORGET_SAME)]
    right = 2 if left["gru"] == left["plain"] else int(left["plain"] > left["gru"])
    says = _(texts.FORGET_SAYS).format(**{name: percent(share) for name, share in left.items()})
    return Task(question, names, frozenset([right]), says, says)


def draw_forget(moment: Moment) -> None:
    """Draw what is left of the first token while the sentence goes on."""
    memory, names = remembered(moment.walk), (_(texts.CELL_GRU), _(texts.CELL_PLAIN))
    after = np.arange(len(memory.gru))
    lines = [
        Curve(names[0], after, memory.gru, "key", "points"),
        Curve(names[1], after, memory.plain, "value", "dash"),
    ]
    figure = curves(lines, _(texts.CELLS_AFTER), _(texts.CELLS_LEFT), span=(0, 1.05))
    kept = {names[0]: memory.gru.tolist(), names[1]: memory.plain.tolist()}
    columns = {_(texts.CELLS_AFTER): [str(n) for n in after], **kept}
    show_chart(figure, "cells", _(texts.FORGET_TITLE), lambda: columns)
    shares = {name: percent(share) for name, share in shares_left(moment).items()}
    shares["update"] = percent(memory.update)
    st.markdown(_(texts.CELLS_KEPT).format(n=after[-1], **shares))
    st.caption(_(texts.CELLS_HONEST))


def first_word(moment: Moment) -> str:
    """Return the sentence's first token, for Markdown."""
    return token_markdown(moment.walk.capture.src[0])


def shares_left(moment: Moment) -> dict[str, float]:
    """Return what is left of the first token in the end: in the GRU and in the plain cell."""
    memory = remembered(moment.walk)
    return {"gru": float(memory.gru[-1]), "plain": float(memory.plain[-1])}
