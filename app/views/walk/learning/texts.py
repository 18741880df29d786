"""What the chapter on learning says; translated where it is shown."""

from typing import Final

from app.i18n import N_

INTRO: Final = N_(
    "Nobody wrote a rule of translation into this model. It was shown sentences with a correct "
    "translation and guessed every next token; after each guess, all its numbers were nudged "
    "towards a smaller error. Here is one such step, on your sentence."
)

TEACHER_TITLE: Final = N_("The right answer")
TEACHER: Final = N_(
    "In training the decoder does not read its own tokens. It reads the **right** translation, "
    "shifted by one position, and has to predict the next token at each: *teacher forcing*."
)
OWN: Final = N_(
    "Nothing is typed, so the model is compared with its own translation, which flatters it. "
    "Type a translation of your own, right or wrong, and see what surprises it."
)
TYPED: Final = N_("The model itself wrote “{output}”.")
CUT: Final = N_("That is too long for this model: only its beginning is compared.")
POSITION: Final = N_("The right translation: choose a position")

BY_HAND: Final = N_("Example by hand.")
UNTRAINED: Final = N_("untrained")
TRAINED: Final = N_("trained")
WHOLE_TITLE: Final = N_("Six words, before training and after it")
WHOLE: Final = N_(
    "Suppose a model could write only {size} words, with the ids 0 to {last}. “{source}” should "
    "become “{sentence}”, then `<eos>`. One row for each position; a target is *one-hot*: for "
    "“{word}” a 1 at id {id}, 0 everywhere else. The parameters of an untrained model are random, "
    "and so are its answers; training moves them towards the target. The loss adds up −log p of "
    "the right tokens: {before} before training, {after} after it."
)

TARGET_TITLE: Final = N_("The target, and label smoothing")
VOCABULARY: Final = N_(
    "Now your sentence. The model answers with one of the **{size}** tokens of its *output "
    "vocabulary*; “{word}” has the id {id}. So the target at this position is a list of {size} "
    "numbers: a 1 at id {id}, 0 everywhere else."
)
STRIPS: Final = N_(
    "One cell for each token, by its id, and none left out. The target has its 1 (or nearly) in "
    "one cell; look how much of the other strip is not quite white."
)
SMOOTHED: Final = N_(
    "A model that is asked for exactly 1 is never done: its logits can always grow a little more. "
    "*Label smoothing* takes ε away and shares it out among all tokens: **{right}** for “{word}”, "
    "**{other}** for each other one."
)
NOT_SMOOTHED: Final = N_(
    "With ε = 0 the target is one-hot: **1** for “{word}”, **0** for each other token. Raise ε to "
    "see what *label smoothing* does to it."
)
OWN_SMOOTHING: Final = N_("This model was trained with ε = {own}.")
NO_SMOOTHING: Final = N_(
    "This model does not say which ε it was trained with; 0.1 is that of the paper."
)

COMPARE_TITLE: Final = N_("What it should say, and what it says")
COMPARE: Final = N_(
    "Each row is a position: the token that was just read stands on its left. On the left is what "
    "the model should say next, on the right what it says; all of training makes the right picture "
    "look like the left one. Tokens without a column have at most {most} of a row together."
)
AT_RIGHT: Final = N_(
    "The target beside the answer at the chosen position. “{word}” is the model's favourite, with "
    "{p}: what is missing to the target is what the loss measures."
)
AT_WRONG: Final = N_(
    "The target beside the answer at the chosen position. “{word}” gets only {p}: the model would "
    "rather say “{other}”. This is what the loss measures."
)

