"""What the page on sequence to sequence with an RNN says; translated where it is shown."""

from typing import Final

from app.i18n import N_

INTRO: Final = N_(
    "In 2014 two recurrent networks learned to translate. The first one, the encoder, reads the "
    "sentence word by word and keeps one vector of numbers in mind, its hidden state. The second "
    "one, the decoder, gets only the last of these states and writes the translation. There is no "
    "attention yet: whatever is to be translated must pass through that one vector."
)

STEP: Final = N_("Step {n} of {all}: {doing}")
READS: Final = N_("the encoder reads “{word}”")
WRITES: Final = N_("the decoder reads “{word}” and writes “{next}”")
READ_TITLE: Final = N_("Read: one word after the other")
READ: Final = N_(
    "Each picture is the encoder's hidden state, {size} numbers, after it has read the word above "
    "it. The same network makes all of them: it takes the state before and the new word, and gives "
    "the state after. It cannot skip ahead, and it cannot look back. Go through the steps with the "
    "arrow keys: each one adds a picture."
)
WRITE_TITLE: Final = N_("Write: one word after the other")
WRITE: Final = N_(
    "The decoder is a network of the same kind. It starts from the encoder's last state, "
    "$h_{{{last}}}$, and from <bos>, the sign that a sentence begins. At each step it makes a new "
    "state, scores the whole vocabulary with it, and reads the word that was chosen in the step "
    "after."
)
NOT_YET: Final = N_(
    "In this step the encoder is still reading: nothing is written. The decoder begins at step {n}."
)
CHOSEN: Final = N_("From this state the model wrote “{word}”, with a probability of {p}.")
LAST: Final = N_("the bridge")

GRU_TITLE: Final = N_("Inside one step: a gated recurrent unit (GRU)")
GRU: Final = N_(
    "Every number of the state is a unit with its own two gates, between 0 (shut) and 1 (open). "
    "The reset gate r says how much of the old state counts for the candidate n, the new content. "
    "The update gate z says how much of the old state stays: 1 keeps all of it, 0 replaces it by "
    "the candidate. Here is the step in which {doing}."
)
UNIT_HELP: Final = N_("Which number of the hidden state is followed through the sentence.")
UNIT: Final = N_("Unit {unit} in this step, in numbers:")
UNIT_KEEPS: Final = N_(
    "It keeps {keep} of its old value {old} and takes {take} of the candidate {candidate}."
)
UNIT_ALONG: Final = N_(
    "The same unit from word to word. Where z is small, the word overwrites what the unit held; "
    "where z is near 1, the unit carries its number past the word."
)

CELLS_TITLE: Final = N_("Why gates? A plain cell forgets sooner")
CELLS: Final = N_(
    "The first recurrent networks had no gates. A plain cell (Elman, 1990; `nn.RNN`) makes its "
    "whole state anew at every word. It is what is left of a GRU whose gates are fixed at r = 1 "
    "and z = 0."
)
CELL_GRU: Final = N_("GRU")
CELL_PLAIN: Final = N_("Plain cell")
CELLS_READ: Final = N_(
    "So here is the encoder of this page twice: as it is, and with its gates fixed like that. "
    "Each reads your sentence, said {times} times, once with its first token “{word}” and once "
    "without. All later tokens are the same: what still tells the two states apart is what is "
    "left of “{word}”, as a share of what it was at first."
)
CELLS_AFTER: Final = N_("tokens read after the first")
CELLS_LEFT: Final = N_("what is left of the first token")
CELLS_KEPT: Final = N_(
    "After {n} more tokens, {gru} of it is left in the GRU and {plain} in the plain cell. At each "
    "token, the GRU's update gates let {update} of the old state pass untouched, on average; in a "
    "plain cell, all of it has to go through U and tanh every time. In training, the gradient goes "
    "back the same way and fades like this: so a plain cell hardly learns what lies far apart."
)
CELLS_HONEST: Final = N_(
    "These weights were learned with gates. You can train a network with plain cells on the page "
    "“Train your own”: choose RNN, and then its cell."
)

BRIDGE_TITLE: Final = N_("The bridge: one vector, however long the sentence")
BRIDGE: Final = N_(
    "All that the decoder ever learns about your sentence is this: {size} numbers for {n} "
    "tokens, {each} numbers a token."
)
BRIDGES: Final = N_(
    "The sentence below on the left has {short} words, the one on the right {long}. Both become "
    "{size} numbers. A word of the short one has {short_each} numbers to itself, one of the long "
    "one {long_each}."
)
SHORT: Final = "No tengo tiempo"
LONG: Final = (
    "Mi hermano vivía en una casa pequeña cerca del mar y todos los días iba a la escuela con "
    "nosotros"
)

FADE_TITLE: Final = N_("What is left of each word")
FADE: Final = N_(
    "Take one token away, let the encoder read the rest, and see how far its last state moves: "
    "‖h − h without the token‖ ÷ ‖h‖. A token that moves it little has left little behind. Here "
    "“{most}” matters most ({most_by}) and “{least}” least ({least_by})."
)
FADE_HALVES: Final = N_(
    "On average, a token of the first half moves the last state by {first}, one of the second half "
    "by {second}."
)
FADE_TOKEN: Final = N_("token left out")
FADE_AXIS: Final = N_("how far the last state moves")

FAIL_TITLE: Final = N_("Long sentences: measured")
MEASURED: Final = N_(
    "Both models were trained on the same pairs and translated the same {n} test sentences, which "
    "neither has seen. BLEU compares with a human translation; 100 would be the same word for "
    "word. From the shortest sentences to the longest, the RNN goes from {rnn_first} to "
    "{rnn_last}, the Transformer from {first} to {last}. The "
    "Transformer was trained longer: compare how they fall, not only how high they stand."
)
NOT_MEASURED: Final = N_("These models' scores by length are not in their files.")
WORDS: Final = N_("{low} to {high} words")
TRY_TITLE: Final = N_("Long sentences: try it")
TRY: Final = N_(
    "Join your sentence with itself by “y” (and). What it means does not get harder, only longer: "
    "a good translation repeats itself as often. Both translate greedily here."
)
COPIES: Final = N_("How often the sentence is said")
COPIES_HELP: Final = N_("1 is your sentence; 2 is your sentence, “y”, and your sentence again.")
KEPT: Final = N_(
    "Of the words of its own translation of one copy, {copies} times each, the RNN wrote {rnn}, "
    "the Transformer {transformer}."
)
KEPT_ALONE: Final = N_(
    "Of the words of its own translation of one copy, {copies} times each, the RNN wrote {rnn}."
)
KEPT_AXIS: Final = N_("words kept")
LONGER: Final = N_("Or take a longer sentence, and look at its translation and at the bars above:")
LONGER_SENTENCES: Final = (
    "Mi hermano vive en una casa pequeña cerca del mar",
    "Mi hermano vive en una casa pequeña cerca del mar y trabaja en la ciudad",
    LONG,
)
NEXT: Final = N_(
    "A longer vector helps a little, and costs much. In 2014 Bahdanau, Cho and Bengio had another "
    "idea: keep all states of the encoder, and let the decoder choose at each word which of them "
    "to look at. That is the next page."
)

ASK: Final = N_(
    "Follow unit {unit} through your sentence: at which token does it let go of most of its old "
    "value (its update gate z is smallest)?"
)
RIGHT: Final = N_("Yes: at “{word}”, z is only {z}: {take} of its new value is the candidate.")
WRONG: Final = N_(
    "There z is larger. Look along the row z of unit {unit}, under “Inside one step”: which "
    "number is smallest?"
)
