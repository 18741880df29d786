"""A row of the table times √d_model: the vector that the encoder starts from."""

import math

import numpy as np

from app.components.board import Op
from app.format import escape, number, quoted, short
from app.i18n import _
from app.inspect.arrays import arrays, grid
from app.views.walk.vectors import texts
from app.views.walk.vectors.piece import Piece
from app.views.walk.vectors.row import TABLE


def scale_text(piece: Piece) -> str:
    """Say how long the row is, before and after it is multiplied by √d_model."""
    walk, d_model, index = piece.walk, piece.walk.config.d_model, (piece.at, None)
    text = texts.NOT_SCALED
    position = float(np.linalg.norm(walk.array("src.pos", index)))
    if walk.config.scale_embedding:
        text = texts.SCALED if position else texts.SCALED_ONLY
    return _(text).format(
        row=number(float(np.linalg.norm(walk.array(TABLE, (piece.token.id, None))))),
        d_model=d_model,
        root=short(math.sqrt(d_model)),
        scaled=number(float(np.linalg.norm(walk.array("src.embed", index)))),
        position=number(position),
        piece=escape(piece.token.text),
    )


def draw_scale(piece: Piece) -> None:
    """Draw the row, and the vector x."""
    walk, token, d_model = piece.walk, piece.token, piece.walk.config.d_model
    row = grid(walk, TABLE, (token.id, None), f"E[{token.id}]")
    x = grid(walk, "src.embed", (piece.at, None), f"x · {quoted(token.text)}")
    scaled = f"× √{d_model} = {short(math.sqrt(d_model))} ="
    arrays(walk, [row, Op(scaled if walk.config.scale_embedding else "="), x], "scale")
