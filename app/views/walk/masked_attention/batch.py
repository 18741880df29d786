"""The other mask: the sentence in a batch with a longer one."""

from collections.abc import Sequence

import numpy as np
import streamlit as st

from app.charts.boxes import Box, Row
from app.data.translation import Token
from app.format import number, percent
from app.i18n import _
from app.inspector.arrays import arrays, weights_grid
from app.inspector.head import Head
from app.inspector.naming import token_markdown
from app.ui import vectors_html as boxes
from app.ui.chosen import pair
from app.views.walk.masked_attention import texts
from app.views.walk.masked_attention.data import Batch, batch


def draw_batch(head: Head) -> None:
    """Draw the batch that the encoder reads."""
    _draw_rows(_("What the encoder reads"), _batch(head).src, "batch-src")


def encoder_text(head: Head) -> str:
    """Say what the encoder would do without the padding mask."""
    both = _batch(head)
    if both.src_padding[0].all():
        return _(texts.NO_PADDING)
    opened = _weights(head, both)[1]
    shares = opened[:, ~both.src_padding[0]].sum(-1)  # of each token's look that goes to padding
    word = int(shares.argmax())
    return _(texts.ENCODER).format(
        word=token_markdown(head.walk.capture.src[word]),
        share=percent(shares[word]),
        apart=number(both.apart, 4),
        open=number(both.apart_open, 4),
    )


def draw_encoder(head: Head) -> None:
    """Draw where the sentence looks in the encoder with its padding, and without the mask."""
    both, walk = _batch(head), head.walk
    if both.src_padding[0].all():
        return
    weights, opened = _weights(head, both)
    words = [token.text for token in walk.capture.src]
    keys = [token.text for token in both.src[0]]
    mask = np.broadcast_to(both.src_padding[0], weights.shape)
    layer = min(head.layer, walk.config.n_encoder_layers - 1)
    place = _("encoder layer {layer}, head {head}").format(layer=layer + 1, head=head.head + 1)
    with_mask, without = _("with the padding mask"), _("without it")
    look = {"note": place, "thumb": True}
    drawn = [
        weights_grid(weights, with_mask, words, keys, mask=mask, **look),
        weights_grid(opened, without, (), keys, **look),
    ]
    arrays(walk, drawn, "mask-encoder")


def _batch(head: Head) -> Batch:
    return batch(head.walk, texts.PAIRS.get(pair(head.walk.translation.model), ()))


def _weights(head: Head, both: Batch) -> tuple[np.ndarray, np.ndarray]:
    """Return the encoder's weights of the sentence in the batch, with the mask and without."""
    layer = min(head.layer, head.walk.config.n_encoder_layers - 1)
    name, real = f"encoder.{layer}.self_attn.weights", both.src_padding[0]
    weights, opened = (of[name][head.head][real] for of in (both.weights, both.open_weights))
    return weights, opened


def _draw_rows(title: str, sentences: Sequence[Sequence[Token]], name: str) -> None:
    """Draw a batch as a table: one sentence a row, its padding hatched."""
    rows: list[Row] = [
        (str(i), [Box(token.text, look="shut" if _is_pad(token) else "plain") for token in tokens])
        for i, tokens in enumerate(sentences, 1)
    ]
    st.markdown(f"**{title}**")
    boxes.show_batch(rows, title)
    columns = {
        _("sentence {n}").format(n=i): [token.text for token in tokens]
        for i, tokens in enumerate(sentences, 1)
    }
    boxes.boxes_menu(name, columns, rows, aligned=True)


def _is_pad(token: Token) -> bool:
    return token.special and token.text == "<pad>"
