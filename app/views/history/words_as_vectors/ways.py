"""Two words as one-hot vectors and as learned ones."""

from typing import Final

import numpy as np
import streamlit as st

from app.charts.theme import Role, Scale
from app.charts.vectors import vector_strip
from app.components.board import array_grid
from app.data.translation import readable
from app.format import escape, grouped, number
from app.i18n import _
from app.inspector.arrays import draw_board
from app.page.quiz import Task
from app.ui.chart import show_chart
from app.ui.pickers import live_text
from app.views.history.words_as_vectors import texts
from app.views.history.words_as_vectors.choice import LONGEST, OTHER, WORD, Choice
from app.views.history.words_as_vectors.data import cosine, distances, one_hot_facts, words

SOME: Final = ("king", "queen", "prince", "puppy", "bread")  # whose distances are drawn


def pick_pair(choice: Choice) -> None:
    """Draw the fields, and say below them what keeps the two words from being compared."""
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom"):
        label, key, tip = _("A word of your own"), WORD.widget(), _(texts.WORD_HELP)
        live_text(label, key, max_chars=LONGEST, help=tip, width=220)
        label, tip = _("Compare it with"), _(texts.OTHER_HELP)
        st.selectbox(label, words(), key=OTHER.widget(), help=tip, width=220)
    word = readable(WORD.get())
    if not word:
        st.info(_(texts.NO_WORD))
    elif choice.word is None:
        st.info(escape(_(texts.UNKNOWN).format(word=word)))
    if choice.word == choice.other:
        st.info(_(texts.SAME_WORD))


def one_hot_text(choice: Choice) -> str:
    """Say how long a one-hot vector is, and where the two words have their 1."""
    text = _(texts.ONE_HOT).format(n=len(words()))
    if choice.word is None or choice.word == choice.other:
        return text
    one, two = (np.eye(len(words()))[words().index(word)] for word in (choice.word, choice.other))
    names = {"word": choice.word, "i": int(one.argmax()) + 1}
    names |= {"other": choice.other, "j": int(two.argmax()) + 1}
    dot, distance = f"{one @ two:.0f}", number(float(np.linalg.norm(one - two)), 4)
    return f"{text} {_(texts.ONE_HOT_PAIR).format(dot=dot, distance=distance, **names)}"


def draw_one_hot(choice: Choice) -> None:
    """Draw the two words as one-hot vectors."""
    if (pair := _pair(choice)) is not None:
        one, two = np.eye(len(words()))[[words().index(word) for word in pair]]
        _draw_strips(pair, (one, two), "one-hot", "input", "weights")


def draw_apart(_choice: Choice) -> None:
    """Draw how far some words are from each other."""
    labels = {"row_labels": SOME, "col_labels": SOME}
    grid = array_grid(distances(SOME), _(texts.APART_NAME), "residual", **labels)
    draw_board([grid], "words-apart")


def apart_text(_choice: Choice) -> str:
    """Say that all one-hot vectors are equally far apart."""
    pairs, most_alike, least, most = one_hot_facts()
    ends = {"least": number(least, 4), "most": number(most, 4)}
    return _(texts.APART).format(pairs=grouped(pairs), dot=f"{most_alike:.0f}", **ends)


def guess_apart(_choice: Choice) -> Task:
    """Ask which word is nearest."""
    options = [*SOME[1:], _(texts.APART_EQUAL)]
    answer, distance = [len(options) - 1], number(one_hot_facts()[2], 4)
    asked = texts.APART_ASK, options, answer, texts.APART_RIGHT, texts.APART_WRONG
    return Task.of(*asked, distance=distance)


def learned_text(choice: Choice) -> str:
    """Say how long the learned vectors are, and how far they point the same way."""
    if choice.word is None or choice.word == choice.other:
        return ""
    vectors, about = choice.report.vectors, {"word": choice.word, "other": choice.other}
    learned = number(cosine(vectors, *about.values()), 3)
    sizes = {"size": vectors.shape[1], "n": len(words())}
    return _(texts.LEARNED).format(one_hot="0", learned=learned, **about, **sizes)


def draw_learned(choice: Choice) -> None:
    """Draw the two words as their learned vectors."""
    if (pair := _pair(choice)) is None:
        return
    vectors = choice.report.vectors
    rows = vectors[words().index(pair[0])], vectors[words().index(pair[1])]
    _draw_strips(pair, rows, "learned", "value")


def _pair(choice: Choice) -> tuple[str, str] | None:
    """Return two words that can be compared; the fields say what keeps them from it."""
    if choice.word is None or choice.word == choice.other:
        return None
    return choice.word, choice.other


def _draw_strips(
    pair: tuple[str, str],
    vectors: tuple[np.ndarray, np.ndarray],
    name: str,
    role: Role,
    scale: Scale = "signed",
) -> None:
    strips = {word: (role, vector) for word, vector in zip(pair, vectors, strict=True)}
    columns = {word: row.astype(float).tolist() for word, row in zip(pair, vectors, strict=True)}
    alt = _("The vectors of {words}").format(words=", ".join(pair))
    show_chart(vector_strip(strips, scale=scale), f"words-{name}", alt, lambda: columns)
