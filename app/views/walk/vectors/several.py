"""The sentence among others: one padded batch, and the mask that hides the padding."""

from collections.abc import Callable, Sequence
from typing import Final

import streamlit as st

from app.charts.boxes import Box, Row
from app.data.translation import Token
from app.i18n import _
from app.texts.examples import examples
from app.ui import vectors_html as boxes
from app.ui.chosen import pair
from app.ui.table import Columns
from app.views.walk.vectors import texts
from app.views.walk.vectors.data import Batch, batch
from app.views.walk.vectors.piece import Piece

MOST_EXAMPLES: Final = 3


def batch_text(piece: Piece) -> str:
    """Say how large the batch is, and how much of it is padding."""
    padded = _padded(piece)
    rows, columns = padded.ids.shape
    pad = piece.walk.config.pad_id
    return _(texts.BATCH).format(pad=pad, rows=rows, columns=columns, padding=padded.padding)


def draw_batch(piece: Piece) -> None:
    """Draw the ids of the batch, its mask, and what the padding changes with it and without."""
    padded, longest = _padded(piece), piece.walk.config.max_len
    ids = _rows(padded, lambda token, _is_open: (token.text, str(token.id)))
    boxes.show_batch(ids, _("The ids of the batch"))
    st.markdown(_(texts.MASK))
    marks = _rows(padded, lambda token, is_open: ("✓" if is_open else "×", token.text))
    boxes.show_batch(marks, _("The padding mask"))
    st.markdown(_proof(padded))
    if any(len(tokens) == longest for tokens in padded.tokens):
        st.caption(_(texts.CUT).format(n=longest))
    boxes.twins_fold("batch", _columns(padded), ids, {"padding-mask": marks}, aligned=True)


def _padded(piece: Piece) -> Batch:
    """Return the visitor's sentence and some examples as one batch."""
    walk = piece.walk
    others = examples(pair(walk.translation.model)[0])
    return batch(walk, [text for text in others if text != walk.translation.text][:MOST_EXAMPLES])


def _rows(padded: Batch, write: Callable[[Token, bool], tuple[str, str]]) -> list[Row]:
    """Return the batch as rows of boxes; padding is shut."""
    rows: list[Row] = []
    for i, (tokens, mask) in enumerate(zip(padded.tokens, padded.mask.tolist(), strict=True), 1):
        row = [
            Box(*write(token, is_open), "plain" if is_open else "shut")
            for token, is_open in zip(tokens, mask, strict=True)
        ]
        rows.append((str(i), row))
    return rows


def _proof(padded: Batch) -> str:
    """Say how far the outputs are from those of the sentence alone."""
    if not padded.padding:
        return _(texts.NO_PADDING)
    masked, unmasked = f"{padded.difference:.1e}", f"{padded.difference_unmasked:.2f}"
    return _(texts.SAME).format(row=padded.shortest + 1, difference=masked, unmasked=unmasked)


def _columns(padded: Batch) -> Columns:
    """Return the batch as a table: one column a sentence, with its mask beside it."""
    columns: dict[str, Sequence[str]] = {}
    for i, (tokens, mask) in enumerate(zip(padded.tokens, padded.mask, strict=True), start=1):
        columns[_("sentence {n}").format(n=i)] = [token.text for token in tokens]
        columns[_("ids {n}").format(n=i)] = [str(token.id) for token in tokens]
        columns[_("mask {n}").format(n=i)] = [str(int(is_open)) for is_open in mask]
    return columns
