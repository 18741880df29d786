"""Chapter 7, the other mask: the sentence in a batch with a longer one."""

import html
from collections.abc import Sequence

import numpy as np
import streamlit as st

from app.charts.masks import mask_squares
from app.charts.theme import as_mode
from app.charts.toolbar import plot_config
from app.i18n import _
from app.lessons.masked_attention import BATCH, ENCODER, NO_PADDING, TOGETHER, pairs
from app.services import Token
from app.services_masks import Batch, batch
from app.services_walk import Walk
from app.widgets.board import Grid, board
from app.widgets.head import percent
from app.widgets.said import number
from app.widgets.said import word as said
from app.widgets.sidebar import pair
from app.widgets.table import Columns, table, table_fold

CELL = "border:1px solid rgb(128 128 128 / 0.45);padding:0.15rem 0.45rem;white-space:nowrap"
PADDING = (
    "color:inherit;font-style:italic;background:repeating-linear-gradient(45deg,"
    "transparent 0 5px,rgb(128 128 128 / 0.25) 5px 7px)"
)


def padded(walk: Walk, layer: int, head: int) -> None:
    """Draw the batch, its masks, and what the encoder would do without the padding mask."""
    made = batch(walk, pairs(pair(walk.translation.model)))
    st.markdown(_(BATCH))
    _rows(_("What the encoder reads"), made.src)
    _rows(_("What the decoder reads"), made.tgt)
    if not made.tgt_padding[0].all():
        st.markdown(_(TOGETHER))
        _masks(made)
    if made.src_padding[0].all():
        st.info(_(NO_PADDING))
        return
    _encoder(walk, made, min(layer, walk.config.n_encoder_layers - 1), head)


def _rows(title: str, rows: Sequence[Sequence[Token]]) -> None:
    """Draw a batch as a table: one sentence a row, its padding hatched."""
    drawn = "".join(f"<tr>{''.join(map(_cell, tokens))}</tr>" for tokens in rows)
    st.html(
        '<div style="overflow-x:auto" tabindex="0" role="region" '
        f'aria-label="{html.escape(title)}"><table style="border-collapse:collapse">'
        f'<caption style="text-align:left;font-size:0.875rem">{html.escape(title)}</caption>'
        f"{drawn}</table></div>"
    )


def _cell(token: Token) -> str:
    style = f"{CELL};{PADDING}" if token.text == "<pad>" and token.special else CELL
    return f'<td style="{style}">{html.escape(token.text)}</td>'


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
            mode=as_mode(st.context.theme.type),
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
            word=said(walk.capture.src[word]), share=percent(shares[word]),
            apart=number(made.apart, 4), open=number(made.apart_open, 4),
        )
    )  # fmt: skip
    place = _("encoder layer {layer}, head {head}").format(layer=layer + 1, head=head + 1)
    with_mask, without = _("with the padding mask"), _("without it")
    allowed = np.broadcast_to(real, weights.shape)
    board(
        [
            Grid(
                name="", index=(None, None), values=weights, title=with_mask, scale="weights",
                row_labels=words, col_labels=keys, masked=allowed, note=place,
            ),
            Grid(
                name="", index=(None, None), values=opened, title=without, scale="weights",
                row_labels=words, col_labels=keys, note=place,
            ),
        ],
        key="mask-encoder",
    )  # fmt: skip

    def tables() -> None:
        table(_columns(weights, with_mask, words, keys), "with-padding-mask")
        table(_columns(opened, without, words, keys), "without-padding-mask")

    table_fold("mask-encoder", tables)


def _columns(
    values: np.ndarray, title: str, queries: Sequence[str], keys: Sequence[str]
) -> Columns:
    columns: dict[str, Sequence[str | float]] = {
        title: [f"{i} {query}" for i, query in enumerate(queries, 1)]
    }
    for i, key in enumerate(keys):
        columns[f"{i + 1} {key}"] = values[:, i].tolist()
    return columns
