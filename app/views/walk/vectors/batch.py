"""The sentence among others: one padded batch of ids."""

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


def padded_batch(piece: Piece) -> Batch:
    """Return the visitor's sentence and some examples as one batch."""
    walk = piece.walk
    others = examples(pair(walk.translation.model)[0])
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
    ids = batch_rows(padded, lambda token, _is_open: (token.text, str(token.id)))
    boxes.show_batch(ids, _("The ids of the batch"))
    if any(len(tokens) == longest for tokens in padded.tokens):
        st.caption(_(texts.CUT).format(n=longest))
    boxes.twins_fold("batch", batch_columns(padded), ids, aligned=True)


def batch_rows(padded: Batch, write: Callable[[Token, bool], tuple[str, str]]) -> list[Row]:
    """Return the batch as rows of boxes, named by number and length; padding is shut."""
    rows: list[Row] = []
    for i, (tokens, mask) in enumerate(zip(padded.tokens, padded.mask.tolist(), strict=True), 1):
        row = [
            Box(*write(token, is_open), "plain" if is_open else "shut")
            for token, is_open in zip(tokens, mask, strict=True)
        ]
        rows.append((f"{i} · {_('tokens: {n}').format(n=sum(mask))}", row))
    return rows


def batch_columns(padded: Batch) -> Columns:
    """Return the batch as a table: one column a sentence, with its mask beside it."""
    columns: dict[str, Sequence[str]] = {}
    for i, (tokens, mask) in enumerate(zip(padded.tokens, padded.mask, strict=True), start=1):
        columns[_("sentence {n}").format(n=i)] = [token.text for token in tokens]
        columns[_("ids {n}").format(n=i)] = [str(token.id) for token in tokens]
        columns[_("mask {n}").format(n=i)] = [str(int(is_open)) for is_open in mask]
    return columns
