"""A padded batch as it is drawn: its ids with their lengths, and its block of numbers (B, S, D)."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from app.components.board import array_grid
from app.data.embedding import Padded, embedded
from app.data.walk import Walk
from app.i18n import _
from app.inspector.arrays import draw_board
from app.ui import vectors_html as boxes
from app.ui.kept import table_menu
from app.ui.vectors_html import Box, Look, Row

NUMBERS: Final = 3  # of each vector drawn
HEIGHT: Final = 60  # of the cells of a sentence, in pixels


def draw_ids(padded: Padded, key: str) -> None:
    """Draw the ids of the batch, one sentence a row with its length; padding is shut.

    In the table a sentence is a column, with its ids and its mask beside it.
    """
    rows: list[Row] = []
    columns: dict[str, Sequence[str]] = {}
    for i, (tokens, mask) in enumerate(zip(padded.tokens, padded.mask.tolist(), strict=True), 1):
        texts, ids = [token.text for token in tokens], [str(token.id) for token in tokens]
        looks: list[Look] = ["plain" if is_open else "shut" for is_open in mask]
        length = _("tokens: {n}").format(n=sum(mask))
        rows.append((f"{i} · {length}", list(map(Box, texts, ids, looks))))
        columns[_("sentence {n}").format(n=i)] = texts
        columns[_("ids {n}").format(n=i)] = ids
        columns[_("mask {n}").format(n=i)] = [str(int(is_open)) for is_open in mask]
    boxes.show_batch(rows, _("The ids of the batch"))
    table_menu(key, lambda: columns, key)


def draw_block(walk: Walk, padded: Padded, key: str) -> None:
    """Draw the first numbers of each token's vector, one sentence after the other."""
    block = embedded(walk, padded.ids)[..., :NUMBERS]  # (B, S, 3)
    reach = float(np.abs(block).max())
    sentences = []
    for i, (values, tokens) in enumerate(zip(block, padded.tokens, strict=True), start=1):
        title, words = _("sentence {n}").format(n=i), [token.text for token in tokens]
        look = {"col_labels": words, "reach": reach, "height": HEIGHT}
        sentences.append(array_grid(values.T, title, "input", **look))
    draw_board(sentences, key)
