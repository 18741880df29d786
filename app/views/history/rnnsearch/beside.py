"""The whole alignment, as a heatmap and as lines; and the translation of a model without it."""

import html
from typing import Final

import numpy as np
import streamlit as st

from app import state
from app.components.grid import Weights
from app.components.lines import lines
from app.components.matrix import matrix
from app.data.lengths import by_length
from app.data.translation import Translation, model_names, translate
from app.format import number
from app.i18n import _
from app.inspect.naming import labels_of
from app.state import Pin
from app.views.history.rnnsearch import texts
from app.views.history.rnnsearch.steps import SCOPE, Alignment

PLAIN: Final = "rnn/es-en"


def draw_map(row: Alignment) -> None:
    """Draw the weights of all steps as a heatmap."""
    matrix(_weights(row), key="alignment")


def draw_lines(row: Alignment) -> None:
    """Draw the weights of all steps as lines, those of the chosen token in front."""
    locked = Pin(row.query, None)
    lines(_weights(row), key="alignment-lines", locked=locked, on_lock=_choose)
    query = {"model": row.walk.translation.model}
    icon = ":material/tune:"
    st.page_link("views/translate/page.py", label=_(texts.MORE), icon=icon, query_params=query)


def _weights(row: Alignment) -> Weights:
    weights = np.asarray(row.walk.array(f"{SCOPE}.weights")[0])  # (T, S)
    rows, read = labels_of(row.walk, f"{SCOPE}.weights", 1), row.walk.capture.src
    return Weights(weights, rows, [token.text for token in read])


def _choose(pin: Pin) -> None:
    if pin.query is not None:
        state.WORD.set(pin.query)


def draw_beside(row: Alignment) -> None:
    """Draw both models' translations of the sentence, and their scores on long ones."""
    own = row.walk.translation
    if PLAIN not in model_names():
        st.info(_(texts.ALONE).format(name=PLAIN))
    else:
        both = translate(PLAIN, own.text, own.decoding), own
        for column, translation in zip(st.columns(2, gap="medium"), both, strict=True):
            with column, st.container(border=True):
                _draw_card(translation)
    st.markdown(_(texts.NEXT))


def _draw_card(translation: Translation) -> None:
    st.markdown(f"**{_(texts.NAMES[translation.model.partition('/')[0]])}**")
    st.html(
        '<div lang="en" data-testid="beside" style="overflow-wrap:anywhere;font-size:1.2rem">'
        f"{html.escape(translation.output) or '∅'}</div>"
    )
    if scores := by_length(translation.model):
        last = scores[-1]
        text, bleu = _(texts.SCORES), number(last.bleu, 1)
        st.caption(text.format(n=last.n, low=last.low, high=last.high, bleu=bleu))
