"""The training page's texts; translated where they are shown."""

from collections.abc import Mapping
from typing import Final

from app.i18n import N_

INTRO: Final = N_(
    "Nobody tells it where to look: the film shows its attention on a sentence it never trains on."
)
RUN_FAILED: Final = N_("This run could not be shown; the server's log says why.")

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
        "Each English word should look at its French counterpart. From 70 to 99, French adds "
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

OWN_FORMAT: Final = N_(
    "One pair per line: a sentence, a tab, its translation. Instead of the tab, “;”, “=”, “→”, a "
    "comma or several blanks will do, if all lines have it. A third column, as in the lists of "
    "Tatoeba and ManyThings, is ignored."
)
PARTED_BY: Final = N_("Each line was read as a sentence, “{separator}”, its translation.")
PARTED_BY_BLANKS: Final = N_("Each line was read as a sentence, several blanks, its translation.")
BAD_LINES: Final = N_("Lines that cannot be used: {count}")

STOP_SURE: Final = N_(
    "Stop at step {step}? What the run has learned is kept, and you can resume it later."
)

AGAIN_SURE: Final = N_(
    "Stop at step {step}, and start again at step 0 as a new run? What this run has learned is "
    "kept, and you can resume it later."
)

FILM: Final = N_(
    "The same sentence at every filmed moment. The model is given the right tokens so far (teacher "
    "forcing) and has to predict the next one; a row shows where one head looks as it does so."
)
SCORE: Final = N_(
    "Layer {layer}, head {head} of encoder-decoder attention: at this moment, over the whole "
    "sentence, **{weight}** of its attention goes where it should; 1 would be perfect."
)
UNSMOOTHED: Final = N_(
    "Both losses are without label smoothing: how surprised the model is by the right tokens. The "
    "dotted line, {floor}, is a model that matches its smoothed target exactly."
)
SMOOTHED: Final = N_(
    "This run logged its training loss with label smoothing, so it cannot fall below the "
    "dotted line, {floor}; the validation loss has no smoothing. Compare how they fall, not "
    "how high they are."
)
REPLAY: Final = N_(
    "Type a sentence and see what the model made of it at each moment of the film. The weights of "
    "filmed moments are kept in 16 bits, all of them for a small model and fewer for a large one."
)
REPLAY_RECORDED: Final = N_(
    "A recorded run comes without its weights. Rewind to train it here, then type a sentence."
)
REPLAY_NOTHING: Final = N_("The weights of this run's filmed moments were not kept.")
REPLAYED: Final = N_(
    "At each moment the model is given the last moment's translation so far (teacher forcing), "
    "and “wrote” is its own translation at that moment. Underlined words are the same as at "
    "the end."
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
COMMAND: Final = N_("To train the same plan on the command line, run this in the project's folder:")
TORCHRUN: Final = N_(
    "The same on two machines with two processes each. Run it on both, with the plan in the "
    "same place; replace ADDRESS with the address of the first machine, and write `--node-rank "
    "1` on the second. The processes share each batch and add up their gradients; the first "
    "machine writes the run."
)
CHANGED: Final = N_(
    "The plan was changed along the way, say for more steps: as it is now, it gives a "
    "different run from this one."
)
SEEDED: Final = N_(
    "The same plan gives the same run, number for number, on the same machine with the same number "
    "of threads."
)


SLOW: Final = N_(
    "Training is one small step, thousands of times. Here is the step that follows this run's "
    "last checkpoint; for a run whose learning rate has fallen to 0, it is the run's own last "
    "step."
)
SLOW_NOTHING: Final = N_("This run has not yet saved a checkpoint that a step could start from.")
SLOW_RECORDED: Final = N_(
    "A recorded run comes without its weights, so it has no next step. Rewind to train it here, "
    "then take one of its steps apart."
)
LOSS: Final = N_(
    "**2 · Loss.** How surprised it is by the right tokens, on average: **{loss}** nats per token."
)
LOSS_SMOOTHED: Final = N_(
    "**2 · Loss.** How surprised it is by the right tokens, on average: {unsmoothed} nats per "
    "token. The loss it lowers is **{loss}**: label smoothing spreads {share} of the target evenly "
    "over all tokens."
)
CLIPPED: Final = N_(
    "That is longer than this training allows, so the gradient is *clipped*: multiplied by {scale}."
)
BETTER: Final = N_("The model has become a little less wrong.")
WORSE: Final = N_(
    "On this batch it is no better yet: a step can overshoot, or help other sentences more."
)
OVER: Final = N_(
    "This run has reached its end, where the learning rate is 0 and nothing moves any more. To see "
    "a step at work, pause a run halfway or continue this one."
)
