"""The padded batch as one block of numbers: sentences × tokens × numbers, (B, S, D)."""

from typing import Final

import numpy as np

from app.components.board import Grid, array_grid, board
from app.format import number
from app.i18n import _
from app.inspect.arrays import twins
from app.views.walk.vectors import texts
from app.views.walk.vectors.batch import padded_batch
from app.views.walk.vectors.data import Batch, embedded
from app.views.walk.vectors.piece import Piece

NUMBERS: Final = 3  # of each vector drawn
HEIGHT: Final = 66  # of the cells of a sentence, in pixels


def block_text(piece: Piece) -> str:
    """Say what shape the block has, and what the vector of <pad> is."""
    (B, S), D = padded_batch(piece).ids.shape, piece.walk.config.d_model
    length = float(np.linalg.norm(embedded(piece.walk, [piece.walk.config.pad_id])))
    block = _(texts.BLOCK).format(B=B, S=S, D=D, shown=min(NUMBERS, D))
    pad = _(texts.PAD_ROW if length else texts.PAD_ZERO).format(length=number(length))
    return f"{block} {pad}"


def draw_block(piece: Piece) -> None:
    """Draw the first numbers of each token's vector, one sentence after the other."""
    padded = padded_batch(piece)
    block = embedded(piece.walk, padded.ids)[..., :NUMBERS]  # (B, S, 3)
    reach = float(np.abs(block).max())
    sentences = [_sentence(padded, b, values, reach) for b, values in enumerate(block)]
    board(sentences, key="block", fold=twins(sentences, "block"))


def _sentence(padded: Batch, b: int, values: np.ndarray, reach: float) -> Grid:
    tokens = [token.text for token in padded.tokens[b]]
    title = _("sentence {n}").format(n=b + 1)
    look = {"col_labels": tokens, "reach": reach, "height": HEIGHT}
    return array_grid(values.T, title, "input", **look)
