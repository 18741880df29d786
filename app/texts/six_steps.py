"""What the six steps of attention say, whichever attention they are about."""

from typing import Final

from app.i18n import N_

MAKE_TITLE: Final = N_("1 · Make a query, a key and a value")
SCORE_TITLE: Final = N_("2 · Score every token")
SCALE_TITLE: Final = N_("3 · Divide by √d_k")
SOFTMAX_TITLE: Final = N_("4 · Softmax: scores become weights")
WEIGH_TITLE: Final = N_("5 · Multiply each value by its weight")
SUM_TITLE: Final = N_("6 · Add up: z")

X: Final = {
    "sum": N_("x is the token's embedding plus its position."),
    "pre": N_("x is the token's vector after layer normalisation: this model is pre-norm."),
    "post": N_("x is the token's vector, as the previous sub-layer left it."),
    "memory": N_("m is a source token's vector in the memory, the encoder's output."),
}

MAKE: Final = {
    "self": N_(
        "Three learned matrices turn the same x into three vectors: a query q (what “{word}” looks "
        "for), a key k (what it can be found by) and a value v (what it passes on). Each has d_k = "
        "{d_k} numbers; x has {d_model}."
    ),
    "cross": N_(
        "The query q comes from “{word}”, a token of the translation. Keys and values come from "
        "the source: here, from “{other}”, at which this head looks most. Each has d_k = {d_k} "
        "numbers; x and m have {d_model}."
    ),
}
SCORE: Final = N_(
    "The query of “{word}” meets the key of every token: multiply number by number and add up. "
    "This dot product is the score, and it can be any number in (−∞, ∞). “{high}” scores "
    "{high_score}."
)
SCORE_LOW: Final = N_("“{low}” scores lowest: {low_score}.")

SCALE: Final = N_(
    "A score is a sum of d_k = {d_k} products, and the spread of such a sum grows with √d_k. "
    "Dividing by √{d_k} = {root} undoes that: {before} becomes {after}."
)

MASK: Final = N_(
    "Then the mask: what follows “{word}” does not exist yet when the model writes. Its scores "
    "become −∞."
)
MASK_OPEN: Final = N_("“{word}” is the last token: the mask hides nothing from it.")

SOFTMAX: Final = N_(
    "Raise e to the power of each score, so that all are positive, and divide by their sum, "
    "{total}. Every weight is now in [0, 1], and together they are 1. “{word}” gives {weight} of "
    "its attention to “{high}”."
)
SOFTMAX_MASKED: Final = N_("e to the power of −∞ is 0: a hidden token gets no weight.")

WEIGH: Final = N_(
    "Each row is one token's v, then the same row times its weight. What matters stays, the rest "
    "fades: the row of “{high}” keeps {weight} of its strength."
)
WEIGH_LOW: Final = N_("The row of “{low}” keeps {low_weight}.")

SUM: Final = N_(
    "Add up the rows, column by column. The result is z, what this head found for “{word}”: "
    "{parts}. It joins what the other heads found."
)
SUM_PART: Final = N_("{weight} of “{word}”")
SUM_REST: Final = N_("{weight} of the other {n}")