LOSS_TITLE: Final = N_("The loss")
SURPRISE: Final = N_(
    "How wrong is one answer? The model gave “{word}” the probability {p}, and pays −log p = "
    "**{surprise}** nats. Being sure and right costs 0, and a probability of one half costs 0.69: "
    "the less likely the model thought the right token, the more it pays."
)
LOSS_ASK: Final = N_(
    "A model that knows nothing gives each of {size} tokens the same probability. What does it pay "
    "for the right one, −log p?"
)
LOSS_SAYS: Final = N_("Its p is 1 / {size}, and −log p is {uniform}: a logarithm grows slowly.")
ENTROPY_TITLE: Final = N_("The cross-entropy, and what no model can avoid")
SMOOTH_LOSS: Final = N_(
    "With smoothing, the other tokens count too: each has a small target, and pays its own −log p "
    "for it. Added up over the vocabulary, weighted by the target, this is the *cross-entropy* of "
    "target and answer. The line on top marks the mean over all {size} tokens."
)
FLOOR: Final = N_(
    "The cross-entropy has two parts: the *entropy* H of the target, and the *Kullback–Leibler "
    "divergence* KL, which measures how far the answer is from the target. Only the second depends "
    "on the model, so only that part can be learned away."
)
FLOOR_ASK: Final = N_(
    "The target is smoothed with ε = {epsilon}. Could a perfect model bring the loss down to 0?"
)
YES: Final = N_("Yes")
NO: Final = N_("No")
FLOOR_SAYS: Final = N_(
    "It could not: a model that says exactly the target still pays its entropy, {floor}."
)
NO_FLOOR_SAYS: Final = N_(
    "A one-hot target has the entropy 0, so it could; but p = 1 would take an infinite logit."
)
TARGET_MATH: Final = N_("target")
LOSS_MATH: Final = N_("loss")
SENTENCE_TITLE: Final = N_("The loss, token by token")
SENTENCE_LOSS: Final = N_(
    "The whole sentence costs **{total}**, or {mean} per token: {count} tokens, the end included. "
    "Most surprising is “{word}”. Training adds up thousands of such tokens before each step."
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
NO_SNAPSHOTS: Final = N_(
    "No early moments of this model's training were kept, so only what it became is shown."
)
ANSWERS_TITLE: Final = N_("Their answers as distributions")
ANSWERS: Final = N_(
    "The same pictures for your sentence: the target, then what each model says, one position a "
    "row, one token of the right translation a column. On average, the right token gets {means}. "
    "Each model cuts the text into tokens of its own."
)
CHARACTERS_TITLE: Final = N_("The loss falls")
CHARACTERS: Final = N_(
    "The loss of the right translation, shared out among its characters, from the first step of "
    "training to the last. There is no smoothing in these numbers."
)
FAIR: Final = N_(
    "The models cut the text into different tokens, so losses per token cannot be compared: a few "
    "long tokens are harder to guess than many short ones. But all have to say the same text to "
    "its end, so its loss per character can. There is no smoothing in it."
)
HEAD_START: Final = N_(
    "The right translation is the words of {model} here, which gives that one a head start."
)
SIZES: Final = N_(
    "The first {count} are one small network ({parameters} million numbers, {tokens} tokens) at "
    "different steps of its training; the last one is {model} ({its_parameters} million numbers, "
    "{its_tokens} tokens)."
)
MAPS_TITLE: Final = N_("Alignment grows by itself")
MAP: Final = N_(
    "For each model, you see the encoder-decoder head that looks most sharply at single tokens: on "
    "average, its first choice gets {shares} of its attention. Nobody ever said which word belongs "
    "to which; that grows out of the loss alone."
)

GRADIENT_TITLE: Final = N_("Which way is better: gradients")
GRADIENT: Final = N_(
    "Training knows the way because it can ask each number: if you grew a little, what would the "
    "loss do? The answer is the *gradient*. Here every score q · k of one head is asked: "
    "∂loss/∂score. Each row adds up to 0: who looks more here looks less elsewhere."
)
SIGN: Final = N_(
    "**Minus (red)**: more of this score would lower the loss, so training pushes it up: *look "
    "here more*. **Plus (blue)**: *look here less*."
)
WANTED: Final = N_(
    "The strongest in this map: “{query}” should look **{way}** at “{key}” (gradient {gradient}, "
    "weight now {weight})."
)
MORE: Final = N_("more")
LESS: Final = N_("less")
STILL: Final = N_(
    "All gradients are 0 here: where only one token can be looked at, its weight is 1 whatever its "
    "score."
)
CHECK_TITLE: Final = N_("Is that true? Two runs of the model, and the step downhill")
CHECK: Final = N_(
    "Change one score, “{query}” → “{key}”, by δ, run the whole model again, and see what the loss "
    "L does. The slope that is measured should be the gradient. Click a cell of the gradients to "
    "test another one."
)
CHECKED_SLOPES: Final = N_(
    "The two slopes differ by {difference}: what is left is the curvature of the loss between −δ "
    "and +δ, and rounding."
)
MASKED: Final = N_(
    "This cell is masked: its score becomes −∞ whatever it was, so the loss cannot feel it."
)
ONWARD: Final = N_(
    "Follow the slope down, and the loss falls. But scores are not stored in the model: they are "
    "made of W_Q and W_K. So the gradient is handed on to these matrices, and on to the embeddings "
    "(*backpropagation*), and there each number moves a small step against its own gradient: "
    "*gradient descent*."
)
ALONE: Final = N_("Only the loss of “{word}”")
ALONE_HELP: Final = N_("Otherwise the loss of the whole sentence counts.")

MYTH: Final = N_("Once the right token is the likeliest one everywhere, there is nothing to learn.")
MYTH_TRUTH: Final = N_(
    "The loss asks for probability, not for first place. At {n} of {count} positions of your "
    "sentence the right token already is the likeliest, and these alone still cost {loss} nats. "
    "“{word}” is in front with p = {p}, and pays {cost} all the same."
)
MYTH_NONE: Final = N_(
    "The loss asks for probability, not for first place: a right token that is in front with p = "
    "0.6 still pays 0.51 nats. (In your sentence the right token is nowhere in front.)"
)

QUESTION: Final = N_(
    "In layer {layer}, head {head}: which of these looks would lower the loss most if its score "
    "grew? You find the gradients at “Which way is better”."
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
REASON_LESS: Final = N_(
    "Its gradient is {gradient}: the loss would fall, but another score lowers it more."
)
REASON_MORE: Final = N_("Its gradient is {gradient}: no minus, so the loss would not fall.")
