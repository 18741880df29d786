"""What the chapter on self-attention says."""

from typing import Final

from app.i18n import N_

INTRO: Final = N_(
    "On its own, a token says little: what *it* means depends on the tokens around it. An "
    "attention mechanism decides which parts of the input matter most right now, and averages them "
    "by their weights."
)

IDEA_TITLE: Final = N_("What attention is")
IDEA: Final = N_(
    "In layer {layer}, head {head}, “{word}” gives the largest weight to “{most}”: {weight}. Click "
    "another token to follow its lines."
)

BY_HAND: Final = N_("Example by hand.")

PICTURE_TITLE: Final = N_("Not only text: a picture, a sound")
PICTURE: Final = N_(
    "The words of a caption look at a picture, cut into {patches} patches. The key of a patch is "
    "its colour, the query of a word the colour it looks for. The softmax lights up what each word "
    "sees: “{word}” gives {weight} to the {n} patches of that colour."
)
PICTURE_NAME: Final = N_("the picture")
THINGS: Final = {"y": N_("sun"), "s": N_("sky"), "h": N_("house"), "g": N_("grass")}

SOUND: Final = N_(
    "A recording becomes {frames} frames, each a vector: how loud the sound is at {bands} pitches. "
    "To write “{letter}”, the model needs only the frames in which it is spoken. They get {weight} "
    "of the attention."
)

SIMPLE_TITLE: Final = N_("Attention without parameters")
SIMPLE: Final = N_(
    "Start with nothing learned. The score of two tokens is the dot product of their vectors, w′ᵢⱼ "
    "= xᵢ · xⱼ. A softmax turns each row of scores into weights in [0, 1] that add up to 1. The "
    "output is a weighted average of all tokens: yᵢ = Σⱼ wᵢⱼ xⱼ."
)
SIMPLE_SELF: Final = N_(
    "But “{word}” scores {score} against itself and gives itself {weight} of its attention, so y "
    "is x again (largest difference: {change}): nothing was mixed."
)
SIMPLE_MIXED: Final = N_(
    "“{word}” scores {score} against itself and gives itself {weight} of its attention; y differs "
    "from x by up to {change}."
)
SIMPLE_TAMED: Final = N_(
    "Even with the scores divided by √d_model = {root}, it would keep {tamed} for itself."
)
SIMPLE_MISSING: Final = N_(
    "And “a looks at b” always scores as “b looks at a”. With learned matrices, what a token "
    "*looks for* and what it *is found by* can differ."
)

WORDS: Final = ("Thinking", "Machines")
TWO_TITLE: Final = N_("Two tokens by hand")
TWO: Final = N_(
    "“{a}” looks at itself and at “{b}”. Its query q has {d_k} numbers, and so has each key k. "
    "Multiply number by number and add up: {own} against its own key, {other} against the other "
    "one. Divided by √{d_k} = {root}, that is {x} and {y}."
)
HALF_ASK: Final = N_(
    "The scores of “{a}” are {x} and {y}. How much of its attention does it keep for itself?"
)
HALF_RIGHT: Final = N_(
    "Yes: only {x} − {y} = {gap} counts. e to the power of {gap} is {ratio}, so one weight is "
    "{ratio} times the other."
)
HALF_WRONG: Final = N_(
    "It is {share}: only {x} − {y} = {gap} counts. e to the power of {gap} is {ratio}, so one "
    "weight is {ratio} times the other."
)
TOTAL: Final = N_(
    "The softmax turns {x} and {y} into {own} and {other}. Multiply each value v by its weight and "
    "add up: z. (Of the {d_k} numbers of v, {drawn} are drawn.)"
)

