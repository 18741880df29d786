"""The beam: the tree of what was weighed, and the hypotheses with their scores."""

import streamlit as st

from app.components.beam_tree import beam_tree
from app.data.translation import Translation
from app.i18n import _
from app.inspector.attention import kinds
from app.inspector.hypothesis import draw_looks
from app.inspector.steering import draw_steered
from app.texts.steering import LOOKS
from app.ui.table import Columns, fold, table


def draw_beam(translation: Translation) -> None:
    """Draw the tree of hypotheses, which can be steered, and the list of those that were kept."""
    if translation.decoding.method != "beam":
        st.info(_("Only beam search has hypotheses to compare: choose “Beam” in the sidebar."))
        return
    draw_steered(translation)
    st.caption(
        _("A score is the sum of the log-probabilities, divided by the length of the hypothesis.")
    )
    if kinds(translation):
        fold(_(LOOKS), "hypothesis", ":material/visibility:", lambda: draw_looks(translation))
    table(hypotheses_columns(translation), "hypotheses")


def draw_tree(translation: Translation) -> None:
    """Draw the tree of hypotheses."""
    selected = st.session_state.get("tree-node")
    beam_tree(translation.tree, key="plain-tree", selected=selected, on_select=_select)


def hypotheses_columns(translation: Translation) -> Columns:
    """Return the hypotheses that were kept to the end, with their scores, as a table."""
    hypotheses = translation.hypotheses
    return {
        _("score"): [hypothesis.score for hypothesis in hypotheses],
        _("log-probability"): [hypothesis.log_prob for hypothesis in hypotheses],
        _("finished"): ["✓" if hypothesis.finished else "" for hypothesis in hypotheses],
        _("hypothesis"): [hypothesis.text for hypothesis in hypotheses],
    }


def _select(node: int) -> None:
    st.session_state["tree-node"] = node
