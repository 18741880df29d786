"""The page Cheat sheet: the map, the shapes and six formulas, to be printed."""

from typing import Final

import numpy as np
import streamlit as st

from app.components.diagram import model_diagram
from app.data.walk import Cell, Walk, walk
from app.format import grouped, tex
from app.i18n import N_, _
from app.inspector.naming import array_name, cell_name
from app.page import errors
from app.page.badge import draw_check
from app.registry import view_of
from app.ui.chosen import decoding
from app.ui.error_box import error_box
from app.ui.sentence_box import sentence_line

# What each formula is about, by the array that it computes.
STEPS: Final = {
    "src.sum": N_("Embedding plus position"),
    "encoder.0.self_attn.scaled": N_("Scaled dot product"),
    "encoder.0.self_attn.weights": N_("Softmax: the attention weights"),
    "encoder.0.self_attn.context": N_("Weighted sum of the values"),
    "encoder.0.add_norm_1.norm": N_("Layer normalisation"),
    "probabilities": N_("Softmax over the vocabulary"),
}
# The shapes of the arrays on the way, in letters.
ARRAYS: Final = (
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


def draw() -> None:
    """Draw the sheet of the chosen model and the visitor's sentence."""
    st.title(_(view_of("cheat_sheet").title))
    says = _(
        "The whole Transformer on one sheet, with the numbers of your sentence. Print it with "
        "Ctrl P."
    )
    st.caption(says)
    model = errors.model()
    if model is None or errors.is_recurrent(model):
        return
    text = sentence_line(model)
    with error_box(), st.container(key="sheet"):
        shown = walk(model, text, decoding())
        left, right = st.columns(2, gap="large")
        with left:
            st.header(_("The map"), anchor=False)
            model_diagram(shown, "outline", key="map")
            st.header(_("The shapes"), anchor=False)
            _draw_shapes(shown)
        with right:
            st.header(_("Six formulas, each with numbers from your sentence"), anchor=False)
            for name, title in STEPS.items():
                calculation = shown.explain(_cell(shown, name))
                st.markdown(f"**{_(title)}** · :gray[{cell_name(shown, calculation.cell)}]")
                lines = rf"{calculation.formula} \\[4pt] {calculation.numbers}"
                st.latex(rf"\begin{{gathered}} {tex(lines)} \end{{gathered}}")
            draw_check(shown, ("src", "encoder.0", "decoder"))


def _draw_shapes(walk: Walk) -> None:
    """Draw the letters with their values, and a row for each array."""
    config = walk.config
    st.markdown(
        _(
            "S = {s} source tokens, T = {t} target tokens, D = {d} numbers per token, h = {h} "
            "heads of d_k = {d_k} numbers, V = {v} tokens in the vocabulary. Ids and positions "
            "count from 0, everything else from 1."
        ).format(
            s=len(walk.capture.src),
            t=len(walk.capture.tgt),
            d=config.d_model,
            h=config.n_heads,
            d_k=config.d_k,
            v=grouped(config.n_tgt_vocab),
        )
    )
    rows = [" | ".join([_("array"), _("shape"), _("here")]), "---|---|---"]
    for name, letters in ARRAYS:
        here = " × ".join(grouped(size) for size in walk.array(name).shape)
        row = array_name(name), letters.replace(" ", "\u00a0"), here.replace(" ", "\u00a0")
        rows.append(" | ".join(row))  # a shape stays in one line
    st.markdown("\n".join(f"| {row} |" for row in rows))


def _cell(shown: Walk, name: str) -> Cell:
    """Return the number of an array to show: the largest weight of a token, or its first number."""
    array = shown.array(name)
    if name.endswith(("weights", "scaled", "probabilities")):
        first = (0,) * (array.ndim - 1)
        return Cell(name, (*first, int(np.argmax(array[first]))))
    return Cell(name, (0,) * array.ndim)


if __name__ == "__main__":
    draw()
