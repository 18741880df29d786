"""The shapes of the arrays on the way, in letters and for the visitor's sentence."""

from typing import Final

import streamlit as st

from app.data.walk import Walk
from app.format import grouped
from app.i18n import _
from app.inspector.naming import array_name
from app.views.cheat_sheet import texts

# A table.
SHAPES: Final = (
    ("src.sum", "S × D"),
    ("encoder.0.self_attn.q", "h × S × d_k"),
    ("encoder.0.self_attn.scores", "h × S × S"),
    ("encoder.0.self_attn.context", "h × S × d_k"),
    ("encoder.0.self_attn.concat", "S × D"),
    ("encoder.0.ffn.hidden", "S × d_ff"),
    ("encoder.0.add_norm_2.add", "S × D"),
    ("decoder.0.self_attn.weights", "h × T × T"),
    ("decoder.0.cross_attn.weights", "h × T × S"),
    ("logits", "T × V"),
)


def draw_shapes(walk: Walk) -> None:
    """Draw the letters with their values, and a row for each array."""
    config = walk.config
    st.markdown(
        _(texts.SHAPES_TEXT).format(
            s=len(walk.capture.src),
            t=len(walk.capture.tgt),
            d=config.d_model,
            h=config.n_heads,
            d_k=config.d_k,
            v=grouped(config.n_tgt_vocab),
        )
    )
    head = f"| {_(texts.ARRAY)} | {_(texts.SHAPE)} | {_(texts.HERE)} |\n|---|---|---|\n"
    st.markdown(head + "\n".join(_row(walk, name, letters) for name, letters in SHAPES))


def _row(walk: Walk, name: str, letters: str) -> str:
    here = " × ".join(grouped(size) for size in walk.array(name).shape)
    shape, numbers = (text.replace(" ", "\u00a0") for text in (letters, here))  # each in one line
    return f"| {array_name(name)} | {shape} | {numbers} |"
