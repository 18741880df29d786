"""Two models side by side: what is known about them, and one sentence translated by both."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from app.components.board import array_grid, board
from app.format import escape
from app.i18n import _
from app.ui.chosen import model_name
from app.ui.error_box import error_box
from app.ui.sentence_box import first_sentence
from app.ui.table import Columns, table
from app.views.models import texts
from app.views.models.data import Card, Versus, versus
from app.views.models.facts import facts_of


def draw_comparison(card: Card, there: Mapping[str, Card]) -> None:
    """Draw two models side by side."""
    others = [name for name in there if name != card.name]
    if not others:
        st.caption(_("There is no other model yet."))
        return
    left, right = st.columns(2)
    sentence = first_sentence(card.name)
    help_ = _("Both models translate it with greedy decoding.")
    text = left.text_input(_("Sentence"), sentence, key=f"versus-{card.name}", help=help_)
    other = right.selectbox(
        _("Second model"),
        others,
        format_func=model_name,
        key="versus-other",
        help=_("Any model of the list."),
    )
    first, second = facts_of(card), facts_of(there[other])
    columns: Columns = {
        _("about"): list(first),
        _("first"): list(first.values()),
        _("second"): list(second.values()),
    }
    table(columns, "versus")
    with error_box(_("Type a sentence to compare on."), _("The two could not be compared.")):
        _draw_side_by_side(versus(card.name, other, text))


def _draw_side_by_side(both: Versus) -> None:
    for translation, column in zip((both.first, both.second), st.columns(2), strict=True):
        with column:
            st.caption(escape(model_name(translation.model)))
            st.markdown(f"#### {escape(translation.output) or '∅'}")
    if both.difference is None:
        st.caption(_(texts.OTHER_SHAPE))
        return
    capture = both.first.capture
    rows, columns = ([token.text for token in side] for side in (capture.tgt, capture.src))
    labels: dict[str, Any] = {"row_labels": rows, "col_labels": columns}
    grid = array_grid(both.difference, _("second − first"), reach=1.0, **labels)
    board([grid], key="versus-difference")
    st.caption(_(texts.DIFFERENCE))
