"""The mask that hides the padding of a batch, and the proof that it does."""

import streamlit as st

from app.data.padding import Batch
from app.format import number, power
from app.i18n import _
from app.inspect.batch import batch_columns, batch_rows
from app.ui import vectors_html as boxes
from app.views.walk.vectors import texts
from app.views.walk.vectors.batch import padded_batch
from app.views.walk.vectors.piece import Piece


def draw_mask(piece: Piece) -> None:
    """Draw the mask of the batch, and say what the padding changes with it and without."""
    padded = padded_batch(piece)
    marks = batch_rows(padded, lambda token, is_open: ("✓" if is_open else "×", token.text))
    boxes.show_batch(marks, _("The padding mask"))
    st.markdown(_proof(padded))
    boxes.boxes_menu("padding-mask", batch_columns(padded), marks, aligned=True)


def _proof(padded: Batch) -> str:
    """Say how far the outputs are from those of the sentence alone."""
    if not padded.padding:
        return _(texts.NO_PADDING)
    masked, unmasked = power(padded.difference), number(padded.difference_unmasked)
    return _(texts.SAME).format(row=padded.shortest + 1, difference=masked, unmasked=unmasked)
