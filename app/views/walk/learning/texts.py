"""What the chapter on learning says; translated where it is shown."""

from typing import Final

from app.i18n import N_

INTRO: Final = N_(
    "Nobody wrote a rule of translation into this model. It was shown sentences with their right "
    "translation, had to guess every next word, and was told how wrong it was. Then each of its "
    "numbers moved a little, the way that makes it less wrong. This page takes that one step "
    "apart, on your sentence."
)

TEACHER_TITLE: Final = N_("The right answer")
TEACHER: Final = N_(
    "In training the decoder does not read its own words. It reads the **right** translation, "
    "one place late, and at each place has to say the next piece. This is *teacher forcing*: all "
    "numbers on this page were made that way, with the translation below."
)
OWN: Final = N_(
    "Nothing is typed, so the model is compared with its own translation, which flatters it. "
    "Type a translation of your own, right or wrong, and see what surprises it."
)
TYPED: Final = N_("The model itself wrote “{output}”.")
CUT: Final = N_("That is too long for this model: only its beginning is compared.")

TARGET_TITLE: Final = N_("The output vocabulary, and the target")
VOCABULARY: Final = N_(
    "The model answers with one of the **{size}** pieces of its *output vocabulary*. Each has a "
    "number; “{word}” has the number {id}. So the right answer at this place is a list of {size} "
    "numbers: a 1 at place {id}, a 0 everywhere else. It is called *one-hot*."
)
STRIPS: Final = N_(
    "One cell for each piece, by its number, and none left out. The target has its 1 (or nearly) "
    "in one cell; look how much of the other strip is not quite white."
)
SMOOTHED: Final = N_(
    "A model that is asked for exactly 1 is never done: its logits can always grow a little more. "
    "*Label smoothing* takes ε away and shares it out among all pieces: **{right}** for “{word}”, "
    "**{other}** for each other one."
)
NOT_SMOOTHED: Final = N_(
    "With ε = 0 the target is one-hot: **1** for “{word}”, **0** for each other piece. Raise ε to "
    "see what *label smoothing* does to it."
)
OWN_SMOOTHING: Final = N_("This model was trained with ε = {own}.")
NO_SMOOTHING: Final = N_(
    "This model does not say which ε it was trained with; 0.1 is that of the paper."
)

COMPARE_TITLE: Final = N_("What it should say, and what it says")
COMPARE: Final = N_(
    "Each row is a place: the word that was just read stands on its left. The first picture is "
    "what the model should say next, the second what it says. All of training is making the "
    "second picture look like the first."
)
COLUMNS: Final = N_(
    "Columns: the pieces of this translation, and the model's favourites at the chosen place. "
    "The {count} pieces without a column share between {least} and {most} of a row's 1."
)

LOSS_TITLE: Final = N_("The loss")
SURPRISE: Final = N_(
    "How wrong is one answer? The model gave “{word}” the probability {p}, and pays −log p = "
    "**{surprise}** for it. Being sure and right costs 0, one half costs 0.69. A model that knows "
    "nothing gives all {size} pieces the same and pays log {size} = {uniform}."
)
SMOOTH_LOSS: Final = N_(
    "With smoothing, the other pieces count too: each of them has a small target, and pays its "
    "own −log p for it. The line on top of the last one below is the mean over all {size}."
)
FLOOR: Final = N_(
    "Not even a perfect answer reaches 0 now: the best possible loss for one word is {floor}, "
    "the entropy of the target itself."
)
SENTENCE_LOSS: Final = N_(
    "The whole sentence costs **{total}**, or {mean} for each of its {count} pieces, the end "
    "included. Most surprising is “{word}”. Training adds up thousands of such pieces before "
    "each step."
)
TWICE: Final = N_(
    "Computed here with NumPy: {numpy}. By the lines that trained the model: {torch}. "
    "Difference {difference}."
)

MOMENTS_TITLE: Final = N_("Untrained, early, trained")
MOMENTS: Final = N_(
    "The same sentence and the same right translation, “{reference}”, before a model that has "
    "learned nothing, one that has just begun, and a trained one."
)
HEAD_START: Final = N_(
    "The right translation is the words of {model} here, which gives that one a head start."
)
SIZES: Final = N_(
    "The first {count} are one small network ({parameters} million numbers, {pieces} pieces) at "
    "different steps of its training; the last one is {model} ({its_parameters} million numbers, "
    "{its_pieces} pieces)."
)
FAIR: Final = N_(
    "They cut the text into different pieces, so losses for each piece cannot be compared: few "
    "large pieces are harder to guess than many small ones. But all of them have to say the same "
    "text to its end, so the loss of the whole sentence can be compared, and its share for each "
    "word or character. There is no smoothing in these numbers."
)
MAP: Final = N_(
    "Of each model, the encoder-decoder head that looks most sharply at single words: on average "
    "its favourite word gets {shares} of a look. Nobody ever said which word belongs to which; "
    "that grows out of the loss alone."
)
NO_SNAPSHOTS: Final = N_(
    "No early moments of this model's training were kept, so only what it became is shown."
)

GRADIENT_TITLE: Final = N_("Which way is better: gradients")
GRADIENT: Final = N_(
    "Training knows the way because it can ask each number: if you grew a little, what would the "
    "loss do? The answer is the *gradient*. Below it is asked of every score q·k of one head: "
    "∂loss/∂score."
)
SIGN: Final = N_(
    "**Minus (red)**: more of this score would lower the loss, so training pushes it up: *look "
    "here more*. **Plus (blue)**: more of it would raise the loss: *look here less*. Each row "
    "adds up to 0, since the softmax only shares out: who looks more here looks less elsewhere."
)
WANTED: Final = N_(
    "The strongest wish in this map: “{query}” should look **{way}** at “{key}” (gradient "
    "{gradient}, weight now {weight})."
)
MORE: Final = N_("more")
LESS: Final = N_("less")
STILL: Final = N_(
    "All gradients are 0 here: where only one word can be looked at, its weight is 1 whatever its "
    "score."
)
CHECK: Final = N_(
    "Is that true? Change this one score, “{query}” → “{key}”, by δ, run the whole model again, "
    "and see what the loss does:"
)
CHECKED_SLOPES: Final = N_(
    "The two slopes differ by {difference}. What is left is the bend of the curve between −δ and "
    "+δ, and rounding."
)
MASKED: Final = N_(
    "This cell is masked: its score becomes −∞ whatever it was, so the loss cannot feel it."
)
ONWARD: Final = N_(
    "Scores are not stored in the model: they are made of W_Q and W_K. So the wish is handed on "
    "through q·k to these matrices and on to the embeddings (*backpropagation*), and there each "
    "number moves a small step against its own gradient."
)

QUESTION: Final = N_(
    "In the gradients above (layer {layer}, head {head}): which of these looks would lower the "
    "loss most if its score grew?"
)
RIGHT: Final = N_(
    "Yes: {pair} has the gradient {gradient}, the lowest of the map. One more in its score "
    "takes about {size} off the loss."
)
RIGHT_STILL: Final = N_("Yes, though no look would: all gradients of this map are 0.")
WRONG: Final = N_(
    "Not that one. Look for the deepest red: a minus means that the loss falls when the score "
    "grows."
)
