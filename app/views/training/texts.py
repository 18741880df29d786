"""The training page's texts; translated where they are shown."""

from collections.abc import Mapping
from typing import Final

from app.i18n import N_

INTRO: Final = N_(
    "Nobody tells it where to look: the film shows its attention on a sentence it never trains on."
)
NO_RUN: Final = N_(
    "Nothing has been trained on this task yet. Press **Train** in the sidebar, and its film "
    "begins here."
)
PAIRS: Final = N_("Pairs of this task:")
RUN_FAILED: Final = N_("This run could not be shown; the server's log says why.")
CLASS_FAILED: Final = N_("The class could not be shown; the server's log says why.")
SERVER: Final = N_(
    "Version {version}, started {since}. Another copy of the server counts its own visitors, "
    "moves and memory; runs and the disk are those of all copies."
)

GOALS: Final[Mapping[str, str]] = {
    "copy": N_(
        "Each letter is copied to the same position: encoder-decoder attention should become a "
        "diagonal."
    ),
    "reverse": N_(
        "The last letter is written first: encoder-decoder attention should become an "
        "anti-diagonal."
    ),
    "sort": N_(
        "The letters are written from a to z: attention should jump to wherever the next letter "
        "of the alphabet stands."
    ),
    "numbers-es": N_(
        "Each English word of a number should look at the Spanish word of the same size: "
        "hundreds at hundreds, tens at tens."
    ),
    "numbers-fr": N_(
        "Each English word should look at its French counterpart. From 70 to 99 French adds "
        "numbers up, so there it has to look at several words."
    ),
    "digits-es": N_("Each digit should look at the Spanish word that says it."),
    "digits-fr": N_(
        "Each digit should look at the French words that say it: three of them for 90."
    ),
    "phrases-es": N_(
        "Most words should look at their translation. Adjectives and nouns cross over, because "
        "Spanish usually puts the noun first."
    ),
    "phrases-fr": N_(
        "Most words should look at their translation. Adjectives cross over, and “not” looks at "
        "both halves of the French negation."
    ),
    "own": N_(
        "Where a word has a translation, encoder-decoder attention should find it. A few thousand "
        "short pairs are enough to see this begin."
    ),
}

ARCHITECTURES: Final[Mapping[str, str]] = {
    "transformer": N_("Transformer (2017)"),
    "rnnsearch": N_("RNNsearch (2015)"),
    "rnn": N_("RNN (2014)"),
}

PRESETS: Final[Mapping[str, str]] = {"tiny": N_("Tiny"), "small": N_("Small"), "base": N_("Base")}
PRESET_HELP: Final = N_(
    "Tiny learns the letter tasks in under a minute, and small takes minutes. Base has the size of "
    "the paper's base model: without a graphics processor it takes days."
)

OWN_FORMAT: Final = N_(
    "One pair per line: a sentence, a tab, its translation. Instead of the tab, “;”, “=”, “→”, a "
    "comma or several blanks will do, if all lines have it. A third column, as in the lists of "
    "Tatoeba and ManyThings, is ignored."
)
READ_PAIRS: Final = N_(
    "**{train}** pairs to train on, **{valid}** held out. The model never trains on those, so they "
    "show whether it has learned or only remembers."
)
PARTED_BY: Final = N_("Each line was read as a sentence, “{separator}”, its translation.")
PARTED_BY_BLANKS: Final = N_("Each line was read as a sentence, several blanks, its translation.")
DOUBLES: Final = N_("Pairs that stood there twice are used once; left out: {count}.")
BAD_LINES: Final = N_("Lines that cannot be used: {count}")

INTERRUPTED: Final = N_("The training was interrupted from outside, at step {step}.")
RESUMES: Final = N_("“Resume” continues from step {step}, where the run was last saved.")
RESTARTS: Final = N_("Nothing has been saved yet: “Resume” starts again at step 0.")
UNREADABLE: Final = N_("Runs not listed, because their plan cannot be read: {names}.")
ODD_LINES: Final = N_("Lines of {files} that no training could have written are ignored.")
STOP_SURE: Final = N_(
    "Stop at step {step}? What the run has learned is kept, and you can resume it later."
)

