"""The sentence among others: one padded batch of ids."""

from typing import Final

import streamlit as st

from app.data.padding import Batch
from app.i18n import _
from app.inspect.batch import draw_ids
from app.ui.sentence_box import offered
from app.views.walk.vectors import texts
from app.views.walk.vectors.data import batch
from app.views.walk.vectors.piece import Piece

MOST_EXAMPLES: Final = 3


def padded_batch(piece: Piece) -> Batch:
    """Return the visitor's sentence and some examples as one batch."""
    walk = piece.walk
    others = offered(walk.translation.model)
    return batch(walk, [text for text in others if text != walk.translation.text][:MOST_EXAMPLES])


def batch_text(piece: Piece) -> str:
    """Say how large the batch is, and how much of it is padding."""
    padded = padded_batch(piece)
    rows, columns = padded.ids.shape
    pad = piece.walk.config.pad_id
    return _(texts.BATCH).format(pad=pad, rows=rows, columns=columns, padding=padded.padding)


def draw_batch(piece: Piece) -> None:
    """Draw the ids of the batch, with the length of each sentence."""
    padded, longest = padded_batch(piece), piece.walk.config.max_len
    draw_ids(padded, "batch")
    if any(len(tokens) == longest for tokens in padded.tokens):
        st.caption(_(texts.CUT).format(n=longest))
