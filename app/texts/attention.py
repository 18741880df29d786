"""What the page says about attention and decoding; translated where it is shown."""

from typing import Final

from app.i18n import N_

KINDS: Final = {
    "cross": N_(
        "Encoder-decoder attention. A row is named “after … → …”: the decoder has just read the "
        "first token, looks at the source, and then writes the second."
    ),
    "encoder": N_(
        "Encoder self-attention: every source token looks at every source token, itself included."
    ),
    "decoder": N_(
        "Masked self-attention of the decoder. A row is named “after … → …”: the first token, just "
        "read, looks at itself and at what was written before it, and then the second is written. "
        "What comes later is masked."
    ),
}

# Which of a row's two tokens a head looks for, as the atlas measured it.
ROWS: Final = {
    "reads": N_("This head looks at the source of each row's first token, the one just read."),
    "writes": N_("This head looks at the source of each row's second token, the one written next."),
}
BEST_ROWS: Final = {
    "reads": N_(
        "Of all heads, this one aligns words best. It looks at the source of each row's first "
        "token, the one just read."
    ),
    "writes": N_(
        "Of all heads, this one aligns words best. It looks at the source of each row's second "
        "token, the one written next."
    ),
}

ONE_HEAD: Final = N_(
    "weights = softmax(Q Kᵀ / √d_k), with d_k = {d_k}. The weights of one query add up to 1."
)
ADDITIVE: Final = N_(
    "weights = softmax(v_a · tanh(W_a s + U_a h)): a small network scores each source token. The "
    "weights of one query add up to 1."
)
DIFFERENCE: Final = N_(
    "Changed run − original run, weight by weight; both read the original translation. "
    "Within one head, what some words gain, others lose: each row adds up to 0."
)
NO_DIFFERENCE: Final = N_(
    "These weights are the same in both runs: what was changed comes after them."
)
NO_ATTENTION: Final = N_(
    "This model has no attention: all its decoder knows about the source is one vector, the "
    "encoder's last state. “Step by step” and “Beam” show how it writes."
)
MEAN: Final = N_(
    "Mean: (head 1 + … + head {heads}) / {heads}, weight by weight. The weights of one query add "
    "up to 1."
)
MAX: Final = N_(
    "Maximum: the largest of the {heads} heads' weights, weight by weight. "
    "Those of one query can add up to more than 1."
)
MERGED_COLUMNS: Final = N_(
    "Tokens are merged into words. The weights on a word's tokens are added up: to look at one of "
    "them is to look at the word."
)
MERGED_ROWS: Final = N_("Where a word's tokens look themselves is averaged.")
HIDDEN: Final = N_(
    "Special tokens are hidden. Each query's remaining weights are divided by their sum, so those "
    "shown are at least as large as the model's own."
)

METHODS: Final = {
    "greedy": N_("Take the likeliest token at each step."),
    "beam": N_("Keep several hypotheses and follow the best ones to their end."),
    "sample": N_("Draw each token at random, with the probability the model gives it."),
}

NOTICES: Final = {
    "cut": N_("The text is too long for this model: only its beginning was translated."),
    "invisible": N_("Invisible characters were left out."),
    "unknown": N_(
        "Some characters are new to this model, which reads them byte by byte: "
        "the translation may make no sense."
    ),
    "unfinished": N_("The model did not end its sentence: it was stopped at the maximum length."),
    "repeats": N_(
        "The translation repeats itself: the model has lost its place. That happens with sentences "
        "longer than those it was trained on; try a shorter one."
    ),
}