AGAIN_SURE: Final = N_(
    "Stop at step {step}, and start again at step 0 as a new run? What this run has learned is "
    "kept, and you can resume it later."
)
RECORDED: Final = N_(
    "A recorded run: its film and its numbers come with the project, its weights do not. Rewind to "
    "train it here; then every page can use its model."
)

FILM: Final = N_(
    "The same sentence at every filmed moment. The model is given the right tokens so far (teacher "
    "forcing) and has to predict the next one; a row shows where one head looks as it does so."
)
ROWS: Final = N_(
    "Row “a → b”: the decoder has just read a, and the right next token is b. The dashed cells are "
    "the source tokens that b comes from."
)
SCORE: Final = N_(
    "Layer {layer}, head {head} of encoder-decoder attention: at this moment, over the whole "
    "sentence, **{weight}** of its attention goes where it should; 1 would be perfect."
)
JUDGED: Final = N_(
    "“Sentences exactly right” is the share of {count} held-out sentences that come out word for "
    "word."
)
UNSMOOTHED: Final = N_(
    "Both losses are without label smoothing: how surprised the model is by the right tokens. The "
    "dotted line, {floor}, is a model that matches its smoothed target exactly."
)
SMOOTHED: Final = N_(
    "This run logged its training loss with label smoothing, which cannot fall below the dotted "
    "line, {floor}; the validation loss is without. Compare how they fall, not how high they are."
)
CURVES: Final = N_("The dashed line is the moment chosen above.")
SAMPLES: Final = N_(
    "Held-out sentences, as the model translated them at the moment chosen above. A solid line "
    "marks right words, a dotted line wrong ones."
)
NO_SAMPLES: Final = N_("No held-out sentence has been translated yet.")
HELD_OUT: Final = N_(
    "{count} held-out sentences, as the model translated them at step {step}; {wrong} of them have "
    "an error. All of this follows the moment chosen above."
)
REPLAY: Final = N_(
    "Type a sentence and see what the model made of it at each moment of the film. The weights of "
    "filmed moments are kept in 16 bits, all of them for a small model and fewer for a large one."
)
REPLAY_RECORDED: Final = N_(
    "A recorded run comes without its weights. Rewind to train it here, then type a sentence."
)
REPLAY_NOTHING: Final = N_("The weights of this run's filmed moments were not kept.")
REPLAY_LATER: Final = N_("Pause the run, or wait for its end, to replay a sentence.")
REPLAYED: Final = N_(
    "At each moment the model is given the last moment's translation so far (teacher forcing), and "
    "“wrote” is its own translation at that moment. Underlined words are as at the end."
)
TARGET: Final = N_(
    "What should come next, and what the model expected at that moment. The target is one-hot: 1 "
    "for the right token, 0 for all others."
)
SMOOTHED_TARGET: Final = N_(
    "What should come next, and what the model expected at that moment. With label smoothing the "
    "target is {right} for the right token, and {other} for each of the others."
)
SWEEP: Final = N_(
    "Two or three values of one or two settings: each combination is a run with the same seed. "
    "They train one after the other, and their curves are laid over each other."
)
LAID_OVER: Final = N_("At most nine runs: one curve for each, named by what differs.")
COMPARE: Final = N_(
    "The moment chosen above, minus the other one: blue cells get more attention at the first, red "
    "ones less. Each row adds up to 0."
)
SMALLER: Final = N_("The other run has no such layer and head: choose another one above.")

