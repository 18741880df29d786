"""Chapter 2's texts: from letters to bytes, pieces and rows, and what the rows came to mean."""

from typing import Final

from app.i18n import N_

INTRO: Final = N_(
    "A network computes, it cannot read. So before anything else, each piece of your sentence is "
    "exchanged for a row of numbers. Here you see how: from letters to bytes, from bytes to "
    "pieces, from a piece to its row, and what training has made of those rows."
)

PICTURE_TITLE: Final = N_("A picture is numbers already, a word is not")
PICTURE: Final = N_(
    "This is the word “{word}” as a camera sees it: {height} × {width} greys from 0 (black) to "
    "255 (white). A network can add and multiply them at once, and pictures that look alike are "
    "numbers that are alike."
)
BYTES: Final = N_(
    "As text, the same word is {n} bytes. They name letters, and measure nothing: without its "
    "first byte, {first}, “slaughter” is “laughter”. Nearly the same bytes, quite another "
    "meaning. The model needs numbers that say something about the word."
)
OWN_WORD: Final = N_("A word of your own")
OWN_WORD_HELP: Final = N_("Type any word, in any script: you see its bytes, then its pieces.")
NO_WORD: Final = N_("Type a word to see its bytes and its pieces.")
MANY_BYTES: Final = N_(
    "In UTF-8, the letters of English take one byte. “{letter}” takes {n}: {bytes}."
)

PIECES_TITLE: Final = N_("From bytes to pieces")
PIECES: Final = N_(
    "Whole words would be too many to list, single bytes say too little: the tokenizer takes "
    "pieces in between. It learned them from the training text: find the two neighbours that "
    "stand together most often, make them one piece, and count again, {merges} times in all. To "
    "cut a word, it starts with the bytes and applies these merges, the earliest learned first, "
    "until none fits."
)
SPACE: Final = N_("“␣” is the space in front of the word: it tells where a word begins.")
MERGED: Final = N_(
    "After {merges} merges, {bytes} bytes have become {pieces} pieces: {cut}. These are the very "
    "pieces that the model reads."
)
MERGED_ONE: Final = N_(
    "After {merges} merges, {bytes} bytes have become one piece: this model knows “{cut}” as a "
    "whole."
)
SENTENCE: Final = N_(
    "Your whole sentence, cut in the same way. Under each piece stands its id: its place in the "
    "list of all {vocabulary} pieces. The encoder also gets <eos>, the end of the sentence."
)

ROW_TITLE: Final = N_("A row of the embedding table")
ONE_HOT: Final = N_(
    "An id is a house number: {id} is not more than {other}, it is only somewhere else. So the "
    "model turns it into a vector of {vocabulary} numbers, 0 everywhere and 1 in place {id}: a "
    "one-hot vector. Multiplied with the embedding table E, it leaves nothing of any row but row "
    "{id}. Looking that row up gives the same, and is what the code does."
)
WINDOW: Final = N_("rows {first} to {last} of {all}")
ONE_HOT_NOTE: Final = N_("the other {n} are 0")
SCALED: Final = N_(
    "The row is short: its length is {row}. Multiplied by √d_model = √{d_model} = {root} it is "
    "{scaled} long, and can stand beside the position that the next chapter adds, whose length "
    "is {position}. The result is the vector x of “{piece}”: all that the encoder starts from."
)
SCALED_ONLY: Final = N_(
    "The row is short: its length is {row}. Multiplied by √d_model = √{d_model} = {root} it is "
    "{scaled} long. The result is the vector x of “{piece}”: all that the encoder starts from."
)

BATCH_TITLE: Final = N_("Several sentences at once")
BATCH: Final = N_(
    "In training, the model reads many sentences in one go. They must fit into one block of "
    "numbers, so the shorter ones are filled up with <pad>, id {pad}. Your sentence and some of "
    "the examples make a block of {rows} × {columns} ids; {padding} of them are padding."
)
MASK: Final = N_(
    "The padding mask is made from the ids: ✓ where one may look, × where there is only padding. "
    "It is the same for every query, so it has one row a sentence. Attention sets the scores "
    "under an × to −∞, and no weight is left for them."
)
SAME: Final = N_(
    "Does filling up change anything? The model encoded this block, and sentence {row} alone. "
    "With the mask, its numbers differ by at most {difference}: rounding. Without it, by up to "
    "{unmasked}."
)
NO_PADDING: Final = N_("All of them are equally long here, so nothing had to be filled up.")
CUT: Final = N_("This model reads at most {n} pieces: longer examples are cut there.")

NEAR_TITLE: Final = N_("What the rows have come to mean")
NEAR: Final = N_(
    "Before training, the rows were random. Nobody told the model what a word means: rows of "
    "words that are used alike were pushed in the same direction. The cosine of the angle between "
    "two rows shows it: 1 for the same direction, 0 for nothing in common, −1 for the opposite."
)
NEAR_RESULT: Final = N_("Nearest to “{piece}” in the table: “{nearest}”, with a cosine of {value}.")
CHANCE: Final = N_(
    "Dashed line, at {chance}: if all {words} words pointed in random directions, in 19 of 20 "
    "cases not one would reach it. What stays below it may be chance; what passes it is more, "
    "though not always what you would call meaning. Compared are the pieces that begin a word; "
    "some are only the beginning of one."
)
ABOVE: Final = N_("Of the {shown} words shown, {above} pass the dashed line.")

SUM_TITLE: Final = N_("Arithmetic with words")
SUM: Final = N_(
    "If directions carry meaning, one can calculate with them: take “man” away from “king”, add "
    "“woman”, and see which row is nearest. Each word's vector is brought to length 1 first; a "
    "word of several pieces is the mean of theirs. Leave a field empty to leave the word out."
)
EXPECTED: Final = N_("“{word}” has a cosine of {value}: place {place} of {words}.")
NOT_ONE: Final = N_(
    "“{word}” has no row of its own: it is cut into {cut}. So it cannot be among the answers; the "
    "mean of its pieces has a cosine of {value}, and would stand in place {place} of {words}."
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
    "{words} words on a flat map, those whose merges were learned first and so are frequent, and "
    "your sentence as diamonds. The two axes are the directions in which these rows differ most "
    "(principal components)."
)
MAP_HONEST: Final = N_(
    "Read it with care: two axes of {d_model} show only {share} of all differences, so words that "
    "are far apart may lie on top of each other here. The cosines above use all of them."
)
TOO_FEW: Final = N_("This model's vocabulary has too few words for this.")

TASK: Final = N_("Which piece has the nearest neighbour of all, the one with the largest cosine?")
RIGHT: Final = N_("Yes: “{piece}” and “{nearest}” have a cosine of {value}.")
WRONG: Final = N_(
    "Not that one. Choose the pieces one after the other under “A row of the embedding table”, "
    "and read the longest bar below."
)

CODE_MERGE: Final = N_("Merging the neighbours that were learned first")
CODE_ROW: Final = N_("Looking the row up, times √d_model")
CODE_PAD: Final = N_("Filling up a batch")
CODE_MASK: Final = N_("The padding mask")
CODE_COSINE: Final = N_("The cosine between rows")
CODE_PCA: Final = N_("The map's axes")
