"""What the page on sequence to sequence with an RNN says; translated where it is shown."""

from typing import Final

from app.i18n import N_

INTRO: Final = N_(
    "In 2014, two recurrent networks (RNNs) learned to translate: an encoder that reads and a "
    "decoder that writes."
)

BATCH_TITLE: Final = N_("Four proverbs, one batch; their translations, another")
BATCH: Final = N_(
    "To be read together, sentences must fill one block of ids. So the shorter ones end in <pad>, "
    "id {pad}: here {padding} of {places} places."
)
PROVERBS: Final = (
    "Como un cordero al matadero",
    "Donde hay humo, hay fuego",
    "Nunca es tarde para aprender",
    "Qué será, será",
)
IN_ENGLISH: Final = (
    "Like a lamb to the slaughter",
    "Where there's smoke, there's fire",
    "It's never too late to learn",
    "Whatever will be, will be",
)
TARGET: Final = N_(
    "Row n is the translation of row n before. This block is filled up to a length of its own: {T} "
    "tokens, where the Spanish one has {S}. Here {padding} of {places} places are <pad>. Each row "
    "ends in <eos>: the decoder has to learn when to stop."
)
BLOCK_TITLE: Final = N_("Each id becomes a vector")
BLOCK: Final = N_(
    "{B} sentences × {S} tokens × {D} numbers: a block of shape (B, S, D). The first {shown} "
    "numbers of each vector are drawn."
)
BLOCK_TWICE: Final = N_("“{word}” stands twice in sentence {n}, and has the same vector twice.")
PAD_ROW: Final = N_("<pad> has a vector like any other, {length} long.")
PAD_ZERO: Final = N_("The vector of <pad> is all zeros.")
PADDING_TITLE: Final = N_("The state stands still at <pad>")
PADDING: Final = N_(
    "An RNN keeps what it has read in one vector, its hidden state. Each cell is how far a token "
    "moves it: ‖h after − h before‖. At <pad> the encoder leaves it alone: 0."
)
PADDING_SAME: Final = N_(
    "So sentence {n} ends in the same state as it does alone (largest difference {masked}). If the "
    "encoder read the padding, a number of that state would change by {unmasked}."
)
NO_PADDING: Final = N_("All of them are equally long here, so no padding is needed.")
STRIDES: Final = N_("how far each token moves the state")

STEP: Final = N_("Step {n} of {all}: {doing}.")
READS: Final = N_("the encoder reads “{word}”")
WRITES: Final = N_("the decoder reads “{word}” and writes “{next}”")
READ_TITLE: Final = N_("The encoder reads, one token after another")
READ: Final = N_(
    "Each picture is the hidden state after one more token: {size} numbers. One cell makes them "
    "all, from the state before and the new token. It cannot skip ahead, and it cannot look back."
)
WRITE_TITLE: Final = N_("The decoder writes, one token after another")
WRITE: Final = N_(
    "The decoder is a cell of the same kind. It starts from the encoder's last state, "
    "$h_{{{last}}}$, and from <bos>. Each new state chooses a token, and the next step reads that "
    "token: the decoder is autoregressive."
)
NEXT_TITLE: Final = N_("From a state to a token")
CHOSEN: Final = N_(
    "The state $s_{{{n}}}$ gives every token of the vocabulary a score, and a softmax turns scores "
    "into probabilities. The decoder wrote “{word}”, with a probability of {p}."
)
CUT_OFF: Final = N_("Here the longest translation was reached: nothing was written after it.")
BRIDGE_NAME: Final = N_("the bridge")

GRU_TITLE: Final = N_("Inside one step: the gates of a GRU, and the new state")
GRU: Final = N_(
    "The cell is a gated recurrent unit (GRU): every number of its state has two gates between 0 "
    "(shut) and 1 (open). The token and the state before make both, the reset gate r and the "
    "update gate z. Here {doing}."
)
NEW: Final = N_(
    "r says how much of the old state enters the candidate n, the new content. z then mixes the "
    "two, number by number: 1 keeps the old number, 0 takes the candidate. In one formula: "
    "$(1 - z) \\circ n + z \\circ h$."
)
UNIT_TITLE: Final = N_("One number of the state, token by token")
UNIT_HELP: Final = N_("Which number of the hidden state is followed through the sentence.")
UNIT: Final = N_(
    "At “{word}”, unit {unit} keeps {keep} of its old value {old} and takes {take} of the "
    "candidate {candidate}: that makes {new}. Where z is near 0, a token overwrites the unit; near "
    "1, the unit keeps its number."
)

