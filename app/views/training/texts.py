"""What the training page says; translated where it is shown."""

from collections.abc import Mapping
from typing import Final

from app.i18n import N_

INTRO: Final = N_(
    "Choose a task in the sidebar, press **Train**, and watch a small Transformer learn it. Nobody "
    "tells it where to look: the pictures below are its attention on one sentence it never "
    "trains on, filmed as the loss falls."
)
NO_RUN: Final = N_("Nothing was trained here yet. Choose a task in the sidebar and press Train.")

TASKS: Final[Mapping[str, str]] = {
    "copy": N_("Copy letters"),
    "reverse": N_("Reverse letters"),
    "sort": N_("Sort letters"),
    "numbers-es": N_("Spanish numbers to English"),
    "numbers-fr": N_("French numbers to English"),
    "digits-es": N_("Spanish numbers to digits"),
    "digits-fr": N_("French numbers to digits"),
    "phrases-es": N_("Spanish phrase book"),
    "phrases-fr": N_("French phrase book"),
    "own": N_("Your own pairs"),
}
GOALS: Final[Mapping[str, str]] = {
    "copy": N_(
        "Each letter is written again in its place: encoder-decoder attention should become the "
        "diagonal."
    ),
    "reverse": N_(
        "The last letter is written first: encoder-decoder attention should become the "
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
        "Each English word should look at its French one, but for the seventies to nineties, "
        "which French adds up: there it has to look at several."
    ),
    "digits-es": N_("Each digit should look at the Spanish word that says it."),
    "digits-fr": N_(
        "Each digit should look at the French words that say it: three of them for 90."
    ),
    "phrases-es": N_(
        "Most words look at their translation; adjectives and nouns cross over, since Spanish "
        "puts them the other way round."
    ),
    "phrases-fr": N_(
        "Most words look at their translation; adjectives cross over, and “not” looks at the two "
        "halves of the French negation."
    ),
    "own": N_(
        "Where a word has its translation, encoder-decoder attention should find it. A few "
        "thousand short pairs are enough to begin to see it."
    ),
}

ARCHITECTURES: Final[Mapping[str, str]] = {
    "transformer": N_("Transformer (2017)"),
    "rnnsearch": N_("RNNsearch (2015)"),
    "rnn": N_("RNN (2014)"),
}

PRESETS: Final[Mapping[str, str]] = {"tiny": N_("Tiny"), "small": N_("Small"), "base": N_("Base")}
PRESET_HELP: Final = N_(
    "Tiny learns the letter tasks in under a minute; small needs minutes; base is the model of "
    "the paper and needs hours."
)

OWN_FORMAT: Final = N_(
    "One pair a line: a sentence, a tab, its translation. A third column, as in the lists of "
    "Tatoeba and ManyThings, is passed over."
)
READ_PAIRS: Final = N_(
    "**{train}** pairs to train on, **{valid}** held out: their sentences are never trained on, "
    "so they tell whether the model has learned or just remembers."
)
BAD_LINES: Final = N_("Lines that cannot be used: {count}")

STATES: Final[Mapping[str, str]] = {
    "queued": N_("waiting"),
    "running": N_("training"),
    "paused": N_("paused"),
    "stopped": N_("stopped"),
    "finished": N_("completed"),
    "failed": N_("failed"),
    "interrupted": N_("interrupted"),
}
INTERRUPTED: Final = N_("The training was interrupted at step {step}, from outside.")
RESUMES: Final = N_("Resume goes on from step {step}, where it was saved last.")
RESTARTS: Final = N_("Nothing was saved yet: Resume begins again at step 0.")
UNREADABLE: Final = N_("Runs that are left out, as their plan cannot be read: {names}.")
ODD_LINES: Final = N_("Lines of {files} that no training writes are left out.")
STOP_SURE: Final = N_(
    "Stop for good at step {step}? What it has learned is kept, and you can resume it later."
)

AGAIN_SURE: Final = N_(
    "Stop at step {step}, and begin again at step 0 as a new run? What this one has learned is "
    "kept, and you can resume it later."
)
RECORDED: Final = N_(
    "Recorded beforehand: its film and its numbers come with the project, its weights do not. "
    "Rewind to train it here; its model can then be used on every page."
)

