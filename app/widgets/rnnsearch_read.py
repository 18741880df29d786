"""The encoder of RNNsearch: two networks that read in opposite directions, and what they keep."""

import streamlit as st

from app.i18n import _
from app.lessons import rnnsearch as lesson
from app.services_walk import Walk
from app.widgets.arrays import arrays, grid
from app.widgets.board import Grid, Op
from app.widgets.rnnsearch_steps import alignment
from app.widgets.said import word
from app.widgets.seq2seq_unrolled import picture


def annotations(walk: Walk) -> None:
    """Draw the states of both directions, and the annotation of the word looked at most."""
    tokens = walk.capture.src
    both = walk.array("memory").shape[1]
    st.markdown(_(lesson.READ).format(size=both // 2))
    for said, way, arrow in ((lesson.FORWARD, "forward", "→"), (lesson.BACKWARD, "backward", "←")):
        st.markdown(_(said))
        items: list[Grid | Op] = []
        for at, token in enumerate(tokens):
            items += [Op(arrow)] if items else []
            items.append(picture(walk, f"encoder.0.{way}.hidden", at, f"“{token.text}”", "input"))
        arrays(walk, items, key=way)
    at = alignment(walk).most
    st.markdown(_(lesson.ANNOTATION).format(both=both, word=word(tokens[at]), n=len(tokens)))
    made = grid(walk, "memory", (at, None), f"h · “{tokens[at].text}”", role="input", reach=1.0)
    arrays(
        walk,
        [
            picture(walk, "encoder.0.forward.hidden", at, _("forward"), "input"),
            Op("‖"),
            picture(walk, "encoder.0.backward.hidden", at, _("backward"), "input"),
            Op("="),
            made,
        ],
        key="annotation",
    )
