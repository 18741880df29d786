"""2015: the decoder searches the source for the words that matter now; the first attention."""

import numpy as np
import streamlit as st

from app import state
from app.i18n import _
from app.lessons import rnnsearch as lesson
from app.services_walk import Cell, Walk
from app.widgets.apart import apart
from app.widgets.chapter import Chapter, chapter
from app.widgets.frame import Code
from app.widgets.head import percent
from app.widgets.picks import pick_word
from app.widgets.rnnsearch_beside import alignments, beside
from app.widgets.rnnsearch_read import annotations
from app.widgets.rnnsearch_steps import SCOPE, alignment, steps, surest
from app.widgets.said import follows
from app.widgets.task import Task

OPTIONS = 8


def body(walk: Walk) -> None:
    """Draw the annotations, the alignment of one word and of all, and both translations."""
    st.header(_(lesson.READ_TITLE), anchor=False)
    annotations(walk)
    st.header(_(lesson.STEPS_TITLE), anchor=False)
    apart(lambda: _steps(walk), state.ASKED.get)
    st.header(_(lesson.MAP_TITLE), anchor=False)
    alignments(walk)
    st.header(_(lesson.BESIDE_TITLE), anchor=False)
    beside(walk)
    st.markdown(_(lesson.NEXT))


def _steps(walk: Walk) -> None:
    now = alignment(walk)
    pick_word(follows(walk), _(lesson.PICK), now.query)
    st.markdown(_(lesson.STEPS).format(word=now.word))
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
        _(lesson.ASK).format(word=asked, n=at + 1),
        [_("{n}: {word}").format(n=i + 1, word=tokens[i].text) for i in shown],
        frozenset(place for place, i in enumerate(shown) if row[i] == best),
        _(lesson.RIGHT).format(word=tokens[int(row.argmax())].text, weight=percent(float(best))),
        _(lesson.WRONG).format(word=asked),
    )


CODE = (
    Code(
        lesson.CODE_ENCODE,
        r"h_j = [\overrightarrow{h}_j ; \overleftarrow{h}_j]",
        "model.evolution.rnnsearch",
        "SearchEncoder.forward",
    ),
    Code(
        lesson.CODE_ALIGN,
        r"e_{ij} = v_a^\top \tanh(W_a s_{i-1} + U_a h_j) \qquad"
        r" \alpha_i = \mathrm{softmax}(e_i) \qquad c_i = \sum_j \alpha_{ij} h_j",
        "model.evolution.alignment",
        "AdditiveAttention.attend",
    ),
    Code(
        lesson.CODE_STEP,
        r"s_i = \mathrm{GRU}([y_{i-1}; c_i], s_{i-1})",
        "model.evolution.rnnsearch",
        "SearchDecoder.step",
    ),
)

chapter(
    Chapter(
        slug="rnnsearch", intro=lesson.INTRO, body=body, scopes=scopes, start=start, task=task,
        code=CODE, model="rnnsearch/es-en",
    )
)  # fmt: skip
