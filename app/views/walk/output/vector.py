"""The decoder's last vector and the vocabulary matrix: how every piece gets its logit."""

from typing import Final

import numpy as np
import streamlit as st

from app import state
from app.components.board import Grid, Op, array_grid
from app.components.chips import Chip, chips
from app.format import grouped, number
from app.i18n import _
from app.inspect.arrays import arrays, grid
from app.inspect.naming import quoted
from app.ui.chart import show_chart
from app.ui.table import fold
from app.ui.token_chips import token_chips
from app.views.walk.output import texts
from app.views.walk.output.histogram_chart import logit_histogram
from app.views.walk.output.piece import PIECE, Piece, taken

MARKED: Final = 3


def pick_step(piece: Piece) -> None:
    """Draw all that is written, to choose the piece whose making is shown."""
    walk = piece.walk
    written = [walk.token(taken(walk, at)) for at in range(len(walk.translation.steps))]
    label = _(texts.STEPS)
    token_chips(
        written, key="pick-step", label=label, role="output", selected=piece.at, on_select=_go
    )


def vector_text(piece: Piece) -> str:
    """Say which piece the decoder has read, and what became of its vector."""
    config, read = piece.walk.config, piece.walk.capture.tgt[piece.at]
    text = texts.VECTOR_NORMED if config.norm == "pre" else texts.VECTOR
    return _(text).format(n=piece.at + 1, word=quoted(read), d_model=config.d_model)


def draw_vector(piece: Piece) -> None:
    """Draw the decoder's last vector at a step."""
    arrays(piece.walk, [_vector(piece)], key="vector")


def linear_text(piece: Piece) -> str:
    """Say what the matrix is, and whether it is the embedding table."""
    walk = piece.walk
    text = _(texts.LINEAR).format(d_model=walk.config.d_model, size=piece.vocabulary)
    return f"{text}\n\n{_(texts.TIED)}" if "generator.W" in walk.parameters.tied else text


def draw_linear(piece: Piece) -> None:
    """Draw the vector's product with one column of the matrix, and the row of logits."""
    _pick_piece(piece)
    walk, x, index = piece.walk, _vector(piece), (None, piece.id)
    products = np.asarray(x.values, dtype=np.float64) * walk.array("param:generator.W", index)
    title = _("column of “{word}”").format(word=piece.token.text)
    product: list[Grid | Op] = [
        x,
        Op("×"),
        grid(walk, "param:generator.W", index, title, role="key"),
        Op("="),
        array_grid(products, _("products"), "output"),
    ]
    arrays(walk, product, key="product")
    text = _(texts.PRODUCTS).format(
        d_model=walk.config.d_model,
        word=piece.word,
        sum=number(products.sum()),
        bias=number(walk.array("param:generator.b")[piece.id]),
        logit=number(piece.logits[piece.id]),
    )
    st.markdown(f"{text}\n\n{_(texts.ROW).format(size=piece.vocabulary)}")
    _draw_row(piece)


def _go(at: int) -> None:
    PIECE.set(-1)
    state.STEP.set(at + 1)


def _vector(piece: Piece) -> Grid:
    walk, at = piece.walk, piece.at
    return grid(walk, walk.inputs("logits")[0], (at, None), f"x · “{walk.capture.tgt[at].text}”")


def _pick_piece(piece: Piece) -> None:
    ids = piece.likeliest
    tokens = [piece.walk.token(i) for i in ids]
    chips(
        [Chip(t.text, special=t.special, note=_("id {id}").format(id=t.id)) for t in tokens],
        key="pick-piece",
        label=_(texts.WHICH),
        role="key",
        selected=ids.index(piece.id),
        on_select=lambda i: PIECE.set(ids[i]),
    )


def _draw_row(piece: Piece) -> None:
    """Draw the likeliest pieces' logits as cells, and all logits counted, or as cells on demand."""
    walk, logits, ids, index = piece.walk, piece.logits, piece.likeliest, (piece.at, None)
    words = [walk.token(i).text for i in ids]
    strip = grid(walk, "logits", index, "logits", cols=ids, col_labels=words, role="output")
    arrays(walk, [strip], key="logits")
    figure = logit_histogram(
        logits,
        {walk.token(i).text: float(logits[i]) for i in dict.fromkeys([*ids[:MARKED], piece.id])},
    )
    show_chart(figure, "logits", _("How many pieces have which logit"))
    above = int((logits > logits[piece.id]).sum())
    text = _(texts.HISTOGRAM if above else texts.HIGHEST)
    median, logit = number(np.median(logits)), number(logits[piece.id])
    st.markdown(text.format(median=median, word=piece.word, logit=logit, above=grouped(above)))

    def draw_all() -> None:
        whole = grid(walk, "logits", index, _("all logits, by id"), role="output")
        arrays(walk, [whole], key="all-logits")

    label = _("The whole row: {size} logits").format(size=piece.vocabulary)
    fold(label, "all-logits", ":material/apps:", draw_all)
