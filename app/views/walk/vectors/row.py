"""From an id to its vector: a row of the embedding table."""

import math
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from app.components.board import Grid, Op, array_grid
from app.format import escape, grouped, number, quoted, short
from app.i18n import _
from app.inspector.arrays import draw_board, grid
from app.inspector.panel import ask, asked, lit
from app.views.walk.vectors import texts
from app.views.walk.vectors.piece import Piece

TABLE: Final = "param:src_embed"
AROUND: Final = 2  # rows of the table on each side
HEIGHT: Final = 110  # of their cells, in pixels
COLUMNS: Final = 8  # of them drawn, so that their numbers can be read


def row_text(piece: Piece) -> str:
    """Say what an id is, what its one-hot vector leaves of the table, and what becomes of it."""
    token = piece.token
    row = _(texts.ROW).format(
        id=token.id,
        other=token.id - 1 if token.id else 1,
        vocabulary=grouped(piece.walk.config.vocab_size),
        piece=escape(token.text),
    )
    return f"{row} {_scaled(piece)}"


def _scaled(piece: Piece) -> str:
    """Say how large the row is, before and after it is multiplied by √d_model."""
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


def draw_row(piece: Piece) -> None:
    """Draw one-hot vector × the table around the token's row = that row; then the vector x."""
    width = min(COLUMNS, piece.walk.config.d_model)
    drawn, whole = _items(piece, tuple(range(width))), _items(piece, None)
    marks = {"asked": asked(), "lit": lit(piece.walk), "on_ask": ask}
    draw_board(drawn, "lookup", whole, **marks)


def _items(piece: Piece, cols: tuple[int, ...] | None) -> list[Grid | Op]:
    """Return one-hot × the rows of the table around the token's, with some of their columns."""
    walk, row, size = piece.walk, piece.token.id, piece.walk.config.vocab_size
    shown = tuple(range(max(row - AROUND, 0), min(row + AROUND, size - 1) + 1))
    part: dict[str, Any] = {} if cols is None else {"cols": cols, "col_labels": _counted(cols)}
    one_hot = array_grid(
        np.array([float(i == row) for i in shown]),
        _("one-hot"),
        "input",
        scale="weights",
        cols=shown,
        col_labels=list(map(str, shown)),
        note=_(texts.ONE_HOT_NOTE).format(n=grouped(size - len(shown))),
    )
    known = walk.tokenizer.vocab_size
    names = [f"{i} {walk.token(i).text}" if i < known else str(i) for i in shown]
    look = {
        "rows": shown,
        "row_labels": names,
        "height": HEIGHT,
        "note": _window(piece, shown, cols),
    }
    rows = grid(walk, TABLE, (None, None), "E", **look, **part)
    d_model = walk.config.d_model
    scaled = f"× √{d_model} = {short(math.sqrt(d_model))} ="
    return [
        one_hot,
        Op("×"),
        rows,
        Op("="),
        grid(walk, TABLE, (row, None), f"E[{row}]", **part),
        Op(scaled if walk.config.scale_embedding else "="),
        grid(walk, "src.embed", (piece.at, None), f"x · {quoted(piece.token.text)}", **part),
    ]


def _window(piece: Piece, rows: Sequence[int], cols: Sequence[int] | None) -> str:
    config = piece.walk.config
    ends = {"first": grouped(rows[0]), "last": grouped(rows[-1]), "all": grouped(config.vocab_size)}
    if cols is None:
        return _(texts.WINDOW).format(**ends)
    return _(texts.WINDOW_PART).format(**ends, columns=len(cols), d=config.d_model)


def _counted(cols: Sequence[int]) -> list[str]:
    return [str(i + 1) for i in cols]
