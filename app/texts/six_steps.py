"""What the six steps of attention say, whichever attention they are about."""

from typing import Final

from app.i18n import N_

TITLES: Final = (
    N_("1 · Make a query, a key and a value"),
    N_("2 · Score every word"),
    N_("3 · Divide by √d_k"),
    N_("4 · Softmax: scores become weights"),
    N_("5 · Multiply each value by its weight"),
    N_("6 · Add up: z"),
)

X: Final = {
    "sum": N_("x is the word's embedding plus its position."),
    "pre": N_(
        "x is the word's vector, normalised: this model normalises before attention (pre-norm; the "
        "chapter on add & normalise shows how)."
    ),
    "post": N_("x is the word's vector, as the sub-layer below left it."),
    "memory": N_("m is a source word's vector in the memory, the encoder's output."),
}

MAKE: Final = {
    "self": N_(
        "Three learned matrices make three vectors of the same x: a query q (what “{word}” looks "
        "for), a key k (what it offers to whoever looks) and a value v (what it hands over). Each "
        "has d_k = {d_k} numbers; x has {d_model}."
    ),
    "cross": N_(
        "The query q comes from “{word}”, a word of the translation. Keys and values come from "
        "the source sentence: shown are those of “{other}”, which this head looks at most. Each "
        "has d_k = {d_k} numbers; x and m have {d_model}."
    ),
}
SCORE: Final = N_(
    "The query of “{word}” is compared with the key of every word, one word a row: multiply number "
    "by number and add up. The more alike, the higher: “{high}” scores {high_score}."
)
SCORE_LOW: Final = N_("“{low}” scores lowest: {low_score}.")

SCALE: Final = N_(
    "A score adds up d_k = {d_k} products, so it grows with d_k. Dividing by √{d_k} = {root} "
    "keeps it of a size that the softmax can use: {before} becomes {after}."
)

MASK: Final = N_(
    "The mask: what comes after “{word}” is not written yet when the model needs this row. Its "
    "scores become −∞."
)
MASK_OPEN: Final = N_("“{word}” is the last word: the mask hides nothing from it.")

SOFTMAX: Final = N_(
    "Raise e to the power of each score, so that all are positive, and divide by their sum, "
    "{total}: every weight is then between 0 and 1, and together they are 1. “{word}” gives "
    "{weight} of its attention to “{high}”."
)
SOFTMAX_MASKED: Final = N_("e to the power of −∞ is 0: a hidden word gets no weight.")

WEIGH: Final = N_(
    "Each row is one word's v, and then the same row times its weight. Words that matter stay, "
    "the others fade: the row of “{high}” keeps {weight} of its strength."
)
WEIGH_LOW: Final = N_("The row of “{low}” keeps {low_weight}.")

SUM: Final = N_(
    "Adding the rows up gives z, what this head found for “{word}”: {parts}. It goes on to the "
    "other heads' results."
)
SUM_PART: Final = N_("{weight} of “{word}”")
SUM_REST: Final = N_("{weight} of the other {n}")
