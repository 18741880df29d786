"""From an id to its vector: a row of the embedding table."""

import math
from typing import Final

import numpy as np
import streamlit as st

from app.components.board import Grid, Op, array_grid
from app.format import escape, grouped, maths
from app.i18n import _
from app.inspect.arrays import arrays, grid
from app.inspect.picks import pick_word
from app.views.walk.vectors import texts
from app.views.walk.vectors.piece import Piece

TABLE: Final = "param:src_embed"
AROUND: Final = 2  # rows of the table on each side


def draw_row(piece: Piece) -> None:
    """Draw the chosen piece's one-hot vector, the table around its row, and its vector x."""
    walk, token = piece.walk, piece.token
    pick_word(walk.capture.src, _("Choose a piece"), piece.at)
    other, size = token.id - 1 if token.id else 1, grouped(walk.config.vocab_size)
    st.markdown(_(texts.ONE_HOT).format(id=token.id, other=other, vocabulary=size))
    row = grid(walk, TABLE, (token.id, None), f"E[{token.id}]")
    arrays(walk, [*_one_hot(piece), Op("="), row], "lookup")
    st.markdown(maths(_scaled(piece)))
    d_model = walk.config.d_model
    x = grid(walk, "src.embed", (piece.at, None), f"x · “{token.text}”")
    arrays(walk, [row, Op(f"× √{d_model} = {math.sqrt(d_model):.4g} ="), x], "scale")


def _one_hot(piece: Piece) -> list[Grid | Op]:
    """Return one-hot × the rows of the table around the piece's."""
    walk, size, row = piece.walk, piece.walk.config.vocab_size, piece.token.id
    first, last = max(row - AROUND, 0), min(row + AROUND, size - 1)
    shown = tuple(range(first, last + 1))
    known = walk.tokenizer.vocab_size
    names = [f"{i} {walk.token(i).text}" if i < known else str(i) for i in shown]
    one_hot = array_grid(
        np.array([float(i == row) for i in shown]),
        _("one-hot"),
        "input",
        scale="weights",
        cols=shown,
        col_labels=list(map(str, shown)),
        note=_(texts.ONE_HOT_NOTE).format(n=grouped(size - len(shown))),
    )
    window = _(texts.WINDOW).format(first=grouped(first), last=grouped(last), all=grouped(size))
    rows = grid(walk, TABLE, (None, None), "E", rows=shown, row_labels=names, note=window)
    return [one_hot, Op("×"), rows]


def _scaled(piece: Piece) -> str:
    """Say how long the row is, before and after it is multiplied by √d_model."""
    walk, d_model, index = piece.walk, piece.walk.config.d_model, (piece.at, None)
    position = float(np.linalg.norm(walk.array("src.pos", index)))
    return _(texts.SCALED if position else texts.SCALED_ONLY).format(
        row=f"{np.linalg.norm(walk.array(TABLE, (piece.token.id, None))):.2f}",
        d_model=d_model,
        root=f"{math.sqrt(d_model):.4g}",
        scaled=f"{np.linalg.norm(walk.array('src.embed', index)):.2f}",
        position=f"{position:.2f}",
        piece=escape(piece.token.text),
    )
