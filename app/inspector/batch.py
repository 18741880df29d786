"""A padded batch as it is drawn: its ids with their lengths, and its block of numbers (B, S, D)."""

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from app.charts.boxes import Box, Row
from app.components.board import Grid, array_grid
from app.data.embedding import Padded, embedded
from app.data.translation import Token
from app.data.walk import Walk
from app.i18n import _
from app.inspector.arrays import draw_board
from app.ui import vectors_html as boxes
from app.ui.table import Columns

NUMBERS: Final = 3  # of each vector drawn
HEIGHT: Final = 60  # of the cells of a sentence, in pixels


def draw_ids(padded: Padded, key: str) -> None:
    """Draw the ids of the batch, with the length of each sentence."""
    ids = batch_rows(padded, lambda token, _is_open: (token.text, str(token.id)))
    boxes.show_batch(ids, _("The ids of the batch"))
    boxes.boxes_menu(key, batch_columns(padded), ids, aligned=True)


def draw_block(walk: Walk, padded: Padded, key: str) -> None:
    """Draw the first numbers of each token's vector, one sentence after the other."""
    block = embedded(walk, padded.ids)[..., :NUMBERS]  # (B, S, 3)
    reach = float(np.abs(block).max())
    sentences = [_sentence(padded, b, values, reach) for b, values in enumerate(block)]
    draw_board(sentences, key)


def _sentence(padded: Padded, b: int, values: np.ndarray, reach: float) -> Grid:
    tokens = [token.text for token in padded.tokens[b]]
    title = _("sentence {n}").format(n=b + 1)
    look = {"col_labels": tokens, "reach": reach, "height": HEIGHT}
    return array_grid(values.T, title, "input", **look)


def batch_rows(padded: Padded, write: Callable[[Token, bool], tuple[str, str]]) -> list[Row]:
    """Return the batch as rows of boxes, named by number and length; padding is shut."""
    rows: list[Row] = []
    for i, (tokens, mask) in enumerate(zip(padded.tokens, padded.mask.tolist(), strict=True), 1):
        row = [
            Box(*write(token, is_open), "plain" if is_open else "shut")
            for token, is_open in zip(tokens, mask, strict=True)
        ]
        rows.append((f"{i} · {_('tokens: {n}').format(n=sum(mask))}", row))
    return rows


def batch_columns(padded: Padded) -> Columns:
    """Return the batch as a table: one column a sentence, with its mask beside it."""
    columns: dict[str, Sequence[str]] = {}
    for i, (tokens, mask) in enumerate(zip(padded.tokens, padded.mask, strict=True), start=1):
        columns[_("sentence {n}").format(n=i)] = [token.text for token in tokens]
        columns[_("ids {n}").format(n=i)] = [str(token.id) for token in tokens]
        columns[_("mask {n}").format(n=i)] = [str(int(is_open)) for is_open in mask]
    return columns
