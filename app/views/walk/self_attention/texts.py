"""What the chapter on self-attention says."""

from typing import Final

from app.i18n import N_

INTRO: Final = N_(
    "A word alone says little: what *it* means depends on the words around it. Self-attention lets "
    "every word look at all words of its own sentence, itself included, and take over what it "
    "finds. Choose a word and follow it."
)

SIMPLE_TITLE: Final = N_("First without parameters")
SIMPLE: Final = N_(
    "Take the words' vectors x (embedding plus position) as they are. How alike are two words? "
    "Multiply their vectors number by number and add up: w′ᵢⱼ = xᵢ · xⱼ. Each row of scores "
    "becomes weights by a softmax."
)
SIMPLE_SCORES: Final = N_(
    "“{word}” scores {own} against itself; the next best is “{other}” with {next}."
)
SIMPLE_ALONE: Final = N_("“{word}” scores {own} against itself, and there is no other word.")
SIMPLE_MIX: Final = N_(
    "Then every x is multiplied by its weight, and they are added up: yᵢ = Σⱼ wᵢⱼ xⱼ."
)
SIMPLE_SELF: Final = N_(
    "But look: “{word}” gives {weight} of its attention to itself, so y is x again (the largest "
    "difference is {change}). A vector is most like itself, and these are long: nothing was mixed."
)
SIMPLE_MIXED: Final = N_(
    "“{word}” gives {weight} of its attention to itself; y differs from x by up to {change}."
)
SIMPLE_TAMED: Final = N_(
    "Even with the scores divided by √d_model = {root}, it would keep {tamed} for itself."
)
SIMPLE_MISSING: Final = N_(
    "Nothing here is learned: likeness alone decides, and “a looks at b” scores exactly as “b "
    "looks at a”. The learned matrices below make *looking for* and *being found* two things."
)

STEPS_TITLE: Final = N_("The real one, in six steps")
STEPS: Final = N_(
    "Layer {layer} of the encoder, head {head}, and “{word}” looks. Every cell is a number of the "
    "model: click one to see how it came to be."
)

MATRIX_TITLE: Final = N_("All words at once: matrices")
MATRIX: Final = N_(
    "A computer does all {n} words in one go. Put their vectors below each other, one row a word: "
    "X has {n} × {d_model} numbers, W has {d_model} × {d_k}, so Q, K and V have {n} × {d_k}."
)
MATRIX_SCORES: Final = N_(
    "Every query with every key in one product: Q Kᵀ has {n} × {n} scores. A row looks, a column "
    "is looked at: row {row} is the column of scores of “{word}” in step 2, lying down."
)
MATRIX_SUM: Final = N_(
    "Divide by √d_k, take the softmax of each row, and one more product does steps 5 and 6 for all "
    "words: softmax(Q Kᵀ ÷ √d_k) V = Z. Row {row} of Z is the z of “{word}” in step 6."
)

SCALE_TITLE: Final = N_("What the division by √d_k is for")
SCALE: Final = N_(
    "The same scores of “{word}”, through the same softmax, with and without dividing by "
    "√{d_k} = {root}. (The model was trained with it; only this one row is changed here.)"
)
SCALE_WITH: Final = N_("with ÷ √d_k: the model")
SCALE_WITHOUT: Final = N_("without")
SCALE_NARROW: Final = N_(
    "Without it, the largest weight goes from {with_most} to {without_most}. With it, “{word}” "
    "spreads its attention as widely as over {with_words} equal words; without, over "
    "{without_words}. Training would suffer, too: the nearer weights are to 1 and 0, the less they "
    "answer when a score moves a little, and the less there is to learn from. That answer, "
    "Σ w (1 − w), is {without_answer} in place of {with_answer}."
)
SCALE_ONE: Final = N_("With a single word to look at, its weight is 1, divided or not.")
SCALE_WHY: Final = N_(
    "Why √d_k? A score adds up d_k products of numbers that spread around 0: the spread of such a "
    "sum grows with √d_k. In this layer the scores spread by ± {before} (standard deviation); "
    "divided, by ± {after}. Over all words and heads of the layer, the largest weight is "
    "{with_mean} on average; without the division it would be {without_mean}."
)
MEASURE: Final = N_("measure")
MOST: Final = N_("largest weight")
ENTROPY: Final = N_("entropy, bits")
WIDTH: Final = N_("as many words as 2^entropy")
ANSWER: Final = N_("answer Σ w (1 − w)")

ASK: Final = N_(
    "So far you read rows: where a word looks. Now read a column of the weights: in layer {layer}, "
    "head {head}, which word gives “{word}” the largest weight?"
)
RIGHT: Final = N_("Yes: {word} gives “{looked_at}” a weight of {weight}, the most in that column.")
WRONG: Final = N_(
    "Not this one. Take the grid of weights above, go to the column of “{looked_at}” and down: "
    "each row there is one word's answer."
)

CODE_SIMPLE: Final = N_("Without parameters")
CODE_QKV: Final = N_("Step 1: queries, keys and values")
CODE_ATTEND: Final = N_("Steps 2 to 6")
