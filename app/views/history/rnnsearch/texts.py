"""What the page on RNNsearch says; translated where it is shown."""

from typing import Final

from app.i18n import N_

INTRO: Final = N_(
    "Bahdanau, Cho and Bengio (preprint 2014, published 2015) kept both recurrent networks and "
    "removed the bottleneck between them: before each token, the decoder searches the whole source."
)

READ_TITLE: Final = N_("Two cells read; one annotation for each token")
READ: Final = N_(
    "One cell reads forwards, as in the RNN, another one backwards. The state at a token, {size} "
    "numbers, knows all that came before, or all that comes after."
)
NOTE: Final = N_(
    "Side by side, the two are its *annotation* h: {both} numbers. All {n} annotations of your "
    "sentence are kept, so a longer sentence gets more room: no bottleneck."
)

PICK: Final = N_("The token that is about to be written")
QUERY_TITLE: Final = N_("Step 1: the decoder asks, each token answers")
QUERY: Final = N_(
    "Before it writes “{word}”, the decoder asks which source tokens matter now. The question is "
    "its state s, {size} numbers, which knows all that was written before “{last}”. A learned "
    "matrix makes {d_model} numbers of it: the query."
)
QUERY_FIRST: Final = N_(
    "Before it writes “{word}”, its first token, the decoder asks which source tokens matter now. "
    "Its first state s, {size} numbers, comes from the backward cell. A learned matrix makes "
    "{d_model} numbers of it: the query."
)
KEYS: Final = N_(
    "Another matrix makes a key of each annotation: {n} rows of {d_model} numbers. Keys do not "
    "depend on what is written, so they are made once for the whole translation."
)
MATCH: Final = N_(
    "The query is added to each key, and the tanh squeezes each sum between −1 and 1. Hence the "
    "name *additive* attention; the Transformer multiplies instead."
)
SCORE_TITLE: Final = N_("Step 2: one score for each token")
SCORE: Final = N_(
    "A last learned vector, $v_a$, turns these {d_model} numbers into a single score: multiply and "
    "add up. No score can exceed ± {bound} here, the sum of all |$v_a$|; a dot product has no such "
    "limit."
)
SCORE_HIGH: Final = N_("“{high}” has the highest score, {high_score}.")
SCORE_ASK: Final = N_("The decoder is about to write “{word}”. Which token scores highest?")
SCORE_SAYS: Final = N_("“{high}”, with a score of {high_score}.")
SUM_TITLE: Final = N_("Step 3: softmax, and the weighted sum: the context")
SUM: Final = N_(
    "The values v are the annotations themselves. Multiply each by its weight, and add up: that is "
    "the context c for “{word}”: {parts}."
)
STATE_TITLE: Final = N_("Step 4: from the context to the next token")
STATE: Final = N_(
    "The decoder's GRU reads the token just written, “{last}”, and the context c, and makes a new "
    "state of the old one. State, context and token together choose “{word}”, with a probability "
    "of {p}."
)

MAP_TITLE: Final = N_("The whole alignment")
MAP: Final = N_(
    "One row for each token written, one column for each source token: the picture that made this "
    "paper famous. Nobody told the model which words belong together. It found out because that "
    "helps to translate."
)

LINES: Final = N_(
    "The same weights as lines. On the left are the source tokens; on the right, the steps of the "
    "decoder: the token it has just read → the one it writes next. The wider a line, the larger "
    "its weight. Choose a token to see only its lines."
)
MORE: Final = N_("Pin a cell, merge tokens into words, hide special tokens")

MYTH: Final = N_("“The largest weight shows which word is being translated.”")
TRUTH: Final = N_(
    "Often, but nobody asked for it: the weights were trained to make good translations, not to "
    "align words. When “{word}” is written, no token gets more than {weight} (“{most}”). In {few} "
    "of {n} rows of your sentence, no token gets more than half: the context is a mixture."
)
TRUTH_SURE: Final = N_(
    "Often, but nobody asked for it: the weights were trained to make good translations, not to "
    "align words. Each row of your sentence has a clear favourite, yet even so the context is a "
    "mixture: when “{word}” is written, “{most}” gets {weight}, and the other tokens share {rest}."
)

ASK: Final = N_("Which source token does the decoder look at most when it writes “{word}” ({n})?")
RIGHT: Final = N_("Yes: “{word}” gets {weight} of the attention.")
REASON: Final = N_(
    "“{other}” gets {weight}, and another token gets more. Open “The whole alignment” and look "
    "along the row of “{word}”."
)

CODE_READ: Final = N_("Read in both directions")
CODE_ALIGN: Final = N_("The alignment network: additive attention")
CODE_STEP: Final = N_("The decoder's step: align, then go on")
