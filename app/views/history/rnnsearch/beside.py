"""The whole alignment, with Translate's own widgets; and the translation of a model without it."""

import html
from typing import Final

import streamlit as st

from app import state
from app.data.lengths import by_length
from app.data.translation import Translation, model_names, translate
from app.data.walk import Walk
from app.i18n import N_, _
from app.inspect import attention_views as views
from app.views.history.rnnsearch import texts

PLAIN: Final = "rnn/es-en"
DRAW: Final = {"matrix": views.matrix_view, "lines": views.lines_view}
TITLES: Final = {"matrix": N_("Heatmap"), "lines": N_("Lines")}


def alignments(walk: Walk) -> None:
    """Draw the weights of all steps as a heatmap or as lines."""
    st.markdown(_(texts.MAP))
    view = state.VIEW.get() if state.VIEW.get() in DRAW else "matrix"
    st.segmented_control(
        _("Look inside"), list(DRAW), format_func=lambda name: _(TITLES[name]), required=True,
        key=state.VIEW.widget(view), label_visibility="collapsed",
    )  # fmt: skip
    DRAW[view](walk.translation)


def beside(walk: Walk) -> None:
    """Draw both models' translations of the sentence, and their scores on long ones."""
    own = walk.translation
    st.markdown(_(texts.BESIDE))
    if PLAIN not in model_names():
        st.info(_(texts.ALONE).format(name=PLAIN))
        return
    made = (translate(PLAIN, own.text, own.decoding), own)
    for column, one in zip(st.columns(2, gap="medium"), made, strict=True):
        with column, st.container(border=True):
            _card(one)


def _card(made: Translation) -> None:
    st.markdown(f"**{_(texts.NAMES[made.model.partition('/')[0]])}**")
    st.html(
        '<div lang="en" data-testid="beside" style="overflow-wrap:anywhere;font-size:1.2rem">'
        f"{html.escape(made.output) or '∅'}</div>"
    )
    if scores := by_length(made.model):
        last = scores[-1]
        st.caption(
            _(texts.SCORES).format(n=last.n, low=last.low, high=last.high, bleu=f"{last.bleu:.1f}")
        )
