"""What the page on RNNsearch says; translated where it is shown."""

from collections.abc import Mapping
from typing import Final

from app.i18n import N_

INTRO: Final = N_(
    "Bahdanau, Cho and Bengio (written in 2014, published in 2015) kept the two recurrent networks "
    "and tore down the bottleneck between them. The encoder keeps a vector for every word, and "
    "before each word that it writes, the decoder searches among them for those that matter now. "
    "They called it alignment. It was the first attention in translation; its parts were named "
    "query, key and value only later."
)

READ_TITLE: Final = N_("Read in both directions")
READ: Final = N_(
    "Two networks read your sentence: one from the first word to the last, the other from the last "
    "to the first. At each word, the first knows all that came before, the second all that comes "
    "after. {size} numbers each."
)
FORWARD: Final = N_("Forward, from left to right:")
BACKWARD: Final = N_("Backward, from right to left:")
ANNOTATION: Final = N_(
    "Side by side, the two states of a word are its *annotation* h: {both} numbers, what the "
    "sentence looks like from where this word stands. Here is that of “{word}”. All annotations "
    "are kept: {n} of them for your sentence, more for a longer one."
)

STEPS_TITLE: Final = N_("Align, step by step")
PICK: Final = N_("The word that is about to be written")
STEPS: Final = N_(
    "The decoder is about to write “{word}” and asks each word of the source: do you matter now? "
    "A small network with one hidden layer answers, and it was trained together with everything "
    "else. Click any number to see where it comes from."
)
TITLES: Final = (
    N_("1 · What the decoder knows: $W_a s$"),
    N_("2 · What each word offers: $U_a h$"),
    N_("3 · Add the two, and take the tanh"),
    N_("4 · One score for each word: $v_a$"),
    N_("5 · Softmax: scores become weights"),
    N_("6 · The context: Σ weight × annotation"),
)
QUERY: Final = N_(
    "s is the decoder's state, {size} numbers; this is the query. It knows all words written so "
    "far but the last, “{last}”, which is read only in the end, together with what is found now. A "
    "learned matrix turns s into {d_model} numbers."
)
QUERY_FIRST: Final = N_(
    "Nothing is written yet. The decoder's first state s, {size} numbers, is made of what the "
    "backward network knows at the first word; this is the query. A learned matrix turns it into "
    "{d_model} numbers."
)
KEYS: Final = N_(
    "Another matrix does the same with every annotation: {n} rows of {d_model} numbers, the keys. "
    "They do not depend on what is written, so they are made only once for the whole translation."
)
MATCH: Final = N_(
    "The two are added number by number, here for “{word}”, and the tanh squeezes each sum between "
    "−1 and 1. This is why this attention is called *additive*; the Transformer multiplies instead."
)
SCORE: Final = N_(
    "The last vector, $v_a$, says how much each of the {d_model} numbers counts. Multiply and add "
    "up: one score a word. “{high}” has the highest, {high_score}."
)
SCORE_LOW: Final = N_("“{low}” has the lowest, {low_score}.")
VALUES: Final = N_("The values v are the annotations h themselves.")
SUM: Final = N_(
    "Adding the rows up gives the context c for “{word}”: {parts}. The decoder's next state is "
    "made of this context, the state before and the word just written."
)

MAP_TITLE: Final = N_("The whole alignment")
MAP: Final = N_(
    "All weights of all steps are the picture that made this paper famous. Nobody told the model "
    "which words belong together: it found out because it helps to translate. The widgets are "
    "those that draw the Transformer's attention; a row here is made before its word is read, and "
    "serves to write the word after it."
)

BESIDE_TITLE: Final = N_("With and without a search")
BESIDE: Final = N_(
    "The same sentence, by the RNN with a single vector between its halves and by RNNsearch, both "
    "trained on the same pairs:"
)
ALONE: Final = N_("The model without a search is missing here: {name}.")
NAMES: Final[Mapping[str, str]] = {"rnn": N_("RNN, one vector"), "rnnsearch": N_("RNNsearch")}
SCORES: Final = N_("On the {n} longest test sentences, {low} to {high} words: BLEU {bleu}.")
NEXT: Final = N_(
    "One thing is left of the old networks: every state still has to wait for the one before it. "
    "The Transformer drops that, too. Nothing is left but attention, and all words of a sentence "
    "are read at once."
)

ASK: Final = N_("Which source word does the decoder look at most when it writes “{word}” ({n})?")
RIGHT: Final = N_("Yes: “{word}” gets {weight} of the attention.")
WRONG: Final = N_(
    "Not that one. Choose “{word}” above, under “Align, step by step”: which row of step 5 has "
    "the largest weight?"
)