NO_PLAN: Final = N_("This model came without its plan: its zip does not say how it was trained.")
PLAN: Final = N_(
    "**{task}**, {pairs} pairs. A Transformer with {layers} + {decoder} layers of {heads} heads, "
    "d_model {d_model}, d_ff {d_ff}, {norm}-norm, dropout {dropout}. {optimizer} with the "
    "{schedule} schedule up to {rate}, {warmup} steps of warm-up; {batch} tokens a batch, label "
    "smoothing {smoothing}, seed {seed}."
)
PLAN_RECURRENT: Final = N_(
    "**{task}**, {pairs} pairs. {arch}, d_model {d_model}, states of {d_hidden} numbers, dropout "
    "{dropout}. {optimizer} with the {schedule} schedule up to {rate}, {warmup} steps of warm-up; "
    "{batch} tokens a batch, label smoothing {smoothing}, seed {seed}."
)
FROM_MODEL: Final = N_("It started from the weights of a trained model, with a fresh optimiser.")
COMMAND: Final = N_("To train the same plan on the command line, run this in the project's folder:")
TORCHRUN: Final = N_(
    "The same on two machines with two processes each. Run it on both, with the plan in the same "
    "place; replace ADDRESS by the address of the first machine, and write `--node-rank 1` on the "
    "second. The processes share each batch and add up their gradients; the first machine writes "
    "the run."
)
ANOTHER_RATE: Final = N_("From step {step} on, the highest learning rate is {rate}.")
CHANGED: Final = N_(
    "The plan was changed on the way, for more steps say: as it is now, it gives another run than "
    "this one."
)
SEEDED: Final = N_(
    "The same plan gives the same run, number for number, on the same machine with the same number "
    "of threads."
)

NO_ATTENTION: Final = N_(
    "This network has no attention to film: all it knows about the sentence is one vector. Its "
    "curves and translations show how far it has come."
)

SLOW: Final = N_(
    "Training is one small step, thousands of times. Here is the step that follows this run's last "
    "checkpoint; of a run whose learning rate has fallen to 0, its own last step."
)
SLOW_NOTHING: Final = N_("This run has not saved a checkpoint yet that a step could start from.")
SLOW_RECORDED: Final = N_(
    "A recorded run comes without its weights, so it has no next step. Rewind to train it here, "
    "then take one of its steps apart."
)
SLOW_FAILED: Final = N_("That step could not be taken apart: the run may have been deleted.")
FORWARD: Final = N_(
    "**1 · Forward.** Step {step} reads a batch of {pairs} pairs, {tokens} tokens, and gives every "
    "possible next token a probability. Some of the pairs:"
)
LOSS: Final = N_(
    "**2 · Loss.** How surprised it is by the right tokens, on average: **{loss}** nats per token."
)
LOSS_SMOOTHED: Final = N_(
    "**2 · Loss.** How surprised it is by the right tokens, on average: {unsmoothed} nats per "
    "token. The loss it lowers is **{loss}**: label smoothing spreads {share} of the target evenly "
    "over all tokens."
)
BACKWARD: Final = N_(
    "**3 · Backward.** Backpropagation finds how the loss would change if each weight grew a "
    "little. All these numbers together are the gradient; its length is {norm}."
)
CLIPPED: Final = N_(
    "That is longer than this training allows, so the gradient is *clipped*: multiplied by {scale}."
)
UPDATE: Final = N_(
    "**4 · Update.** The optimiser turns the gradient into a small change of each weight, with the "
    "learning rate {rate}. For each part of the model, the length of its gradient and of its "
    "change, each taken as one vector:"
)
AFTER: Final = N_(
    "**5 · Again.** The same batch after the step: the loss goes from {before} to **{after}**."
)
BETTER: Final = N_("The model has become a little less wrong.")
WORSE: Final = N_(
    "On this batch it is no better yet: a step can overshoot, or help other sentences more."
)
OVER: Final = N_(
    "This run has reached its end, where the learning rate is 0 and nothing moves any more. To see "
    "a step at work, pause a run halfway or continue this one."
)
NAME_HELP: Final = N_("Letters, digits, spaces, hyphens and underscores: at most {most}.")
