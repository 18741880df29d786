"""The padded batch as one block of numbers: sentences × tokens × numbers, (B, S, D)."""

import numpy as np

from app.data.padding import embedded
from app.format import number
from app.i18n import _
from app.inspect import batch
from app.views.walk.vectors import texts
from app.views.walk.vectors.batch import padded_batch
from app.views.walk.vectors.piece import Piece


def block_text(piece: Piece) -> str:
    """Say what shape the block has, and what the vector of <pad> is."""
    (B, S), D = padded_batch(piece).ids.shape, piece.walk.config.d_model
    length = float(np.linalg.norm(embedded(piece.walk, [piece.walk.config.pad_id])))
    block = _(texts.BLOCK).format(B=B, S=S, D=D, shown=min(batch.NUMBERS, D))
    pad = _(texts.PAD_ROW if length else texts.PAD_ZERO).format(length=number(length))
    return f"{block} {pad}"


def draw_block(piece: Piece) -> None:
    """Draw the first numbers of each token's vector, one sentence after the other."""
    batch.draw_block(piece.walk, padded_batch(piece), "block")
