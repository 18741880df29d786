"""What the page on the evolution of attention says; translated where it is shown."""

from collections.abc import Mapping
from typing import Final, Literal

from app.i18n import N_

INTRO: Final = N_(
    "In three years, attention went from a helper of recurrent networks to all that a translator "
    "needs."
)
NAMES: Final = {
    "rnn/es-en": N_("RNN"),
    "rnnsearch/es-en": N_("RNNsearch"),
    "es-en": N_("Transformer"),
}
YEARS: Final = {"rnn/es-en": "2014", "rnnsearch/es-en": "2015", "es-en": "2017"}
MISSING: Final = N_("Not in the folder “pretrained”, so not on this page: {names}.")

BESIDE_TITLE: Final = N_("The same sentence, three networks")
BESIDE: Final = N_(
    "All three learned from pairs of Tatoeba's sentences, with the same trainer; how much each has "
    "read stands below its translation."
)
SIZE: Final = N_(
    "{millions} M parameters, at most {tokens} M tokens read in training, BLEU {bleu} on sentences "
    "it never saw"
)
SIZE_ALONE: Final = N_("{millions} M parameters")
VECTOR: Final = N_(
    "The RNN looks nowhere: its decoder gets one vector, the encoder's last state, {size} numbers "
    "in which all your {n} tokens must find room."
)
WHERE_TITLE: Final = N_("Where the three look")
MAPS: Final = N_(
    "RNNsearch and the Transformer keep a vector for each source token and look at them before "
    "each token they write: a row for each token being written, a column for each source token."
)
HEAD_HELP: Final = N_(
    "RNNsearch has a single attention. The Transformer has one for each layer and head; to begin "
    "with, the one that aligns words best."
)
MAP: Final = N_("{name}: being written ↓, looked at →")

ROLES_TITLE: Final = N_("Query, key and value, then and now")
ROLES: Final = N_(
    "The names came in 2017, the parts were there before. RNNsearch: layers make queries and keys, "
    "a small network compares them, and the weights average unmodified annotations. Transformer: "
    "linear layers make queries, keys and values, and one matrix product compares."
)
MADE_TITLE: Final = N_("What makes them, in formulas")
NUMBERS: Final = N_(
    "One step of each. Key and value are those of the token that is looked at most; of each "
    "vector, the first {first} numbers are written out."
)
STEP_HELP: Final = N_("Which token of each translation is about to be written.")
STATE: Final = N_("s, the decoder's state before the token ({state} numbers)")
ANNOTATION: Final = N_("h, the annotation of the token ({memory} numbers)")
STREAM: Final = N_("x, the decoder's vector of the token just read ({memory} numbers)")
MEMORY: Final = N_("m, the memory's vector of the token ({memory} numbers)")

RANGE_TITLE: Final = N_("Scores from −∞ to ∞, weights from 0 to 1")
RANGE: Final = N_(
    "A score may be any number. The softmax raises e to each score and divides by their sum: the "
    "weights lie in [0, 1], and those of a row add up to 1. So a weight is a share, and a score is "
    "not."
)
RANGE_ENDS: Final = N_("{name}: scores from {low} to {high}, weights from {least} to {most}.")
RANGE_ASK: Final = N_("The lowest score of {name} at this step is {low}. Its weight is …")
RANGE_BELOW: Final = N_("below 0")
RANGE_ZERO: Final = N_("exactly 0")
RANGE_ABOVE: Final = N_("above 0")
RANGE_SAYS: Final = N_("It is {weight}. e to any power is positive: small, but never 0 or less.")
OF_SCORES: Final = N_("{name}: scores")
OF_WEIGHTS: Final = N_("{name}: weights")

LENGTH_TITLE: Final = N_("How long may a sentence be?")
LENGTH: Final = {
    "bleu": N_(
        "BLEU (100: a person's own translation) of {n} sentences, by their number of words."
    ),
    "chrf": N_(
        "chrF (100: a person's own translation), which forgives a wrong ending, of {n} sentences, "
        "by their number of words."
    ),
}
TESTS: Final = {
    "test": N_("held-out sentences"),
    "test_as_typed": N_("the same, as typed"),
    "everyday": N_("everyday sentences"),
}
LENGTH_ENDS: Final = N_("From the shortest sentences to the longest:")
LENGTH_EACH: Final = N_("**{name}**: {first} → {last}")
LENGTH_FEW: Final = N_("The last group has {n} sentences only, so its numbers are the least sure.")
EARLY: Final = N_("Transformer after {millions} M tokens")
LENGTH_EARLY: Final = N_(
    "“{name}” is the same training, stopped where it had read as many tokens as the two recurrent "
    "networks. Its learning rate had not fallen yet; theirs had."
)
NOT_MEASURED: Final = N_("None of these models has its scores by length in its folder.")
WORDS: Final = N_("{low}–{high} words ({n})")

