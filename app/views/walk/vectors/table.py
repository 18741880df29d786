"""From an id to its vector: the row of the embedding table, and a padded batch of sentences."""

import math
from collections.abc import Callable, Sequence

import numpy as np
import streamlit as st

from app.charts.boxes import Box, Row
from app.components.board import Grid, Op
from app.data.translation import Token
from app.data.walk import Walk
from app.format import escape, grouped, maths
from app.i18n import _
from app.inspect.arrays import arrays, grid
from app.inspect.picks import pick_word, word_of
from app.texts.examples import examples
from app.ui import vectors_html as boxes
from app.ui.chosen import pair
from app.ui.table import table, table_fold
from app.views.walk.vectors import texts
from app.views.walk.vectors.data import Batch, batch

TABLE = "param:src_embed"
AROUND = 2  # rows of the table on each side
MOST_EXAMPLES = 3


def chosen(walk: Walk) -> int:
    """Return the place of the chosen piece; the longest one to begin with."""
    tokens = walk.capture.src
    lengths = [0 if token.special else len(token.text) for token in tokens]
    return word_of(tokens, int(np.argmax(lengths)))


def row(walk: Walk) -> None:
    """Draw the chosen piece's one-hot vector, the table around its row, and its vector x."""
    st.header(_(texts.ROW_TITLE), anchor=False)
    pick_word(walk.capture.src, _("Choose a piece"), chosen(walk))
    at = chosen(walk)
    token = walk.capture.src[at]
    size = walk.config.vocab_size
    other = token.id - 1 if token.id else 1
    st.markdown(_(texts.ONE_HOT).format(id=token.id, other=other, vocabulary=grouped(size)))
    arrays(walk, _product(walk, token.id), "lookup")
    st.markdown(maths(_scaled(walk, at)))
    root = math.sqrt(walk.config.d_model)
    title = f"x · “{token.text}”"
    arrays(
        walk,
        [
            grid(walk, TABLE, (token.id, None), f"E[{token.id}]"),
            Op(f"× √{walk.config.d_model} = {root:.4g} ="),
            grid(walk, "src.embed", (at, None), title),
        ],
        "scale",
    )


def several(walk: Walk) -> None:
    """Show the sentence among others in one padded batch, and the mask that hides the padding."""
    st.header(_(texts.BATCH_TITLE), anchor=False)
    made = batch(walk, _others(walk))
    B, S = made.ids.shape
    st.markdown(
        _(texts.BATCH).format(pad=walk.config.pad_id, rows=B, columns=S, padding=made.padding)
    )
    ids = _rows(made, lambda token, _is_open: (token.text, str(token.id)))
    boxes.show(boxes.scroll(boxes.grid(ids), _("The ids of the batch")))
    st.markdown(_(texts.MASK))
    marks = _rows(made, lambda token, is_open: ("✓" if is_open else "×", token.text))
    boxes.show(boxes.scroll(boxes.grid(marks), _("The padding mask")))
    st.markdown(_proof(made))
    if any(len(tokens) == walk.config.max_len for tokens in made.tokens):
        st.caption(_(texts.CUT).format(n=walk.config.max_len))
    table_fold("batch", lambda: _twins(made, ids, marks), picture=True)


def _rows(made: Batch, write: Callable[[Token, bool], tuple[str, str]]) -> list[Row]:
    """Return the batch as rows of boxes; padding is shut."""
    return [
        (
            str(i),
            [
                Box(*write(token, is_open), "plain" if is_open else "shut")
                for token, is_open in zip(tokens, opened, strict=True)
            ],
        )
        for i, (tokens, opened) in enumerate(zip(made.tokens, made.mask.tolist(), strict=True), 1)
    ]


def _twins(made: Batch, ids: Sequence[Row], marks: Sequence[Row]) -> None:
    table(_columns(made), "batch")
    boxes.save(ids, "batch", aligned=True)
    boxes.save(marks, "padding-mask", aligned=True)


def _product(walk: Walk, token_id: int) -> list[Grid | Op]:
    """Return one-hot × the rows around one of the table = that row."""
    size = walk.config.vocab_size
    first, last = max(token_id - AROUND, 0), min(token_id + AROUND, size - 1)
    shown = tuple(range(first, last + 1))
    known = walk.tokenizer.vocab_size
    names = [f"{i} {walk.token(i).text}" if i < known else str(i) for i in shown]
    one_hot = Grid(
        name="",
        index=(None,),
        values=np.array([float(i == token_id) for i in shown]),
        title=_("one-hot"),
        role="input",
        scale="weights",
        cols=shown,
        col_labels=[str(i) for i in shown],
        note=_(texts.ONE_HOT_NOTE).format(n=grouped(size - len(shown))),
    )
    window = _(texts.WINDOW).format(first=grouped(first), last=grouped(last), all=grouped(size))
    rows = grid(walk, TABLE, (None, None), "E", rows=shown, row_labels=names, note=window)
    return [one_hot, Op("×"), rows, Op("="), grid(walk, TABLE, (token_id, None), f"E[{token_id}]")]


def _scaled(walk: Walk, at: int) -> str:
    token, d_model = walk.capture.src[at], walk.config.d_model
    position = float(np.linalg.norm(walk.array("src.pos", (at, None))))
    said = _(texts.SCALED) if position else _(texts.SCALED_ONLY)
    return said.format(
        row=f"{np.linalg.norm(walk.array(TABLE, (token.id, None))):.2f}",
        d_model=d_model,
        root=f"{math.sqrt(d_model):.4g}",
        scaled=f"{np.linalg.norm(walk.array('src.embed', (at, None))):.2f}",
        position=f"{position:.2f}",
        piece=escape(token.text),
    )


def _others(walk: Walk) -> list[str]:
    """Return some examples besides the visitor's sentence."""
    language = pair(walk.translation.model)[0]
    return [text for text in examples(language) if text != walk.translation.text][:MOST_EXAMPLES]


def _proof(made: Batch) -> str:
    if not made.padding:
        return _(texts.NO_PADDING)
    return _(texts.SAME).format(
        row=made.shortest + 1,
        difference=f"{made.difference:.1e}",
        unmasked=f"{made.difference_unmasked:.2f}",
    )


def _columns(made: Batch) -> dict[str, list[str]]:
    """Return the batch as a table: one column a sentence, with its mask beside it."""
    columns: dict[str, list[str]] = {}
    for i, tokens in enumerate(made.tokens):
        columns[_("sentence {n}").format(n=i + 1)] = [token.text for token in tokens]
        columns[_("ids {n}").format(n=i + 1)] = [str(token.id) for token in tokens]
        columns[_("mask {n}").format(n=i + 1)] = [str(int(is_open)) for is_open in made.mask[i]]
    return columns
