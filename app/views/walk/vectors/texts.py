"""Chapter 2's texts: from letters to bytes, tokens and rows, and what the rows came to mean."""

from typing import Final

from app.i18n import N_

INTRO: Final = N_(
    "A network calculates; it cannot read. So before anything else, each token of your sentence is "
    "replaced by a row of numbers."
)

PICTURE_TITLE: Final = N_("A picture is numbers already, a word is not")
PICTURE: Final = N_(
    "This is the word “{word}” as a camera sees it: {height} × {width} greys from 0 (black) to "
    "255 (white). A network can compute with them right away, and pictures that look alike have "
    "numbers that are alike."
)
BYTES: Final = N_(
    "As text, “{word}” is {n} bytes, written here in hexadecimal. Take away the first one, "
    "{first}, and “laughter” is left: nearly the same bytes, a very different meaning. The model "
    "needs numbers that say something about the word. Try a word of your own."
)
OWN_WORD: Final = N_("A word of your own")
OWN_WORD_HELP: Final = N_("Type any word, in any script: you see its bytes, then its tokens.")
NO_WORD: Final = N_("Type a word to see its bytes and its tokens.")
MANY_BYTES: Final = N_(
    "In UTF-8, the letters of English take one byte. “{letter}” takes {n}: {bytes}."
)

MERGES: Final = N_(
    "Whole words are too many to list, single bytes say too little. **Byte pair encoding** (BPE) "
    "finds **tokens** in between: join the two neighbours that are most frequent in the training "
    "text, and repeat, {merges} times. A word is cut by the same merges, the earliest "
    "learned first."
)
UNIGRAM: Final = N_(
    "Whole words are too many to list, single letters say too little. This model's **tokens** lie "
    "in between. They were not merged: a unigram model knows how often each piece occurs in the "
    "text that it was trained on. It cuts a word into the pieces whose probabilities p have the "
    "largest product, which is the largest sum of log p."
)
SCORED: Final = N_("The sum of log p is {sum} = {total}: no other cut has a larger one.")
SCORED_ONE: Final = N_("As a whole, the word has log p = {total}: no cut has a larger sum.")
UNLEARNED: Final = N_("Some of these letters were never learned: the model reads <unk> for them.")
SPACE: Final = N_("“␣” is the space in front of a word.")
MERGED: Final = N_("After {merges} merges, {bytes} bytes have become {pieces} tokens: {cut}.")
MERGED_ONE: Final = N_(
    "After {merges} merges, {bytes} bytes have become one token: this model knows “{cut}” as a "
    "whole."
)
TOKENS_TITLE: Final = N_("Your sentence as tokens")
TOKENS: Final = N_(
    "Your sentence is cut into **tokens**: frequent words stay whole, rarer ones are split into "
    "pieces. Each token has an **id**, its place in the list of all {vocabulary} that this model "
    "knows. Ids count from 0, and so do positions, as in the formulas; everything else on these "
    "pages counts from 1."
)
TOKENS_GUESS: Final = N_("You typed {words} words. How many tokens does the encoder read?")
TOKENS_RIGHT: Final = N_("Yes: {n}. The last one, <eos>, marks the end of the sentence.")
TOKENS_WRONG: Final = N_("It reads {n}. The last one, <eos>, marks the end of the sentence.")

ROW_TITLE: Final = N_("From an id to a vector: the embedding")
ROW: Final = N_(
    "An id is like a house number: {id} is not more than {other}. So “{piece}” becomes a one-hot "
    "vector of {vocabulary} numbers; multiplied by the **embedding table** E, it picks out the row "
    "of this id."
)
WINDOW: Final = N_("ids {first} to {last} of {all}")
WINDOW_PART: Final = N_("ids {first} to {last} of {all}, columns 1 to {columns} of {d}")
ONE_HOT_NOTE: Final = N_("the other {n} are 0")
SCALED: Final = N_(
    "Times √d_model = {root}, it is large enough to stand beside the position that is added later: "
    "its norm goes from {row} to {scaled}; the position's is {position}. The result x is all that "
    "the encoder gets of “{piece}”."
)
SCALED_ONLY: Final = N_(
    "Times √d_model = {root}, its norm goes from {row} to {scaled}. The result x is all that the "
    "encoder gets of “{piece}”."
)
NOT_SCALED: Final = N_(
    "Many models multiply it by √d_model; this one takes it as it is, with a norm of {row}. x is "
    "all that the encoder gets of “{piece}”."
)

