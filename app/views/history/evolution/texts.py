"""What the page on the evolution of attention says; translated where it is shown."""

from typing import Final

from app.i18n import N_

INTRO: Final = N_(
    "In three years, attention went from a helper of recurrent networks to all that is needed. "
    "Here the three stages stand side by side: a plain RNN (2014), RNNsearch (2015) and the "
    "Transformer (2017). They learned from the same pairs of sentences, with the same vocabulary "
    "and the same trainer, though the Transformer for longer, and they translate the "
    "same sentence: yours."
)
NAMES: Final = {
    "rnn/es-en": N_("RNN"),
    "rnnsearch/es-en": N_("RNNsearch"),
    "es-en": N_("Transformer"),
}
YEARS: Final = {"rnn/es-en": "2014", "rnnsearch/es-en": "2015", "es-en": "2017"}
MISSING: Final = N_("Not in the folder “pretrained”, so not on this page: {names}.")

WHERE_TITLE: Final = N_("Where each of them looks")
BESIDE_TITLE: Final = N_("The same sentence, three networks")
SIZE: Final = N_(
    "{millions} M parameters, at most {tokens} M tokens read in training, BLEU {bleu} on sentences "
    "it never saw"
)
SIZE_ALONE: Final = N_("{millions} M parameters")
VECTOR: Final = N_(
    "The RNN has no attention, so there is no map to draw. What it has instead is one vector: the "
    "encoder's last state, {size} numbers. Whatever your {n} tokens say must be in it."
)
MAPS: Final = N_(
    "The other two keep a vector for each source token and look again before each word. A row of "
    "the maps is a word being written, a column is a source token that is looked at."
)
HEAD_HELP: Final = N_(
    "RNNsearch has a single attention. The Transformer has one for each layer and head; to begin "
    "with, the one that looks most at single words."
)
CELL: Final = N_("writing “{query}”, it looks at “{key}”: {weight}")

ROLES_TITLE: Final = N_("Query, key and value in each")
ROLES: Final = N_(
    "The words came in 2017, the things were there before: a **query** asks, each **key** says how "
    "well it answers, and its **value** is what is passed on. Here they are with the numbers of "
    "your sentence, at the step you choose; key and value are those of the token that is looked at "
    "most."
)
STEP_HELP: Final = N_("Which token of each translation is about to be written.")
STATE: Final = N_("s, the decoder's state before the word ({state} numbers)")
ANNOTATION: Final = N_("h, the annotation of the token ({memory} numbers)")
STREAM: Final = N_("x, the decoder's vector of the word just read ({memory} numbers)")
MEMORY: Final = N_("m, the memory's vector of the token ({memory} numbers)")

LENGTH_TITLE: Final = N_("How long may a sentence be?")
LENGTH: Final = {
    "bleu": N_(
        "BLEU counts the runs of one to four words that a translation shares with a person's: 100 "
        "is the same translation, close to 0 shares no run of four. It is measured on {n} "
        "sentences, in groups by their number of words."
    ),
    "chrf": N_(
        "chrF counts the runs of one to six letters that a translation shares with a person's, so "
        "it forgives an ending: 100 is the same translation. It is measured on {n} sentences, in "
        "groups by their number of words."
    ),
}
TESTS: Final = {
    "test": N_("held-out sentences"),
    "test_as_typed": N_("the same, as typed"),
    "everyday": N_("everyday sentences"),
}
LENGTH_EACH: Final = N_("**{name}**: {first} on the shortest sentences, {last} on the longest.")
LENGTH_FEW: Final = N_("The last group has {n} sentences only, so its numbers are the least sure.")
NOT_MEASURED: Final = N_("None of these models has its scores by length in its folder.")
WORDS: Final = N_("{low}–{high} words ({n})")

