"""Chapter 7, the other mask: the sentence in a batch with a longer one."""

from collections.abc import Sequence

import numpy as np
import streamlit as st

from app.charts.boxes import Box, Row
from app.charts.toolbar import plot_config
from app.components.board import Grid
from app.data.translation import Token
from app.data.walk import Walk
from app.format import number, percent
from app.i18n import _
from app.inspect.arrays import arrays
from app.inspect.naming import token_markdown
from app.ui import vectors_html as boxes
from app.ui.chart import theme_mode
from app.ui.chosen import pair
from app.ui.section import section
from app.ui.table import Columns, table, table_fold
from app.views.walk.masked_attention.data import Batch, batch
from app.views.walk.masked_attention.masks_chart import mask_squares
from app.views.walk.masked_attention.texts import BATCH, ENCODER, NO_PADDING, TOGETHER, pairs


def padded(walk: Walk, layer: int, head: int) -> None:
    """Draw the batch, its masks, and what the encoder would do without the padding mask."""
    made = batch(walk, pairs(pair(walk.translation.model)))
    section(_("The padding mask, and both together"), _(BATCH))
    _rows(_("What the encoder reads"), made.src, "batch-src")
    _rows(_("What the decoder reads"), made.tgt, "batch-tgt")
    if not made.tgt_padding[0].all():
        st.markdown(_(TOGETHER))
        _masks(made)
    if made.src_padding[0].all():
        st.info(_(NO_PADDING))
        return
    _encoder(walk, made, min(layer, walk.config.n_encoder_layers - 1), head)


def _rows(title: str, sentences: Sequence[Sequence[Token]], name: str) -> None:
    """Draw a batch as a table: one sentence a row, its padding hatched."""
    rows: list[Row] = [
        (str(i), [Box(token.text, look="shut" if _is_pad(token) else "plain") for token in tokens])
        for i, tokens in enumerate(sentences, 1)
    ]
    st.markdown(f"**{title}**")
    boxes.show(boxes.scroll(boxes.grid(rows), title))
    columns = {
        _("sentence {n}").format(n=i): [token.text for token in tokens]
        for i, tokens in enumerate(sentences, 1)
    }

    def twins() -> None:
        table(columns, name)
        boxes.save(rows, name, aligned=True)

    table_fold(name, twins, picture=True)


def _is_pad(token: Token) -> bool:
    return token.special and token.text == "<pad>"


def _masks(made: Batch) -> None:
    T = made.tgt_padding.shape[1]
    labels = [token.text for token in made.tgt[0]]
    masks = {
        _("causal mask"): made.causal,
        _("and padding mask"): np.broadcast_to(made.tgt_padding[0], (T, T)),
        _("= both"): made.target[0],
    }
    for i, (column, (title, mask)) in enumerate(zip(st.columns(3), masks.items(), strict=True)):
        figure = mask_squares(
            mask, labels, labels, title=title, hover=(_("may look"), _("may not look")),
            mode=theme_mode(),
        )  # fmt: skip
        with column:
            config = plot_config(f"mask-{i + 1}")
            st.plotly_chart(figure, theme=None, config=config, key=f"mask-{i + 1}", alt=title)

    def tables() -> None:
        for title, mask in masks.items():
            table(_columns(mask.astype(float), title, labels, labels), title)

    table_fold("mask-both", tables)


def _encoder(walk: Walk, made: Batch, layer: int, head: int) -> None:
    name = f"encoder.{layer}.self_attn.weights"
    real = made.src_padding[0]
    weights, opened = made.weights[name][head][real], made.open_weights[name][head][real]
    shares = opened[:, ~real].sum(-1)
    word = int(shares.argmax())
    words = [token.text for token in walk.capture.src]
    keys = [token.text for token in made.src[0]]
    st.markdown(
        _(ENCODER).format(
            word=token_markdown(walk.capture.src[word]), share=percent(shares[word]),
            apart=number(made.apart, 4), open=number(made.apart_open, 4),
        )
    )  # fmt: skip
    place = _("encoder layer {layer}, head {head}").format(layer=layer + 1, head=head + 1)
    with_mask, without = _("with the padding mask"), _("without it")
    allowed = np.broadcast_to(real, weights.shape)
    arrays(
        walk,
        [
            Grid(
                name="", index=(None, None), values=weights, title=with_mask, scale="weights",
                row_labels=words, col_labels=keys, mask=allowed, note=place,
            ),
            Grid(
                name="", index=(None, None), values=opened, title=without, scale="weights",
                row_labels=words, col_labels=keys, note=place,
            ),
        ],
        "mask-encoder",
    )  # fmt: skip


def _columns(
    values: np.ndarray, title: str, queries: Sequence[str], keys: Sequence[str]
) -> Columns:
    columns: dict[str, Sequence[str | float]] = {
        title: [f"{i} {query}" for i, query in enumerate(queries, 1)]
    }
    for i, key in enumerate(keys):
        columns[f"{i + 1} {key}"] = values[:, i].tolist()
    return columns
