"""Chapter 8: what the page says about attention between two sentences."""

from typing import Final

from app.i18n import N_

INTRO: Final = N_(
    "Each decoder layer has a second attention, which looks outside: at the source sentence. It "
    "works like self-attention, with one difference: queries come from one sentence, keys and "
    "values from the other."
)

MADE_TITLE: Final = N_("Queries from the translation, keys and values from the source")
MADE: Final = N_(
    "Each of the {targets} tokens that the decoder has read asks a question: its vector times "
    "$W_Q$ is its query. The memory, one row for each of the {sources} source tokens, answers: "
    "times $W_K$ it gives the keys, times $W_V$ the values. Neither depends on the translation, so "
    "each layer makes its pair once and keeps it for all time steps; only the query is new each "
    "time."
)
STEPS_TITLE: Final = N_("The same steps as in self-attention")
STEPS: Final = N_(
    "The query of “{word}” meets the key of every source token, ÷ √d_k, softmax; the weights then "
    "mix the values of the source. What comes over, z, is {parts}."
)
STEPS_LINK: Final = N_("These steps one by one, in self-attention")

MAP_TITLE: Final = N_("Who looked at what")
MAP: Final = N_(
    "{targets} queries look at {sources} keys. No mask: the whole source is there from the start. "
    "A row is named “after … → …”: the decoder has just read the first token and writes the second "
    "next."
)
MOST: Final = N_(
    "Having read “{read}” and about to write “{next}”, the decoder looks most at “{source}” with "
    "this head: {weight}. Each bar shows a token that was written and where this head looked for "
    "it. Other heads and layers look elsewhere."
)

BRIDGE_TITLE: Final = N_("Cut the bridge")
BRIDGE: Final = N_(
    "Set to 0 what this attention hands over, in every layer: the decoder can only guess from its "
    "own tokens. The probability of “{most}” goes from {before} to {after}; the mean over the "
    "translation from {mean} to {mean_cut}."
)
BRIDGE_ASK: Final = N_(
    "On average, the model gives its next token a probability of {mean}. What is left if nothing "
    "comes over from the source?"
)
BRIDGE_SAYS: Final = N_(
    "It falls to {mean_cut}: this attention is the only way from the source to the translation."
)
BRIDGE_RISES: Final = N_(
    "It is {mean_cut}: this attention is the only way from the source to the translation, but this "
    "model hardly uses it."
)
MORE: Final = N_("More than half of it")
LESS: Final = N_("Less than half of it")

MYTH: Final = N_("The row of a token shows where the model looked to write that token.")
MYTH_TRUTH: Final = N_(
    "A row belongs to the token that was just read; it serves to write the *next* one. The row of "
    "“{read}” looks most at “{source}”, {weight}, in order to write “{next}”. “{read}” itself was "
    "written from the row before, which looks most at “{before}”, {weight_before}."
)
MYTH_FIRST: Final = N_(
    "A row belongs to the token that was just read; it serves to write the *next* one. The row of "
    "“{read}” looks most at “{source}”, {weight}, in order to write “{next}”."
)

ASK: Final = N_(
    "Layer {layer}, head {head}, over the whole translation: which source token gets the most "
    "attention in all?"
)
RIGHT: Final = N_("Yes: the column of “{word}” adds up to {total}, of {rows} rows of 1 each.")
WRONG: Final = N_(
    "Not that one. Open “Who looked at what” and add up the columns: which one is the strongest?"
)
REASON: Final = N_(
    "The column of “{word}” adds up to {total}; another one has more. Open “Who looked at what” "
    "and compare the columns."
)
