"""The sentence among others: one padded batch of ids."""

from typing import Final

import numpy as np
import streamlit as st

from app.data.padding import Batch, embedded
from app.format import number
from app.i18n import _
from app.inspector.batch import NUMBERS, draw_ids
from app.inspector.batch import draw_block as batch_block
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


def block_text(piece: Piece) -> str:
    """Say what shape the block has, and what the vector of <pad> is."""
    (B, S), D = padded_batch(piece).ids.shape, piece.walk.config.d_model
    length = float(np.linalg.norm(embedded(piece.walk, [piece.walk.config.pad_id])))
    block = _(texts.BLOCK).format(B=B, S=S, D=D, shown=min(NUMBERS, D))
    pad = _(texts.PAD_ROW if length else texts.PAD_ZERO).format(length=number(length))
    return f"{block} {pad}"


def draw_batch(piece: Piece) -> None:
    """Draw the ids of the batch, with the length of each sentence."""
    padded, longest = padded_batch(piece), piece.walk.config.max_len
    draw_ids(padded, "batch")
    if any(len(tokens) == longest for tokens in padded.tokens):
        st.caption(_(texts.CUT).format(n=longest))


def draw_block(piece: Piece) -> None:
    """Draw the first numbers of each token's vector, one sentence after the other."""
    batch_block(piece.walk, padded_batch(piece), "block")