SPEED_TITLE: Final = N_("Waiting for one another")
SPEED: Final = N_(
    "A recurrent network needs the state before to make the next: its steps wait for one another, "
    "in training too. The Transformer makes all words of a sentence at once and waits only from "
    "layer to layer. Your sentence has {n_src} tokens and its translation {n_tgt}:"
)
MEASURE: Final = N_(
    "What does the waiting cost? Measure it on this machine. Each model is built anew, untrained, "
    "and trained on batches of {tokens} tokens, forward and backward: many short sentences or few "
    "long ones, made of the tokens of yours. Nothing that you see elsewhere changes."
)
START: Final = (N_("Measure"), N_("Time all models at all lengths, or until you stop it."))
LENGTH_AXIS: Final = N_("tokens in each sentence")
SPEED_AXIS: Final = N_("tokens per second")
MEASURED: Final = N_(
    "**{name}**: {short} tokens per second in sentences of {low} tokens, {long} in sentences of "
    "{high}, a share of {ratio} %."
)
PARALLEL: Final = N_(
    "Counted is the time of one processor core, which computes little at once anyway. On a "
    "graphics processor, with its thousands of arithmetic units, those of a waiting network stand "
    "idle."
)

SIX_TITLE: Final = N_("Six attentions, one idea")
SIX: Final = N_(
    "All of them score, take the softmax, and mix. What differs is how the score is made (the "
    "first three), where queries and keys come from (the next two), and how many look at once (the "
    "last one). S are the decoder's vectors, H the encoder's, one a row."
)
VECTORS: Final = N_(
    "To follow the numbers, vectors of {size} are enough. These are the first {size} numbers of "
    "the embeddings of some of your words; the matrices are simple ones to begin with. Change "
    "whatever you like: all six are computed anew."
)
FIELD_H: Final = N_("H, the encoder's vectors, one a line")
FIELD_S: Final = N_("S, the decoder's vectors, one a line")
FIELD_HELP: Final = N_("{size} numbers a line, with blanks between them, each from −10 to 10.")
BACK_HELP: Final = N_("Takes the vectors of your sentence and the first matrices again.")
BAD_COUNT: Final = N_(
    "{field}, line {line}: {size} numbers from −10 to 10 are needed, not “{given}”."
)
BAD_LINES: Final = N_("{field}: {wanted} lines are needed, not {given}.")
BAD_MOST: Final = N_("{field}: at most {most} lines fit here, and at least one is needed.")
INSTEAD: Final = N_("Until then, what stood there to begin with is used.")

SIX_NAMES: Final = {
    "additive": N_("Additive (2015)"),
    "dot": N_("Dot product (2015)"),
    "scaled": N_("Scaled dot product (2017)"),
    "self": N_("Self-attention"),
    "cross": N_("Cross-attention"),
    "multi_head": N_("Multi-head, 2 heads"),
}
SIX_TEXTS: Final = {
    "additive": N_("A small network compares: add, tanh, and weigh with v. RNNsearch uses it."),
    "dot": N_("No network at all: numbers that agree in sign push the score up."),
    "scaled": N_("The same, divided by √{size} before the softmax, so that it stays softer."),
    "self": N_("A sentence looks at itself: queries, keys and values are all made of H."),
    "cross": N_("One sentence looks at the other: queries of S, keys and values of H."),
    "multi_head": N_(
        "Cross-attention twice, each time with half of the numbers; W_O mixes what they found."
    ),
}
SHARP: Final = N_(
    "For “{word}”, the last query, the largest weight is {additive} with additive attention, {dot} "
    "with the dot product and {scaled} with the scaled one."
)

ASK: Final = N_(
    "The first query, “{word}”: which of the first three attentions gives its favourite the "
    "largest weight?"
)
RIGHT: Final = N_("Yes: additive {additive}, dot product {dot}, scaled {scaled}.")
WRONG: Final = N_(
    "Not that one. Look at the first row of the weights in the first three attentions: additive "
    "{additive}, dot product {dot}, scaled {scaled}."
)