CELLS: Final = N_(
    "The first recurrent networks had no gates. A plain cell (Elman, 1990; `nn.RNN`) sends its "
    "whole state through U and tanh at every token. It is what remains of a GRU whose gates are "
    "fixed at r = 1 and z = 0."
)
CELL_GRU: Final = N_("GRU")
CELL_PLAIN: Final = N_("Plain cell")
FORGET_TITLE: Final = N_("The plain cell forgets sooner")
FORGET: Final = N_(
    "Our encoder, once as it is and once with its gates fixed, reads your sentence {times} times "
    "in a row, with its first token “{word}” and without. How far the two states are still apart "
    "is what is left of “{word}”."
)
FORGET_ASK: Final = N_(
    "“{word}” is followed by {n} more tokens. Which cell has more of it left in its state?"
)
FORGET_SAME: Final = N_("Both the same")
FORGET_SAYS: Final = N_("{gru} is left in the GRU, {plain} in the plain cell.")
CELLS_AFTER: Final = N_("tokens read after the first")
CELLS_LEFT: Final = N_("what is left of the first token")
CELLS_KEPT: Final = N_(
    "After {n} more tokens, {gru} is left in the GRU and {plain} in the plain cell. At each token, "
    "the GRU's update gates let {update} of the old state through, on average. In training, the "
    "gradient comes back the same way and fades like this."
)
CELLS_HONEST: Final = N_(
    "These weights were learned with gates. To train a network with plain cells, open “Train your "
    "own” and choose RNN, then its cell."
)

BRIDGE_TITLE: Final = N_("The bridge: one vector, however long the sentence")
BRIDGE: Final = N_(
    "All that the decoder ever learns about your sentence: {size} numbers for {n} tokens, {each} a "
    "token. Beside it, the last states of “{sentence}”, {short} words, and of a sentence of {long}."
)
BRIDGE_ASK: Final = N_(
    "Of your {n} tokens, the decoder gets {size} numbers. How many does it get of a sentence of "
    "{long} words?"
)
BRIDGE_SAYS: Final = N_("Always {size}: the last state is all that it gets.")
YOURS: Final = N_("your sentence")
SHORT: Final = "No tengo tiempo"
LONG: Final = (
    "Mi hermano vivía en una casa pequeña cerca del mar y todos los días iba a la escuela con "
    "nosotros"
)

FADE_TITLE: Final = N_("What is left of each token")
FADE: Final = N_(
    "Leave one token out and let the encoder read the rest: how far does its last state move? "
    "(‖h − h without the token‖ ÷ ‖h‖.) “{most}” moves it most, by {most_by}, and “{least}” least, "
    "by {least_by}."
)
FADE_HALVES: Final = N_(
    "On average, a token of the first half moves it by {first}, one of the second half by {second}."
)
FADE_TOKEN: Final = N_("token left out")
FADE_AXIS: Final = N_("how far the last state moves")

TRY_TITLE: Final = N_("Long sentences: try it")
TRY: Final = N_(
    "Join your sentence with itself by “y” (and): it gets longer, but no harder. A good "
    "translation repeats itself as often. Both models translate greedily here."
)
COPIES: Final = N_("How often the sentence is said")
COPIES_HELP: Final = N_("1 is your sentence; 2 is your sentence, “y”, and your sentence again.")
KEPT: Final = N_(
    "Take the words that each model wrote for one copy, {copies} times each: the RNN wrote {rnn} "
    "of them, the Transformer {transformer}."
)
KEPT_ALONE: Final = N_(
    "Take the words that the RNN wrote for one copy, {copies} times each: it wrote {rnn} of them."
)
KEPT_AXIS: Final = N_("words kept")
LONGER: Final = N_("Take a longer sentence, and each token has less room:")
LONGER_SENTENCES: Final = (
    "Mi hermano vive en una casa pequeña cerca del mar y trabaja en la ciudad",
    LONG,
)
NEXT: Final = N_(
    "A longer vector would help a little. Bahdanau, Cho and Bengio kept all states of the encoder "
    "instead, and let the decoder choose which to look at: the next page."
)

MYTH: Final = N_("“A GRU has gates, so it does not forget.”")
TRUTH: Final = N_(
    "Gates slow forgetting down; they do not stop it. After {n} more tokens, {gru} of what "
    "“{word}” put into the state is left, against {plain} in a plain cell. The state has {size} "
    "numbers for a sentence of any length: to write something new, the cell must overwrite "
    "something old."
)

ASK: Final = N_(
    "Follow unit {unit} through your sentence: at which token does it let go of most of its old "
    "value (its update gate z is smallest)?"
)
RIGHT: Final = N_("Yes: at “{word}”, z is only {z}: {take} of its new value is the candidate.")
REASON: Final = N_(
    "At “{word}”, z is {z}, so {keep} of the old value stays; at another token, less does. You see "
    "the row z at “One number of the state, token by token”."
)

CODE_GRU: Final = N_("One step of the GRU")
CODE_PLAIN: Final = N_("One step of a plain cell")
CODE_ENCODER: Final = N_("The encoder keeps its last state")
CODE_LOOP: Final = N_("The loop that makes it recurrent")
CODE_DECODER: Final = N_("The decoder goes on from it")
