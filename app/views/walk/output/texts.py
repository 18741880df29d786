"""What chapter 10 says: from the decoder's last vector to a word."""

from typing import Final

from app.i18n import N_

INTRO: Final = N_(
    "The decoder ends with a vector of numbers, and we want a word. Two blocks are left. The final "
    "linear layer gives every piece of the vocabulary a score, its logit. Softmax turns the scores "
    "into probabilities. Then a piece can be chosen."
)

STEPS: Final = N_("Which piece is being written?")
VECTOR_TITLE: Final = N_("The vector")
VECTOR: Final = N_(
    "At step {n} the decoder has read {word}. Through all its layers, that piece's vector has "
    "become the {d_model} numbers below: all that the model knows about the next piece."
)
VECTOR_NORMED: Final = N_(
    "At step {n} the decoder has read {word}. Through all its layers and one last normalisation, "
    "that piece's vector has become the {d_model} numbers below: all that the model knows about "
    "the next piece."
)

LINEAR_TITLE: Final = N_("Its product with the vocabulary matrix")
LINEAR: Final = N_(
    "The matrix of the final linear layer has {d_model} rows and {size} columns, one for each "
    "piece of the vocabulary. Multiply the vector by a column, number by number, add everything "
    "up, add the piece's bias: that is its logit."
)
TIED: Final = N_(
    "This model learned no matrix of its own for it. The column of a piece is its row of the "
    "embedding table: the vector is compared with the embedding of every piece."
)
WHICH: Final = N_("Whose column?")
PRODUCTS: Final = N_(
    "The {d_model} products for {word} add up to {sum}; with its bias of {bias}, its logit is "
    "{logit}. Positive products (blue) speak for it, negative ones (red) against."
)
ROW: Final = N_(
    "So every piece gets a logit. These are the likeliest; below are all {size}, counted by size."
)
HISTOGRAM: Final = N_(
    "Half of all pieces lie below {median}. {word} has {logit}; others with more: {above}."
)
HIGHEST: Final = N_(
    "Half of all pieces lie below {median}. {word} has {logit}, more than any other."
)

SOFTMAX_TITLE: Final = N_("From logits to probabilities")
SOFTMAX: Final = N_(
    "Divide by the temperature T. Raise e to it: every number becomes positive, and differences "
    "become ratios. Divide by the sum over the whole vocabulary: now all of them add up to 1. "
    "(The largest is subtracted first, which keeps the numbers small and cancels in the division.)"
)
PLUGGED: Final = N_("For {word}:")
TAIL: Final = N_(
    "The other {n} pieces together have {p}. Each of them is next to nothing, but they are in the "
    "sum, and none is left out."
)

CHOICE_TITLE: Final = N_("Choosing the piece")
CHOICE: Final = N_(
    "Greedy decoding and the beam use the probabilities at T = 1 as they are. Sampling draws a "
    "piece by chance, and the three settings say from what. Move them and watch the bars. A low "
    "temperature makes the likely pieces likelier, a high one makes all more alike. Top-k keeps "
    "the k likeliest. Top-p keeps the fewest that together reach p. What is left is divided by its "
    "sum again."
)
SETTINGS_IN_SIDEBAR: Final = N_(
    "You decode by sampling now, so these settings shape the translation itself: they are in the "
    "sidebar, under “Decoding”."
)
KEPT: Final = N_("With these settings, {kept} of {size} pieces can be drawn.")
WRITTEN: Final = N_("Written at this step: {word}.")

LENS_TITLE: Final = N_("What each layer would already have said")
LENS: Final = N_(
    "Every decoder layer leaves a vector of the same length. So nothing keeps us from sending an "
    "earlier one straight to the end: the last normalisation, if there is one, then the same "
    "matrix and the same softmax. It shows at which layer the answer appears. The model was never "
    "trained to speak this early, so do not take the lower rows for its opinion."
)
LENS_SHARES: Final = N_("Layer by layer, {word} has {list}.")

TASK: Final = N_(
    "At T = 1, the two likeliest pieces here are “{first}” and “{second}”. Their logits are "
    "{difference} apart. How many times as likely is the first?"
)
TIMES: Final = N_("{x} times")
RIGHT: Final = N_(
    "Yes: e^{difference} = {ratio}. The sum over the vocabulary is the same for both and cancels, "
    "so a difference of logits is a ratio of probabilities: {p} and {q}."
)
WRONG: Final = N_(
    "Not that. Softmax raises e to each logit: what does e to the one, divided by e to the other, "
    "come to? Set T to 1 and compare the two bars."
)
