"""The texts of the page."""

from typing import Final

from app.i18n import N_

INTRO: Final = N_(
    "The whole Transformer on one sheet, with the numbers of your sentence. Print it with Ctrl P."
)
MAP: Final = N_("The map")
SHAPES: Final = N_("The shapes")
SHAPES_TEXT: Final = N_(
    "S = {s} source tokens, T = {t} target tokens, D = {d} numbers per token, h = {h} heads of "
    "d_k = {d_k} numbers, V = {v} tokens in the vocabulary. Ids and positions count from 0, "
    "everything else from 1."
)
FORMULAS: Final = N_("Six formulas, each with numbers of your sentence")
ARRAY: Final = N_("array")
SHAPE: Final = N_("shape")
HERE: Final = N_("here")
# What each formula is about, by the array that it computes.
STEPS: Final = {
    "src.sum": N_("Embedding plus position"),
    "encoder.0.self_attn.scaled": N_("Scaled dot product"),
    "encoder.0.self_attn.weights": N_("Softmax: the attention weights"),
    "encoder.0.self_attn.context": N_("Weighted sum of the values"),
    "encoder.0.add_norm_1.norm": N_("Layer normalisation"),
    "probabilities": N_("Softmax over the vocabulary"),
}
