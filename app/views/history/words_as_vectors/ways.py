"""A picture as numbers, and two words as bytes, as one-hot vectors and as learned ones."""

import numpy as np
import streamlit as st

from app.charts.theme import Role
from app.charts.vectors import vector_strip
from app.components.board import board, pixels
from app.data.house import house
from app.data.translation import readable
from app.format import escape, grouped, number
from app.i18n import _
from app.inspect.arrays import twins
from app.ui.chart import show_chart
from app.ui.table import table, table_fold
from app.ui.vectors_html import byte_boxes, show
from app.views.history.words_as_vectors import texts
from app.views.history.words_as_vectors.choice import LONGEST, OTHER, WORD, Choice
from app.views.history.words_as_vectors.data import cosine, one_hot_facts, words


def draw_picture_and_bytes(choice: Choice) -> None:
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
        label, key, tip = _("A word of your own"), WORD.widget(), _(texts.WORD_HELP)
        st.text_input(label, key=key, max_chars=LONGEST, live="250ms", help=tip, autocomplete="off")
        st.selectbox(_("Compare it with"), words(), key=OTHER.widget(), help=_(texts.OTHER_HELP))
        if word := readable(WORD.get()):
            show(byte_boxes(word))
        else:
            st.info(_(texts.NO_WORD))
        show(byte_boxes(choice.other))
        st.markdown(_(texts.BYTES))


def one_hot_text(_choice: Choice) -> str:
    """Say how long a one-hot vector is."""
    return _(texts.ONE_HOT).format(n=len(words()))


def draw_one_hot(choice: Choice) -> None:
    """Draw the two words as one-hot vectors, and say that all such are equally far apart."""
    if (pair := _pair(choice)) is None:
        return
    places = [words().index(word) for word in pair]
    one, two = np.eye(len(words()))[places]
    _draw_strips(pair, (one, two), "one-hot", "input")
    dot, distance = f"{one @ two:.0f}", f"{np.linalg.norm(one - two):.4f}"
    names = {"word": pair[0], "i": places[0], "other": pair[1], "j": places[1]}
    st.markdown(_(texts.ONE_HOT_PAIR).format(dot=dot, distance=distance, **names))
    pairs, most_alike, least, most = one_hot_facts()
    distances = {"least": f"{least:.4f}", "most": f"{most:.4f}"}
    text = _(texts.ONE_HOT_ALL)
    st.markdown(text.format(pairs=grouped(pairs), dot=f"{most_alike:.0f}", **distances))


def draw_learned(choice: Choice) -> None:
    """Draw the two words as their learned vectors, with their cosine."""
    if (pair := _pair(choice)) is None:
        return
    (word, other), vectors = pair, choice.report.vectors
    rows = vectors[words().index(word)], vectors[words().index(other)]
    _draw_strips(pair, rows, "learned", "value")
    sizes = {"size": rows[0].size, "n": len(words())}
    learned = number(cosine(vectors, word, other), 3)
    text = _(texts.LEARNED)
    st.markdown(text.format(word=word, other=other, one_hot="0", learned=learned, **sizes))
    columns = {name: row.astype(float).tolist() for name, row in zip(pair, rows, strict=True)}
    table_fold("words-learned", lambda: table(columns, "word-vectors"))


def _pair(choice: Choice) -> tuple[str, str] | None:
    """Return two words that can be compared, or say what keeps them from it."""
    if choice.word is None:
        st.info(escape(_(texts.UNKNOWN).format(word=readable(WORD.get()))))
        return None
    if choice.word == choice.other:
        st.info(_(texts.SAME_WORD))
        return None
    return choice.word, choice.other


def _draw_strips(
    pair: tuple[str, str], vectors: tuple[np.ndarray, np.ndarray], name: str, role: Role
) -> None:
    strips = {word: (role, vector) for word, vector in zip(pair, vectors, strict=True)}
    alt = _("The vectors of {words}").format(words=", ".join(pair))
    show_chart(vector_strip(strips), f"words-{name}", alt)
