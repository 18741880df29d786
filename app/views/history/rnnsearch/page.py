"""2015: the decoder searches the source for the words that matter now; the first attention."""

import numpy as np
import streamlit as st

from app import state
from app.data.walk import Cell, Walk
from app.format import percent
from app.i18n import _
from app.inspect.naming import follows
from app.inspect.picks import pick_word
from app.page.declare import Code, Section, WalkPage
from app.page.frame import draw_page
from app.page.quiz import Task
from app.ui.live_part import FAILED, live_part
from app.views.history.rnnsearch import texts
from app.views.history.rnnsearch.beside import alignments, beside
from app.views.history.rnnsearch.read import annotations
from app.views.history.rnnsearch.steps import SCOPE, alignment, steps, surest

OPTIONS = 8


def body(walk: Walk) -> None:
    """Draw the annotations, the alignment of one word and of all, and both translations."""
    st.header(_(texts.READ_TITLE), anchor=False)
    annotations(walk)
    st.header(_(texts.STEPS_TITLE), anchor=False)
    live_part(lambda: _steps(walk), failed=_(FAILED), shared=state.ASKED.get)
    st.header(_(texts.MAP_TITLE), anchor=False)
    alignments(walk)
    st.header(_(texts.BESIDE_TITLE), anchor=False)
    beside(walk)
    st.markdown(_(texts.NEXT))


def _steps(walk: Walk) -> None:
    now = alignment(walk)
    pick_word(follows(walk), _(texts.PICK), now.query)
    st.markdown(_(texts.STEPS).format(word=now.word))
    steps(now)


def scopes(walk: Walk) -> tuple[str, ...]:
    """Return what is on the page: all but the words' scores."""
    return "src", "encoder", "memory", "decoder"


def start(walk: Walk) -> Cell:
    """Return the largest weight of the word that is surest where to look."""
    now = surest(walk)
    return Cell(f"{SCOPE}.weights", (0, now.query, now.most))


def task(walk: Walk) -> Task:
    """Ask where another word looked than the one that the page begins with, if there is another."""
    weights = walk.array(f"{SCOPE}.weights")[0]  # (T, S)
    others = np.delete(np.arange(len(weights)), surest(walk).query)
    at = int(others[weights[others].max(-1).argmax()]) if others.size else 0
    row = weights[at]
    shown = np.sort(np.argsort(-row, kind="stable")[:OPTIONS])
    best = row.max()
    tokens, asked = walk.capture.src, follows(walk)[at].text
    return Task(
        _(texts.ASK).format(word=asked, n=at + 1),
        [_("{n}: {word}").format(n=i + 1, word=tokens[i].text) for i in shown],
        frozenset(place for place, i in enumerate(shown) if row[i] == best),
        _(texts.RIGHT).format(word=tokens[int(row.argmax())].text, weight=percent(float(best))),
        _(texts.WRONG).format(word=asked),
    )


CODE = (
    Code(
        texts.CODE_ENCODE,
        r"h_j = [\overrightarrow{h}_j ; \overleftarrow{h}_j]",
        "model.nn.rnnsearch",
        "SearchEncoder.forward",
    ),
    Code(
        texts.CODE_ALIGN,
        r"e_{ij} = v_a^\top \tanh(W_a s_{i-1} + U_a h_j) \qquad"
        r" \alpha_i = \mathrm{softmax}(e_i) \qquad c_i = \sum_j \alpha_{ij} h_j",
        "model.nn.alignment",
        "AdditiveAttention.attend",
    ),
    Code(
        texts.CODE_STEP,
        r"s_i = \mathrm{GRU}([y_{i-1}; c_i], s_{i-1})",
        "model.nn.rnnsearch",
        "SearchDecoder.step",
    ),
)

draw_page(
    WalkPage(
        slug="rnnsearch",
        intro=texts.INTRO,
        select=lambda walk: walk,
        sections=(Section("", body),),
        scopes=scopes,
        start=start,
        task=task,
        code=CODE,
        model="rnnsearch/es-en",
    )
)