ROW_TITLE: Final = N_("Steps that wait for one another")
ROW: Final = N_(
    "An RNN needs the state before to make the next, in training too. The Transformer handles all "
    "tokens at once and waits only from layer to layer. Your sentence has {n_src} tokens, its "
    "translation {n_tgt}."
)
ROW_ASK: Final = N_(
    "In training, an RNN takes {n} steps one after another for your sentence. How many does the "
    "Transformer take?"
)
ROW_SAYS: Final = N_("{n}: one a layer, however long the sentence.")
SPEED_TITLE: Final = N_("What the waiting costs: measure it")
MEASURE: Final = N_(
    "Each model is built once more, untrained, and trained on batches of {tokens} tokens: many "
    "short sentences or few long ones, made of your tokens. No other model changes."
)
START: Final = (N_("Measure"), N_("Time all models at all lengths, or until you stop it."))
LENGTH_AXIS: Final = N_("tokens in each sentence")
SPEED_AXIS: Final = N_("tokens per second")
MEASURED: Final = N_(
    "**{name}**: {short} tokens per second in sentences of {low} tokens, {long} in sentences of "
    "{high}: {ratio} % of that."
)
PARALLEL: Final = N_(
    "This is the time of one processor core, which computes little at once anyway. On a graphics "
    "processor, most of its thousands of arithmetic units would stand idle while a network waits."
)

BETTER_TITLE: Final = N_("Three advantages over recurrent networks")
BETTER: Final = N_("What the Transformer gained, with the numbers of these three models.")
FAST: Final = N_("**1. It computes in parallel.** Steps that wait for one another in training:")
FAST_SAYS: Final = N_("on your sentence, from the RNN to the Transformer")
FOCUS: Final = N_("**2. It attends to what matters now.** Weight of the favourite token:")
FOCUS_SAYS: Final = N_("on average, in the Transformer's sharpest head; the RNN has no weights")
FAR: Final = N_("**3. It joins what is far apart.** BLEU on the longest sentences:")
FAR_SAYS: Final = N_("{low} to {high} words, from the RNN to the Transformer")
FAR_KEPT: Final = N_(
    "From the shortest sentences to the longest, the RNN keeps {rnn} of its BLEU, the Transformer "
    "{transformer}: with attention, any two tokens are one step apart."
)
NO_NUMBER: Final = "–"

SIX_TITLE: Final = N_("Six attentions, one idea")
SIX: Final = N_(
    "All of them score, take the softmax, and mix. They differ in how they score (the first "
    "three), where queries and keys come from (the next two), and how many heads look (the last). "
    "S are the decoder's vectors, H the encoder's, one a row."
)
VECTORS_TITLE: Final = N_("The vectors that they are computed of: yours, if you like")
FORMULAS_TITLE: Final = N_("The formulas of all six")
VECTORS: Final = N_(
    "Vectors of {size} are enough to follow the numbers: the first {size} numbers of the "
    "embeddings of some of your tokens, and simple matrices. Change what you like: the six "
    "attentions follow."
)
FIELD_H: Final = N_("H, the encoder's vectors, one per line")
FIELD_S: Final = N_("S, the decoder's vectors, one per line")
FIELD_HELP: Final = N_("{size} numbers per line, with spaces between them, each from −10 to 10.")
BACK_HELP: Final = N_("Takes the vectors of your sentence and the first matrices again.")
BAD_COUNT: Final = N_(
    "{field}, line {line}: {size} numbers from −10 to 10 are needed, not “{given}”."
)
BAD_LINES: Final = N_("{field}: {wanted} lines are needed, not {given}.")
BAD_MOST: Final = N_("{field}: at most {most} lines fit here, and at least one is needed.")
INSTEAD: Final = N_("Until then, what stood there to begin with is used.")

Six = Literal["additive", "dot", "scaled", "self", "cross", "multi_head"]
SIX_NAMES: Final[Mapping[Six, str]] = {
    "additive": N_("Additive (2015)"),
    "dot": N_("Dot product (2015)"),
    "scaled": N_("Scaled dot product (2017)"),
    "self": N_("Self-attention"),
    "cross": N_("Cross-attention"),
    "multi_head": N_("Multi-head, 2 heads"),
}
SIX_TEXTS: Final = {
    "additive": N_(
        "A small network compares: add, tanh, and weigh with v. RNNsearch uses it. The sum of all "
        "|v| bounds its scores."
    ),
    "dot": N_(
        "No network at all: numbers that agree in sign push the score up. Nothing bounds it."
    ),
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

MYTH: Final = N_("“Attention came with the Transformer, in 2017.”")
TRUTH: Final = N_(
    "RNNsearch had it in 2015: {n} weights for your sentence, and each row adds up to 1. On the "
    "longest test sentences it takes BLEU from {rnn} to {search}. New in 2017 was to leave the "
    "recurrence out: {few} steps that wait, not {many}."
)
TRUTH_ALONE: Final = N_(
    "RNNsearch had it in 2015. New in 2017 was to leave the recurrence out: {few} steps that wait "
    "for one another in training, not {many}."
)

ASK: Final = N_(
    "The first query, “{word}”: which of the first three attentions gives its favourite the "
    "largest weight?"
)
RIGHT: Final = N_("Yes: additive {additive}, dot product {dot}, scaled {scaled}.")
REASON: Final = N_(
    "{name} gives its favourite {weight}, and another one gives more. Compare the first row of the "
    "weights of the three."
)

CODE_ADDITIVE: Final = N_("Additive attention")
CODE_SCALED: Final = N_("Scaled dot product, of one head or many")
CODE_SIX: Final = N_("The same modules on a few vectors")
CODE_SPEED: Final = N_("The measurement")
