"""What the steps of attention say, whichever attention they are about."""

from typing import Final

from app.i18n import N_

MAKE_TITLE: Final = N_("1 · Make a query, a key and a value")
SCORE_TITLE: Final = N_("2 · Score every token, divide by √d_k")
SOFTMAX_TITLE: Final = N_("3 · Softmax: scores become weights")
SUM_TITLE: Final = N_("4 · The weighted sum: z")

X: Final = {
    "sum": N_("x is the token's embedding plus its position."),
    "pre": N_("x is the token's vector after layer normalisation: this model is pre-norm."),
    "post": N_("x is the token's vector, as the previous sub-layer left it."),
}

MAKE: Final = N_(
    "Three learned matrices turn the same x into three vectors: a query q (what “{word}” looks "
    "for), a key k (what it can be found by) and a value v (what it passes on). Each has d_k = "
    "{d_k} numbers; x has {d_model}."
)
SCORE: Final = N_(
    "The query of “{word}” is compared with the key of every token: multiply number by number and "
    "add up. This dot product is the score: the better the two match, the higher it is. “{high}” "
    "matches best: {before}. A sum of {d_k} products is spread √{d_k} = {root} times as widely as "
    "a single one; the division makes up for that: {after}."
)

MASK: Final = N_(
    "Then the mask: what follows “{word}” does not exist yet when the model writes. Its scores "
    "become −∞."
)
MASK_OPEN: Final = N_("“{word}” is the last token: the mask hides nothing from it.")

SOFTMAX: Final = N_(
    "Raise e to the power of each score, so that all are positive, and divide by their sum, "
    "{total}. Every weight now lies in [0, 1], and together they add up to 1. “{word}” gives "
    "{weight} of its attention to “{high}”."
)
SOFTMAX_MASKED: Final = N_("e to the power of −∞ is 0: a hidden token gets no weight.")

SUM: Final = N_(
    "Multiply each token's value by its weight: a large weight keeps it, a small one fades it out. "
    "Add up the rows, and you have z, what this head found for “{word}”: {parts}."
)
SUM_PART: Final = N_("{weight} of “{word}”")
SUM_REST: Final = N_("{weight} of the other {n}")
