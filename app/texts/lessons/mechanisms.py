"""Attention mechanisms: from a weighted mean to many heads."""

from typing import Final

from app.i18n import N_
from app.lesson import Lesson, Stop

GATO: Final = {"model": "es-en", "text": "El gato negro duerme en la silla."}

MECHANISMS: Final = Lesson(
    N_("Attention mechanisms"),
    (
        Stop(
            "self_attention",
            "picture",
            GATO,
            N_("Many tasks do not need all of the input"),
            N_("To say what is in a picture, most of it does not matter. Ask where they looked."),
        ),
        Stop(
            "self_attention",
            "picture",
            GATO,
            N_("Sound into text"),
            N_("A word comes from a moment of the recording, not from all of it."),
        ),
        Stop(
            "rnnsearch",
            "map",
            GATO,
            N_("Translating between languages"),
            N_("Each word of the translation has a place in the source that matters most."),
        ),
        Stop(
            "seq2seq",
            "bridge",
            GATO,
            N_("The bottleneck of recurrent networks"),
            N_(
                "They press the whole input into one vector: not the best choice for long "
                "sequences."
            ),
        ),
        Stop(
            "evolution",
            "length",
            GATO,
            N_("Short memory, measured"),
            N_("Compare the curves where the sentences are long."),
        ),
        Stop(
            "self_attention",
            "idea",
            GATO,
            N_("What an attention mechanism is"),
            N_("It chooses which elements of the input matter most for the output."),
        ),
        Stop(
            "self_attention",
            "simple",
            GATO,
            N_("The simplest weights: dot products"),
            N_(
                "The weight of i and j is no parameter: it is computed from the two vectors. Its "
                "values lie between −∞ and ∞."
            ),
        ),
        Stop(
            "self_attention",
            "simple",
            GATO,
            N_("Softmax: between 0 and 1, and 1 in total"),
            N_("For each i, a new row of products and a new softmax."),
        ),
        Stop(
            "self_attention",
            "simple",
            GATO,
            N_("The output is a weighted mean"),
            N_("y_i is the sum over all j of w_ij times x_j."),
        ),
        Stop(
            "self_attention",
            "qkv",
            GATO,
            N_("Three roles with parameters of their own"),
            N_("The simple version has nothing to learn; W_Q, W_K and W_V give it something."),
        ),
        Stop(
            "cross_attention",
            "map",
            GATO,
            N_("Cross-attention"),
            N_("Two sequences: the translation asks, the source answers."),
        ),
        Stop(
            "heads",
            "all",
            GATO,
            N_("Multi-head attention"),
            N_("Each head has its own three matrices, so each can look for something else."),
        ),
        Stop(
            "big_picture",
            "map",
            GATO,
            N_("Transformers"),
            N_("All the pieces in their places."),
        ),
    ),
)
