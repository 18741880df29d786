"""What chapter 9 says: the decoder at work, one piece at a time."""

from typing import Final

from app.i18n import N_

INTRO: Final = N_(
    "You have met every part. Now watch them work: the encoder reads the sentence once, then the "
    "decoder writes one piece at a time, and reads what it has written before it writes the next. "
    "Press play, move the slider, or use the arrow keys ← and →."
)

ENCODER: Final = N_("{n} × encoder layer")
DECODER: Final = N_("{n} × decoder layer")
WORKS_ONCE: Final = N_("works now, for the only time")
WORKED: Final = N_("has done its work")
WAITS: Final = N_("waits for the memory")
WORKS: Final = N_("step {n}")
MEMORY: Final = N_("memory")
KEYS_VALUES: Final = N_("K, V")
NOT_YET: Final = N_("nothing yet")

ENCODE_TITLE: Final = N_("Time 0: the encoder reads the sentence")
ENCODE: Final = N_(
    "The encoder takes in all {n} pieces at once and leaves one vector of {d_model} numbers for "
    "each: the memory. From it, every decoder layer makes its keys K and values V, once. Whatever "
    "the decoder writes later, these numbers stay as they are."
)
ENCODE_HEAD: Final = N_("Shown: K and V of decoder layer 1, head {head}.")

STEP_TITLE: Final = N_("Step {n}: what goes in")
FIRST: Final = N_(
    "Nothing is written yet. The decoder reads only {word}, the sign that a sentence begins."
)
NEXT: Final = N_(
    "The decoder reads what it has written. New is {word}, which came out of step {before}; with "
    "its position added, it is the vector below. The keys and values of the pieces before it are "
    "kept from the earlier steps, so only this one vector climbs through the layers."
)
LOOKED_TITLE: Final = N_("Where each decoder layer looks")
LOOKED: Final = N_(
    "In every layer, {word} looks twice: back at what is written so far, itself included, and "
    "then over at the source. Each strip is one look and adds up to 1."
)
BACK: Final = N_("Back: masked self-attention")
OVER: Final = N_("Over: encoder-decoder attention")
MOST: Final = N_("Most of it: {list}.")
MEAN_CELLS: Final = N_(
    "The mean over the heads is our summary; the model has no such number. Choose one head to ask "
    "where a cell comes from."
)
OUT_TITLE: Final = N_("What comes out")
LIKELIEST: Final = N_("The likeliest piece is {word}, with {p}, and it is taken.")
NOT_LIKELIEST: Final = N_(
    "Taken is {word}, with {p}, although {top} is likelier here, with {q}: on the way through "
    "{word}, the beam found a better sentence as a whole."
)
NEVER: Final = N_(
    "Taken is {word}, with {p}. Likelier is {top}, {q}, but that sign is never written: it only "
    "begins or fills up a sentence."
)
DRAWN: Final = N_("Taken is {word}, with {p}. It was drawn by chance; the likeliest is {top}, {q}.")
TAIL: Final = N_(
    "The other {n} pieces of the vocabulary have no bar here; together they have {p}. The next "
    "chapter opens how these numbers are made."
)
ENDED: Final = N_("The end sign came out: the sentence is complete, and the decoder stops.")
CUT_OFF: Final = N_("The end sign never came: here the longest allowed length was reached.")

TASK: Final = N_(
    "At which of these steps was the model least sure of the piece that it wrote? Go through the "
    "steps and compare the marked bars."
)
OPTION: Final = N_("step {n}: “{word}”")
RIGHT: Final = N_("Yes: at step {n}, “{word}” had a probability of only {p}.")
WRONG: Final = N_(
    "Another one had a lower probability when it was taken. Look at the marked bar of each step."
)
