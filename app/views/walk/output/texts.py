"""What chapter 10 says: from the decoder's last vector to a token."""

from typing import Final

from app.i18n import N_

INTRO: Final = N_(
    "The decoder ends with a vector, and we want a token. Two blocks are left: the final linear "
    "layer scores every token of the vocabulary, and the softmax turns the scores into "
    "probabilities."
)

STEPS: Final = N_("Which token is being written?")
WHICH: Final = N_("Whose column?")
VECTOR: Final = N_(
    "At step {n} the decoder has read {word}: all layers have turned its vector into these "
    "{d_model} numbers."
)
VECTOR_NORMED: Final = N_(
    "At step {n} the decoder has read {word}: all layers and one last normalisation have turned "
    "its vector into these {d_model} numbers."
)

LINEAR_TITLE: Final = N_("One column, one logit")
LINEAR: Final = N_(
    "The final linear layer is a matrix of {d_model} rows and {size} columns, one for each token. "
    "Multiply x by the column of {word}, number by number, and add up: {sum}. With the bias "
    "{bias}, the *logit* is {logit}. Positive products (blue) speak for {word}, negative ones "
    "(red) against it."
)

TIED_TITLE: Final = N_("Where the columns come from")
TIED: Final = N_(
    "This model learned no matrix of its own for this: the two matrices are *tied*. The column of "
    "{word} is its row of the embedding table, number for number. So the final layer compares x "
    "with the embedding of every token, by a dot product."
)

LIKELIEST_TITLE: Final = N_("All logits, and the highest")
LIKELIEST: Final = N_(
    "Each of the {size} tokens gets a logit: any number in (−∞, ∞). Here are the highest. On its "
    "own a logit means little; only the gaps between logits count. {first} leads {second} by "
    "{gap}."
)
HISTOGRAM: Final = N_(
    "All {size} logits, by size; the count is logarithmic, so that a single token is seen. Half of "
    "them lie below {median}. {word} has {logit}; others with more: {above}."
)
HIGHEST: Final = N_(
    "All {size} logits, by size; the count is logarithmic, so that a single token is seen. Half of "
    "them lie below {median}. {word} has {logit}, more than any other."
)

SOFTMAX_TITLE: Final = N_("From logits to probabilities")
SOFTMAX: Final = N_(
    "Raise e to the power of every logit: all numbers become positive, and differences become "
    "ratios. Divide by their sum over the whole vocabulary: now they add up to 1. (The largest "
    "logit is subtracted first, which cancels in the division.)"
)
TAIL: Final = N_("The other {n} tokens share {p}.")

TEMPERATURE_TITLE: Final = N_("Temperature")
TEMPERATURE: Final = N_(
    "The logits can be divided by a *temperature* T: below 1 their gaps grow, above 1 they shrink. "
    "The order stays, so greedy decoding does not notice. Move T and watch."
)
TEMPERATURE_ASK: Final = N_(
    "All logits are halved (T = 2). What becomes of the probability of the likeliest token?"
)
GROWS: Final = N_("It rises")
STAYS: Final = N_("It does not change")
SHRINKS: Final = N_("It falls")
TEMPERATURE_SAYS: Final = N_(
    "At T = 2, “{word}” has {p}, not {q}: smaller gaps, more equal shares."
)

NUMBERS_TITLE: Final = N_("The softmax, number by number")
NUMBERS: Final = N_(
    "The same for {word} alone, with its own numbers. The sum that it is divided by runs over all "
    "{size} tokens, not only over those that have a bar."
)

CHOICE_TITLE: Final = N_("Choosing the token")
CHOICE: Final = N_(
    "Greedy decoding takes the likeliest token; beam search follows several. Sampling draws one by "
    "chance: *top-k* keeps the k likeliest, *top-p* the fewest that reach p together, and what is "
    "left is divided by its sum again. Now {kept} of {size} tokens can be drawn; {word} was "
    "written."
)
SETTINGS_IN_SIDEBAR: Final = N_(
    "You decode by sampling now, so these settings shape the translation itself: they are in the "
    "sidebar, under “Decoding”."
)

LENS_TITLE: Final = N_("What each layer would already have said")
LENS: Final = N_(
    "Every decoder layer leaves a vector of the same length, so an earlier one can go straight to "
    "the final layer and the softmax. The model was never trained to speak this early: do not take "
    "the lower rows for its opinion."
)
LENS_SHARES: Final = N_("Layer by layer, {word} has {list}.")
LENS_ASK: Final = N_("At which layer is “{word}”, the likeliest token at the end, first in front?")
LENS_SAYS: Final = N_("It is in front for the first time at {layer}, with {p}.")

MYTH: Final = N_(
    "Softmax gives the probability of being right, and a higher temperature makes the model "
    "creative."
)
MYTH_TRUTH: Final = N_(
    "Softmax only divides 1 among the {size} tokens. Divide the logits by T = 2, and “{word}” "
    "falls from {p} to {flat}; by T = 0.5, and it rises to {sharp}: whether it is right has not "
    "changed. Nor does a temperature bring ideas. The order of the tokens stays the same, and "
    "sampling only reaches further down: the {n} tokens after the first {top} share {rest} at "
    "T = 1, and {more} at T = 2."
)

TASK: Final = N_(
    "At T = 1, the two likeliest tokens here are “{first}” and “{second}”. Their logits are "
    "{difference} apart. How many times as likely is the first?"
)
TIMES: Final = N_("{x} times")
RIGHT: Final = N_(
    "Yes: e^{difference} = {ratio}. The sum over the vocabulary is the same for both and cancels, "
    "so a difference of logits is a ratio of probabilities: {p} and {q}."
)
REASON: Final = N_("{x} is the difference of the logits itself; the softmax raises e to it.")
REASON_TWICE: Final = N_("{x} is twice the difference; the softmax raises e to each logit.")
REASON_SQUARE: Final = N_("{x} is the difference squared; the softmax raises e to each logit.")
