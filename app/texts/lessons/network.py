"""The Transformer network: encoder, positions, decoder."""

from typing import Final

from app.i18n import N_
from app.lesson import Lesson, Stop

STUDENT: Final = {"model": "fr-en", "text": "Je suis étudiant."}

NETWORK: Final = Lesson(
    N_("The Transformer network"),
    (
        Stop(
            "big_picture",
            "map",
            STUDENT,
            N_("General view"),
            N_("Remember encoders and decoders: the shape is the same, the recurrence is gone."),
        ),
        Stop(
            "big_picture",
            "stacks",
            STUDENT,
            N_("A stack of encoders"),
            N_("The output of one layer is the input of the next: the shape never changes."),
        ),
        Stop(
            "big_picture",
            "sub-layer-1",
            STUDENT,
            N_("The encoder: self-attention, then feed-forward"),
            N_("Two sub-layers, each with its shortcut and its norm."),
        ),
        Stop(
            "self_attention",
            "matrix",
            STUDENT,
            N_("X times W_Q, W_K and W_V"),
            N_("Rows are tokens. Ask for the shape of each matrix before you show it."),
        ),
        Stop(
            "self_attention",
            "z",
            STUDENT,
            N_("Q times K transposed"),
            N_("One score for every pair of tokens."),
        ),
        Stop(
            "self_attention",
            "z",
            STUDENT,
            N_("Softmax, row by row"),
            N_("e to the power of z_j, divided by the sum of all of them."),
        ),
        Stop(
            "self_attention",
            "z",
            STUDENT,
            N_("Times V: Z"),
            N_("Each row of Z is a weighted mean of the values."),
        ),
        Stop(
            "self_attention",
            "two",
            STUDENT,
            N_("112 and 96, by hand"),
            N_("14 and 12 after the division by 8; 0.88 and 0.12 after the softmax."),
        ),
        Stop(
            "self_attention",
            "scale",
            STUDENT,
            N_("What if we did not divide?"),
            N_("Let them guess first: the largest weight grows."),
        ),
        Stop(
            "heads",
            "split",
            STUDENT,
            N_("Several heads"),
            N_("In the paper eight, of 64 numbers each."),
        ),
        Stop(
            "heads",
            "recap",
            STUDENT,
            N_("The encoder in one picture"),
            N_("A model without recurrence: weighted sums only. Which is why it needs positions."),
        ),
        Stop(
            "positions",
            "sum",
            STUDENT,
            N_("Positional encoding"),
            N_("sin and cos of pos / 10000^(2i / d_model)."),
        ),
        Stop(
            "positions",
            "dots",
            STUDENT,
            N_("How near are two positions?"),
            N_("The product of two positions depends on their distance alone."),
        ),
        Stop(
            "decoding",
            "encode",
            STUDENT,
            N_("The decoder starts"),
            N_("The source is read once; its keys and values stay."),
        ),
        Stop(
            "decoding",
            "step",
            STUDENT,
            N_("One token at a time"),
            N_("Press play and stop at the second token: what does it read now?"),
        ),
        Stop(
            "masked_attention",
            "mask",
            STUDENT,
            N_("Masked self-attention"),
            N_("A token looks at itself and at those before it."),
        ),
        Stop(
            "cross_attention",
            "made",
            STUDENT,
            N_("Encoder-decoder attention"),
            N_("Queries from the translation, keys and values from the source."),
        ),
        Stop(
            "output",
            "softmax",
            STUDENT,
            N_("A probability for each token"),
            N_("And the next step begins with the chosen one."),
        ),
    ),
)
