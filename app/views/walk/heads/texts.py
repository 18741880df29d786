"""What the chapter on many heads says."""

from typing import Final

from app.i18n import N_

INTRO: Final = N_(
    "One head can look for one thing at a time. So each layer has several, side by side, each with "
    "its own $W_Q$, $W_K$ and $W_V$, and each free to look elsewhere. What they find is then "
    "joined."
)

LOOK_TITLE: Final = N_("What does “{word}” look at?")
LOOK: Final = N_(
    "One row a head, in layer {layer}; one column a word that is looked at. Each row sums to 1. "
    "Head {sharp} is the most decided: {sharp_weight} on “{sharp_word}”. Head {broad} spreads its "
    "look the most: its largest weight is {broad_weight}, on “{broad_word}”."
)
LOOK_AGREE: Final = N_(
    "The heads look most at {n} different words. Nobody tells them what to look for: they begin "
    "with different random numbers, and training does the rest."
)
LOOK_ONE: Final = N_(
    "This model has one head: it gives {sharp_weight} of its look to “{sharp_word}”."
)
ALL_TITLE: Final = N_("All heads at once")
ALL: Final = N_(
    "And all words in all heads of all layers: a row looks, a column is looked at. Choose one to "
    "go there."
)

JOIN_TITLE: Final = N_("Joined again: × W_O")
JOIN: Final = N_(
    "Each head made a z of d_k = {d_k} numbers for “{word}”. Laid in one row, Z₁ to Z{last} "
    "have {heads} × {d_k} = {d_model} numbers, as many as x had. (Slides that count from 0 call "
    "our Z₁ Z₀.)"
)
JOIN_OUT: Final = N_(
    "In them, the heads are still apart. The matrix W_O mixes them: every number of the output "
    "takes something from every head."
)

PARTS_TITLE: Final = N_("How much does each head add?")
PARTS: Final = N_(
    "The product can be taken apart: each head's z meets its own {d_k} rows of W_O only. So the "
    "output is a sum of {heads} vectors, one from each head, and the bias b_O."
)
PARTS_SIZE: Final = N_(
    "How long is each of them? Head {most} adds the longest vector to “{word}”: {most_size}; head "
    "{least} the shortest: {least_size}. Lengths do not add up, as vectors partly cancel. What "
    "each adds *in the direction of the output* does: with the bias, these parts make {total}, the "
    "output's length."
)
PARTS_ONE: Final = N_(
    "The only head adds a vector of length {most_size} to “{word}”; in the direction of the "
    "output, it and the bias make {total}, the output's length."
)
PARTS_ALL: Final = N_("The same lengths for every word: some heads work for some words more.")
LENGTH: Final = N_("length of what it adds")
ALONG: Final = N_("part in the direction of the output")

RECAP_TITLE: Final = N_("All of it, in five steps")
RECAP: Final = (
    N_("This is the sentence, cut into pieces."),
    N_("Every piece is a vector: X, one row a piece."),
    N_(
        "Number of heads: {heads}. Each multiplies X by its own W_Q, W_K and W_V, which gives its "
        "Q, K and V."
    ),
    N_("Each head attends: softmax(Q Kᵀ ÷ √d_k), times V, is its Z."),
    N_(
        "Z₁ to Z{last} side by side, times W_O: the output, again one row a piece and as wide as X."
    ),
)
RECAP_FIRST: Final = N_("In layer 1, X comes from the embeddings and positions.")
RECAP_LATER: Final = N_(
    "From layer 2 on no embedding is needed: X comes from the layer below (the slides call it R)."
)
RECAP_NEXT: Final = N_(
    "Framed with dots is head {head}, the one you chose; the chapter before opens all its numbers. "
    "What is done with the output, the next chapter tells."
)

ASK: Final = N_("Layer {layer}: in which head does “{word}” look most at “{looked_at}”?")
ASK_ONE: Final = N_("Layer {layer}: at which word does “{word}” look most?")
RIGHT: Final = N_("Yes: there its weight is {weight}; the next head gives it {second}.")
RIGHT_ONE: Final = N_("Yes: its weight is {weight}.")
WRONG: Final = N_(
    "Not there: go down the column of “{looked_at}” in the first picture to its largest number."
)
WRONG_ONE: Final = N_("Not that one: find the largest number in the first picture.")

CODE_SPLIT: Final = N_("Cutting a vector into heads")
CODE_JOIN: Final = N_("Attending in all heads at once, and joining them")
CODE_PART: Final = N_("What each head adds")
