"""Chapter 8: what the page says about attention between two sentences."""

from typing import Final

from app.i18n import N_

INTRO: Final = N_(
    "Each decoder layer has a second attention, and this one looks outside: at the source "
    "sentence. It works like self-attention, with one difference: the queries come from the words "
    "of the translation, the keys and values from the encoder's output, the memory."
)

MADE_TITLE: Final = N_("Queries from one sentence, keys and values from the other")
QUERIES: Final = N_(
    "Each of the {targets} words that the decoder has read asks a question: its vector times "
    "$W_Q$ is its query. One row a word."
)
KEYS: Final = N_(
    "The other two come from the other sentence. The memory has one row for each of the {sources} "
    "source words, as the encoder left it after its last layer; times $W_K$ it gives "
    "$K_{{encdec}}$ …"
)
VALUES: Final = N_("… and times $W_V$ it gives $V_{{encdec}}$.")
ONCE: Final = N_(
    "$K_{{encdec}}$ and $V_{{encdec}}$ do not depend on the translation at all. They are made "
    "once, before the first word is written, and stay the same for all {targets} time steps: only "
    "the query is new each time. Each layer has its own pair, made of the same memory with its "
    "own $W_K$ and $W_V$."
)


MAP_TITLE: Final = N_("Where each word looked")
MAP: Final = N_(
    "All queries at once: {targets} rows, {sources} columns. The map need not be square, and it "
    "has no diagonal of −∞: the whole source sentence is there from the start, so every word of "
    "it may be looked at."
)
MOST: Final = N_(
    "A row belongs to the word that the decoder has just read; it looks in order to write the "
    "*next* one. With “{read}” as the last word, about to write “{next}”, this head looks most at "
    "“{source}”: {weight}. Read from top to bottom, the word written first, then where this head "
    "looked for it:"
)
OTHERS: Final = N_("Other heads look elsewhere: choose another one, or another layer, and compare.")

BRIDGE_TITLE: Final = N_("Cut the bridge")
BRIDGE: Final = N_(
    "This attention is the only way from the source to the translation. So let us cut it: the "
    "same model reads the same words, but what encoder-decoder attention hands over is set to 0 "
    "in every layer. Now the decoder can only guess from its own words. The probability of "
    "“{most}” goes from {before} to {after}; on average over the translation, it goes from "
    "{mean} to {mean_cut}."
)

ASK: Final = N_(
    "Layer {layer}, head {head}, over the whole translation: which source word gets the "
    "most attention in all?"
)
RIGHT: Final = N_("Yes: the column of “{word}” adds up to {total}, of {rows} rows of 1 each.")
WRONG: Final = N_(
    "Not that one. Add up the columns of the map of weights: which one is the strongest on "
    "the whole?"
)
