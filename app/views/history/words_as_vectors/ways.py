"""A picture as numbers, and two words as bytes, as one-hot vectors and as learned ones."""

import numpy as np
import streamlit as st

from app.charts.theme import Role
from app.charts.toolbar import plot_config
from app.charts.vectors import vector_strip
from app.components.board import board, pixels
from app.data.house import house
from app.data.translation import readable
from app.format import escape, grouped, number
from app.i18n import _
from app.inspect.arrays import twins
from app.state import Param
from app.ui.chart import theme_mode
from app.ui.table import table, table_fold
from app.ui.vectors_html import byte_boxes, show
from app.views.history.words_as_vectors import texts
from app.views.history.words_as_vectors.data import Report, cosine, one_hot_facts, words

LONGEST = 40


def known(raw: str) -> str:
    """Return a word of the small text; raises ValueError for any other."""
    return words()[words().index(raw)]


WORD = Param[str]("waword", "king", lambda raw: raw[:LONGEST])
OTHER = Param[str]("waother", "queen", known)


def word_of() -> str | None:
    """Return the visitor's word, if the small text uses it."""
    word = readable(WORD.get()).strip().lower()
    return word if word in words() else None


def draw_picture_and_bytes() -> None:
    """Draw a small picture as its greys, and the visitor's words as their bytes."""
    greys = np.round(255 * house()).astype(np.uint8)
    left, right = st.columns(2, gap="large")
    with left:
        st.header(_(texts.PICTURE_TITLE), anchor=False)
        camera = pixels(greys, _("A house in grey"))
        board([camera], key="words-picture", fold=twins([camera], "words-picture"))
        st.markdown(_(texts.PICTURE).format(height=greys.shape[0], width=greys.shape[1]))
    with right:
        st.header(_("A word is not"), anchor=False)
        st.text_input(
            _("A word of your own"), key=WORD.widget(), max_chars=LONGEST, live="250ms",
            help=_(texts.WORD_HELP), autocomplete="off",
        )  # fmt: skip
        st.selectbox(_("Compare it with"), words(), key=OTHER.widget(), help=_(texts.OTHER_HELP))
        word = readable(WORD.get())
        if word:
            show(byte_boxes(word))
        else:
            st.info(_(texts.NO_WORD))
        show(byte_boxes(OTHER.get()))
        st.markdown(_(texts.BYTES))


def draw_one_hot() -> None:
    """Draw the two words as one-hot vectors, and say that all such are equally far apart."""
    st.header(_(texts.ONE_HOT_TITLE), anchor=False)
    all_words, word, other = words(), word_of(), OTHER.get()
    st.markdown(_(texts.ONE_HOT).format(n=len(all_words)))
    if not _comparable(word, other):
        return
    assert word is not None
    places = [all_words.index(each) for each in (word, other)]
    one, two = np.eye(len(all_words))[places]
    _strips({word: one, other: two}, "one-hot", "input")
    st.markdown(
        _(texts.ONE_HOT_PAIR).format(
            word=word, i=places[0], other=other, j=places[1], dot=f"{one @ two:.0f}",
            distance=f"{np.linalg.norm(one - two):.4f}",
        )
    )  # fmt: skip
    pairs, dot, least, most = one_hot_facts()
    st.markdown(
        _(texts.ONE_HOT_ALL).format(
            pairs=grouped(pairs), dot=f"{dot:.0f}", least=f"{least:.4f}", most=f"{most:.4f}"
        )
    )


def draw_learned(now: Report) -> None:
    """Draw the two words as their learned vectors, with their cosine."""
    st.header(_(texts.LEARNED_TITLE), anchor=False)
    word, other = word_of(), OTHER.get()
    if not _comparable(word, other):
        return
    assert word is not None
    one, two = (now.vectors[words().index(each)] for each in (word, other))
    _strips({word: one, other: two}, "learned", "value")
    st.markdown(
        _(texts.LEARNED).format(
            word=word,
            other=other,
            size=one.size,
            n=len(words()),
            one_hot="0",
            learned=number(cosine(now.vectors, word, other), 3),
        )
    )
    columns = {each: row.astype(float).tolist() for each, row in ((word, one), (other, two))}
    table_fold("words-learned", lambda: table(columns, "word-vectors"))


def _comparable(word: str | None, other: str) -> bool:
    """Say what keeps two words from being compared, if anything does."""
    if word is None:
        st.info(escape(_(texts.UNKNOWN).format(word=readable(WORD.get()))))
    elif word == other:
        st.info(_(texts.SAME_WORD))
    return word is not None and word != other


def _strips(vectors: dict[str, np.ndarray], name: str, role: Role) -> None:
    st.plotly_chart(
        vector_strip(
            {word: (role, row) for word, row in vectors.items()},
            mode=theme_mode(),
        ),
        theme=None, config=plot_config(name), key=f"words-{name}",
        alt=_("The vectors of {words}").format(words=", ".join(vectors)),
    )  # fmt: skip