FILM: Final = N_(
    "The same sentence at every filmed moment. The model is given the right words so far and has "
    "to say the next; a row shows where one head looks while it does."
)
ROWS: Final = N_(
    "A row “a → b”: the decoder has just read a, and b is right after it. The dashed cells are "
    "the word that b comes from."
)
SCORE: Final = N_(
    "At this moment, the head that looks best where it should is head {head} of layer {layer}: "
    "**{weight}** of its look goes there, over the whole sentence. 1 would be all of it."
)
JUDGED: Final = N_(
    "A point of “sentences exactly right” is a share of {count} sentences held out of the training."
)
UNSMOOTHED: Final = N_(
    "Both losses are without label smoothing: how surprised the model is by the right pieces. The "
    "dotted line, {floor}, is a model that says exactly its smoothed target."
)
SMOOTHED: Final = N_(
    "What this run logged of its training is the loss with label smoothing, which no model brings "
    "below the dotted line, {floor}; validation is without. Compare how they fall, not how high "
    "they are."
)
CURVES: Final = N_("The dashed line is the moment you look at above.")
SAMPLES: Final = N_(
    "Sentences held out of the training, as the model translates them at the moment above. Words "
    "with a solid line are as they should be, those with a dotted line are not."
)
TARGET: Final = N_(
    "What should come next, and what the model expected at that moment. The target is one-hot: 1 "
    "for the right piece, 0 for all others."
)
SMOOTHED_TARGET: Final = N_(
    "What should come next, and what the model expected at that moment. With label smoothing the "
    "target is {right} for the right piece, and {other} for each of the others."
)
COMPARE: Final = N_(
    "The moment you look at above, minus the other one: blue cells are looked at more by now, red "
    "ones less. Each row adds up to 0."
)
OTHER_SENTENCE: Final = N_(
    "These two runs were filmed on different sentences, or cut them into different pieces, so "
    "their pictures cannot be subtracted."
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
FROM_MODEL: Final = N_(
    "It began with the weights of a model that had been trained before, and a fresh optimiser."
)
COMMAND: Final = N_("To train its plan anew on a command line, from the folder of this project:")
TORCHRUN: Final = N_(
    "The same on two machines with two processes each. Run it on both, where the plan lies in the "
    "same place; put the address of the first one for ADDRESS, and `--node-rank 1` on the second. "
    "The batches are shared out, and the gradients added up; the first machine writes the run."
)
SEEDED: Final = N_(
    "The same plan gives the same run, number for number, on the same machine with as many threads."
)

NO_ATTENTION: Final = N_(
    "This network has no attention to film: all that it knows of the sentence is one vector. Its "
    "curves and its translations tell how far it has come."
)

SLOW: Final = N_(
    "Training is one small step, thousands of times. Here is the one that this run takes next, "
    "from what it saved last."
)
SLOW_NOTHING: Final = N_("This run has saved nothing yet that a step could begin with.")
SLOW_RECORDED: Final = N_(
    "A recorded run comes without its weights, so it has no next step. Rewind to train it here, "
    "and take one of its steps apart."
)
SLOW_FAILED: Final = N_("That step could not be taken apart: the run may have been deleted.")
FORWARD: Final = N_(
    "**1 · Forward.** Step {step} reads a batch of {pairs} pairs, {tokens} tokens, and gives each "
    "possible next piece a probability. Some of them:"
)
LOSS: Final = N_(
    "**2 · Loss.** How surprised it is by the right pieces, on average: **{loss}** nats a token."
)
LOSS_SMOOTHED: Final = N_(
    "**2 · Loss.** How surprised it is by the right pieces, on average: {unsmoothed} nats a token. "
    "The loss that it lowers is **{loss}**: label smoothing gives {share} of the target to all "
    "pieces alike."
)
BACKWARD: Final = N_(
    "**3 · Backward.** Every weight is asked which way would lower that loss. The answers "
    "together are the gradient; its length is {norm}."
)
CLIPPED: Final = N_(
    "That is too long a step to be trusted, so it is *clipped*: multiplied by {scale}."
)
UPDATE: Final = N_(
    "**4 · Update.** The optimiser turns the gradient into a small change of each weight, at the "
    "learning rate {rate}. For each part of the model, the length of all its numbers together:"
)
AFTER: Final = N_(
    "**5 · Again.** The same batch after the step: the loss goes from {before} to **{after}**."
)
BETTER: Final = N_("It has become a little less wrong.")
WORSE: Final = N_(
    "On this batch it is no better yet: a step may overshoot, or serve other sentences more."
)
OVER: Final = N_(
    "This run has come to its end, where the learning rate is 0: nothing moves any more. Pause a "
    "run halfway, or train this one on, to see a step at work."
)