MATRIX_TITLE: Final = N_("All tokens at once: Q, K and V")
MATRIX: Final = N_(
    "The model handles all {n} tokens in one go. One row per token: X has {n} × {d_model} numbers, "
    "W has {d_model} × {d_k}, so Q, K and V have {n} × {d_k}."
)
Z_TITLE: Final = N_("All tokens at once: Z")
MATRIX_SUM: Final = N_(
    "One product compares every query with every key: Q Kᵀ has {n} × {n} scores; a row looks, a "
    "column is looked at. Divide by √d_k and take the softmax of each row: a row adds up to 1, a "
    "column need not. One more product, with V, gives Z. In one formula: softmax(Q Kᵀ ÷ √d_k) V = "
    "Z. Row {row} of each is what you saw for “{word}”."
)

SCALE_TITLE: Final = N_("What if we did not divide by √d_k?")
SCALE: Final = N_("The same scores through the same softmax, with ÷ √{d_k} = {root} and without.")
SCALE_ASK: Final = N_(
    "The largest weight of “{word}” is {weight}. What becomes of it without the division by {root}?"
)
SCALE_GROWS: Final = N_("It grows")
SCALE_STAYS: Final = N_("It stays the same")
SCALE_SHRINKS: Final = N_("It shrinks")
SCALE_SAYS: Final = N_("Without the division it is {without}: larger gaps make a sharper softmax.")
SCALE_SAME: Final = N_("With a single token to look at, its weight is 1, divided or not.")
SCALE_WITH: Final = N_("with ÷ √d_k: the model")
SCALE_WITHOUT: Final = N_("without")
SCALE_NARROW: Final = N_(
    "With the division, “{word}” spreads its attention as widely as over {with_words} equal "
    "tokens; without it, over {without_words}."
)
SCALE_ONE: Final = N_("With a single token to look at, its weight is 1, divided or not.")

SCALE_WHY: Final = N_(
    "A score adds up d_k products, so its spread grows with √d_k: in this layer ± {before} "
    "(standard deviation), divided ± {after}. Weights near 0 or 1 hardly react when a score moves, "
    "so the gradient fades: that reaction, Σ w (1 − w), would be {without_answer}, not "
    "{with_answer}."
)
ALL_HEADS: Final = N_("largest weight, mean of the layer")
MEASURE: Final = N_("measure")
MOST: Final = N_("largest weight")
ENTROPY: Final = N_("entropy, bits")
WIDTH: Final = N_("as many tokens as 2^entropy")
ANSWER: Final = N_("reaction Σ w (1 − w)")

MYTH: Final = N_("The largest weight shows which token the result is made of.")
MYTH_TRUTH: Final = N_(
    "A weight is only one factor; the other is the value v that it multiplies. In layer {layer}, "
    "head {head}, “{word}” looks most at “{most}”: {weight}, which brings a vector of length "
    "{size}. But “{other}”, with {other_weight}, brings one of length {longest}. Attention shows "
    "where a head looks; by itself it does not explain the result."
)
MYTH_SAME: Final = N_(
    "A weight is only one factor; the other is the value v that it multiplies. In this layer, the "
    "largest weight of each row happens to bring the longest vector; with other values v, the same "
    "weights would bring others. Attention shows where a head looks; by itself it does not explain "
    "the result."
)

ASK: Final = N_(
    "So far you read rows: where a token looks. Now read a column of the weights: in layer "
    "{layer}, head {head}, which token gives “{word}” the largest weight?"
)
RIGHT: Final = N_("Yes: {word} gives “{looked_at}” a weight of {weight}, the most in that column.")
WRONG: Final = N_(
    "Not this one. Open “All tokens at once: Z”, find the column of “{looked_at}” in the weights "
    "and go down: each row is one token's answer."
)
REASON: Final = N_(
    "{word} gives “{looked_at}” a weight of {weight}, but another row of that column has more. You "
    "find the column at “All tokens at once: Z”."
)

CODE_SIMPLE: Final = N_("Without parameters")
CODE_QKV: Final = N_("Step 1: queries, keys and values")
CODE_ATTEND: Final = N_("Steps 2 to 6")
