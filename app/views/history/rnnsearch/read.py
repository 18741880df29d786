"""The encoder of RNNsearch: two networks that read in opposite directions, and what they keep."""

import streamlit as st

from app.components.board import Grid, Op
from app.i18n import _
from app.inspect.arrays import arrays, grid, state_grid
from app.inspect.naming import token_markdown
from app.views.history.rnnsearch import texts
from app.views.history.rnnsearch.steps import Alignment


def read_text(row: Alignment) -> str:
    """Say how large the states are."""
    return _(texts.READ).format(size=row.walk.array("memory").shape[1] // 2)


def draw_read(row: Alignment) -> None:
    """Draw the states of both directions, and the annotation of the word looked at most."""
    walk, at = row.walk, row.most
    tokens = walk.capture.src
    for text, way, arrow in ((texts.FORWARD, "forward", "→"), (texts.BACKWARD, "backward", "←")):
        st.markdown(_(text))
        items: list[Grid | Op] = []
        for i, token in enumerate(tokens):
            hidden = f"encoder.0.{way}.hidden"
            items += [Op(arrow), state_grid(walk, hidden, i, f"“{token.text}”", "input")]
        arrays(walk, items[1:], key=way)
    both, word = walk.array("memory").shape[1], token_markdown(tokens[at])
    st.markdown(_(texts.ANNOTATION).format(both=both, word=word, n=len(tokens)))
    annotation: list[Grid | Op] = [
        state_grid(walk, "encoder.0.forward.hidden", at, _("forward"), "input"),
        Op("‖"),
        state_grid(walk, "encoder.0.backward.hidden", at, _("backward"), "input"),
        Op("="),
        grid(walk, "memory", (at, None), f"h · “{tokens[at].text}”", role="input", reach=1.0),
    ]
    arrays(walk, annotation, key="annotation")
