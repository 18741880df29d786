"""The encoder of RNNsearch: two networks that read in opposite directions, and what they keep."""

import streamlit as st

from app.components.board import Grid, Op
from app.data.walk import Walk
from app.i18n import _
from app.inspect.arrays import arrays, grid, state_grid
from app.inspect.naming import token_markdown
from app.views.history.rnnsearch import texts
from app.views.history.rnnsearch.steps import alignment


def annotations(walk: Walk) -> None:
    """Draw the states of both directions, and the annotation of the word looked at most."""
    tokens = walk.capture.src
    both = walk.array("memory").shape[1]
    st.markdown(_(texts.READ).format(size=both // 2))
    for said, way, arrow in ((texts.FORWARD, "forward", "→"), (texts.BACKWARD, "backward", "←")):
        st.markdown(_(said))
        items: list[Grid | Op] = []
        for at, token in enumerate(tokens):
            items += [Op(arrow)] if items else []
            items.append(
                state_grid(walk, f"encoder.0.{way}.hidden", at, f"“{token.text}”", "input")
            )
        arrays(walk, items, key=way)
    at = alignment(walk).most
    st.markdown(
        _(texts.ANNOTATION).format(both=both, word=token_markdown(tokens[at]), n=len(tokens))
    )
    made = grid(walk, "memory", (at, None), f"h · “{tokens[at].text}”", role="input", reach=1.0)
    arrays(
        walk,
        [
            state_grid(walk, "encoder.0.forward.hidden", at, _("forward"), "input"),
            Op("‖"),
            state_grid(walk, "encoder.0.backward.hidden", at, _("backward"), "input"),
            Op("="),
            made,
        ],
        key="annotation",
    )