NEAR_TITLE: Final = N_("What the rows have come to mean")
NEAR: Final = N_(
    "Before training, the rows were random. Training has made the rows of tokens that are used in "
    "similar ways point in similar directions. The **cosine** of the angle between two rows "
    "measures it: 1 for the same direction, 0 for a right angle, −1 for the opposite."
)
NEAR_RESULT: Final = N_("Nearest to “{piece}” in the table: “{nearest}”, with a cosine of {value}.")
CHANCE: Final = N_(
    "Dashed line, at {chance}: if all {words} words pointed in random directions, in 19 of 20 "
    "cases not one would reach it. Only tokens that begin a word are compared."
)
ABOVE: Final = N_("Of the {shown} words shown, {above} pass the dashed line.")

HAND_TITLE: Final = N_("king − man + woman")
HAND: Final = N_(
    "**Example by hand.** If directions carry meaning, one can calculate with words. Take “man” "
    "away from “king” and add “woman”, number by number: what comes out is “queen”, to the last "
    "digit."
)
SUM: Final = N_(
    "Now with the rows of this model's table. Nothing comes out to the last digit any more; what "
    "counts is which row is nearest. Each vector is brought to length 1 first, and a word of "
    "several tokens is their mean."
)
EXPECTED: Final = N_("“{word}” has a cosine of {value}: place {place} of {words}.")
NOT_ONE: Final = N_(
    "“{word}” has no row of its own: it is cut into {cut}. So it cannot be among the answers; the "
    "mean of its tokens has a cosine of {value}, and would stand in place {place} of {words}."
)
FOUND: Final = N_("So this model does give the answer you expected.")
NOT_FOUND: Final = N_(
    "The nearest is “{nearest}”, with {value}: not what you expected. It takes a model that "
    "has read far more than this one to lay words out so neatly."
)
NOTHING_ADDED: Final = N_("Type at least one word to start from.")
EQUAL: Final = N_("These words cancel each other out: nothing is left to compare.")

MAP_TITLE: Final = N_("A map of the table")
MAP: Final = N_(
    "The {words} words that were learned first, and so are frequent, on a flat map; diamonds are "
    "the tokens of your sentence. The axes are the two directions in which these rows differ most "
    "(principal components)."
)
MAP_HONEST: Final = N_(
    "Read it with care: two axes of {d_model} show only {share} of all differences, so words that "
    "are far apart may lie on top of each other here. Cosines use all of them."
)
TOO_FEW: Final = N_("This model's vocabulary has too few words for this.")

BATCH_TITLE: Final = N_("Several sentences at once")
BATCH: Final = N_(
    "In training, the model reads many sentences in one go. They must fit into one block, so the "
    "shorter ones are filled up with <pad>, id {pad}. Your sentence and some of the examples make "
    "{rows} × {columns} ids; {padding} of them are padding."
)
CUT: Final = N_("This model reads at most {n} tokens: longer examples are cut there.")
BLOCK: Final = N_(
    "Now each id becomes its vector: {B} sentences × {S} tokens × {D} numbers, a block of shape "
    "(B, S, D) = ({B}, {S}, {D}). You see the first {shown} numbers of each vector."
)
PAD_ROW: Final = N_(
    "In many drawings, the vector of <pad> is all zeros. In this model it is a row like any other, "
    "with a norm of {length}: what keeps it out is the mask."
)
PAD_ZERO: Final = N_("The vector of <pad> is all zeros.")
MYTH: Final = N_("“Tokens with neighbouring ids mean similar things.”")
TRUTH: Final = N_(
    "An id only names. “{piece}” has the id {id}; beside it in the list stand {others}, in "
    "brackets with the cosine between their rows and its own."
)
TRUTH_NEAREST: Final = N_("The nearest of all rows, that of “{nearest}”, has {value}.")

TASK: Final = N_("Which token has the nearest neighbour of all, the one with the largest cosine?")
RIGHT: Final = N_("Yes: “{piece}” and “{nearest}” have a cosine of {value}.")
REASON: Final = N_(
    "Not that one: nearest to “{piece}” is “{nearest}”, with {value}. Another token has a nearer "
    "neighbour."
)

CODE_MERGE: Final = N_("Merging the neighbours that were learned first")
CODE_ROW: Final = N_("Looking the row up, times √d_model")
CODE_PAD: Final = N_("Padding a batch")
CODE_COSINE: Final = N_("The cosine between rows")
CODE_PCA: Final = N_("The map's axes")
