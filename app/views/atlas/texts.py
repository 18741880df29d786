"""The texts of the page “Head atlas”."""

from collections.abc import Mapping
from typing import Final, Literal

from app.i18n import N_

By = Literal["weights", "norms"]
INTRO: Final = N_(
    "What is each head for? Every head of this model was measured on {n} sentences ({sample}). "
    "A cell is a head: click it to open its card."
)
TOOK: Final = N_("It took a processor {seconds} s.")
OF_ROLE: Final = N_("**{role}** (layer.head): {heads}")
LARGEST: Final = N_("Largest (layer.head): {largest}. Smallest: {smallest}.")
SPREAD: Final = N_(
    "**Over the sentences of the sample**: the share of them that lies below each value; half lie "
    "below the one in the middle."
)
HINT: Final = N_("Point at a cell, or walk with the arrow keys. A click or Enter opens its card.")
MATRIX: Final = N_("{title}, {rows} × {cols}; arrow keys walk, Enter opens the card of a head")
NO_ATLAS: Final = N_(
    "Nobody has measured the heads of this model yet, or its weights changed since. This command "
    "does it: `{command}`"
)
MEASURE_IT: Final = N_("Measure its heads")
CAN_MEASURE: Final = N_(
    "Nobody has measured the heads of this model yet, or its weights changed since. Measuring them "
    "takes sentences that its task held out from training, and runs in the background: a small "
    "model takes seconds, a large one minutes."
)
STILL_TRAINING: Final = N_("This run is still going. Its heads can be measured once it has ended.")
JOB_QUEUED: Final = N_("It begins as soon as no other atlas is being made.")
JOB_DRAWS: Final = N_("The held-out sentences are being drawn.")
JOB_RUNS: Final = N_("{done} of {total} parts are measured, after {seconds} s.")
JOB_STOPPED: Final = N_("Measuring was stopped. What was measured is kept: it goes on from there.")
JOB_INTERRUPTED: Final = N_(
    "Measuring ended before its time. What was measured is kept: it goes on from there."
)
STOP_TIP: Final = N_("What was measured is kept, and you can continue later.")
KINDS: Final[Mapping[str, str]] = {
    "encoder": N_("Encoder self-attention"),
    "decoder": N_("Decoder self-attention"),
    "cross": N_("Encoder-decoder attention"),
}
ONLY: Final[Mapping[str, str]] = {
    "all": N_("All three"),
    "encoder": N_("Encoder"),
    "decoder": N_("Decoder"),
    "cross": N_("Encoder-decoder"),
}
BY: Final[Mapping[By, str]] = {
    "weights": N_("Weights"),
    "norms": N_("Lengths of α·v·W_O"),
}
BY_TIP: Final = N_(
    "A large weight on a short vector carries little: the length of α·v·W_O counts both "
    "(Kobayashi et al. 2020)."
)
ROLE: Final = N_(
    "**Role: {role}**, with {share} of its weight on sentences that did not choose this role "
    "(at least {threshold} are asked for)."
)
NO_ROLE: Final = N_(
    "**No clear role**: nothing of what was measured gets {threshold} of its weight."
)
MUTED: Final = N_(
    "Muted alone on the sample, it costs {log_p} of log p a token, where the gradient predicted "
    "{gradient}, and {bleu} points of BLEU, on {n} sentences only."
)
LENS: Final = N_("What it writes raises these tokens most: {tokens}.")
TYPICAL: Final = N_("Typical")
UNTYPICAL: Final = N_("Untypical")
FAILS: Final = N_("Where its role fails")
YOURS: Final = N_("On your sentence")
MUTE: Final = N_("Mute it in your translation")
SCATTER: Final = N_("Two measures, one point a head")
SCATTER_SAYS: Final = N_("Rank correlation over the heads shown: {r}.")
NONE_LEFT: Final = N_("No head shown has this measure: choose another one, or show more heads.")
PRUNING: Final = N_("How many heads can go?")
PRUNING_SAYS: Final = N_(
    "Heads muted one after the other, each time the one that hurts least of the {tried} that were "
    "last known to hurt least, chosen on {n} sentences; log p is that of {held_out} others. "
    "Muting {half} of {all} heads costs {lost} of log p a token."
)
SINKS: Final = N_("Where do heads rest?")
SINKS_SAYS: Final = N_(
    "A softmax has to give away all of its weight, even where a head finds nothing to look for. "
    "Then much of it goes to the first token, to <eos> or to a full stop: an **attention sink** "
    "(Xiao et al. 2024). {count} of {n} heads give such tokens at least half of their weight; "
    "{head} gives most, {weight}. Measured by the lengths of α·v·W_O, by what is really carried, "
    "that is {carried}."
)
ALIGNMENT: Final = N_("How often is attention an alignment?")
ALIGNMENT_SAYS: Final = N_(
    "The alignment error rate compares the links that a head makes between words with the true "
    "ones: 0 is perfect, and at 50 about half of them are wrong or missing. A word's row is that "
    "of the step that writes it, or of the next step, which has just read it. Links go from each "
    "target word to the source word that it looks at most, from each source word to the target "
    "word that looks at it most, or count only where both agree. The best head and the best mean "
    "of some heads are chosen on half of the sentences and scored on the other half."
)
ALIGNMENT_BEST: Final = N_(
    "- **{sentences}**: at best {head} for one head, {layer} for the mean of a layer, {mean} for a "
    "chosen mean of heads. The usual picture, a layer's mean at the step that writes the word, "
    "each target word linked once: {usual}."
)
GOLD: Final[Mapping[str, str]] = {"parliament.tsv": N_("Speeches of a parliament")}
WAYS: Final[Mapping[str, str]] = {
    "target": N_("from the target"),
    "source": N_("from the source"),
    "both": N_("both agree"),
}
ROWS: Final = {"writes": N_("writes the word"), "reads": N_("has read the word")}

OVER: Final = N_("When did this head find its role?")
OVER_FILM: Final = N_(
    "The weights on the one sentence that this run filmed, at {n} steps of its training."
)
OVER_SAMPLE: Final = N_("The weights on {sentences} sentences, at {n} steps of the training.")
OVER_FOUND: Final = N_(
    "**{head} {role}**: from step {step} on, to the end at step {last}, it gives that at least "
    "{threshold} of its weight."
)
OVER_ALWAYS: Final = N_(
    "**{head} {role}**, and has given that at least {threshold} of its weight from the first of "
    "these steps on."
)
OVER_LATE: Final = N_(
    "**{head} {role}** on the whole sample, but on these sentences it ends with {share} of its "
    "weight, below {threshold}: no step can be named."
)
OVER_NEVER: Final = N_(
    "**{head}** never found a clear role: at none of these steps does it give {threshold} of its "
    "weight to one thing. It came nearest at step {step}, when it {role} with {share}."
)
OVER_LOST: Final = N_(
    "**{head}** has no clear role at the end, but it had one: at step {step} it {role} with "
    "{share} of its weight, where {threshold} are asked for."
)
OVER_NONE: Final = N_(
    "Nobody can say of this model: no earlier moment of its training was kept with it. Of a small "
    "one, four were kept, and each of its heads was measured at all four."
)
OVER_NO_FILM: Final = N_(
    "Nobody can say of this model: no sentence was filmed while it was trained. A run that films "
    "one has its heads followed at each filmed step."
)
OVER_OTHER: Final = N_("See the heads of the model that was followed")
OTHER_HEADS: Final = N_("the other heads of this attention")
EACH: Final = N_("Does every head have one role?")
EACH_GUESS: Final = N_("How many of the {n} heads of this model have a clear role?")
EACH_OPTIONS: Final = (
    N_("None of them"),
    N_("Less than half"),
    N_("Half or more, but not all"),
    N_("All of them"),
)
EACH_ANSWER: Final = N_("It is {count} of {n}.")
EACH_MYTH: Final = N_(
    "**“Every head has one role”** is what pictures of a few chosen heads suggest. Here {count} of "
    "{n} heads give at least {threshold} of their weight to one thing: {roles}."
)
EACH_STEADY: Final = N_(
    "Even a role is an average: of those heads, {count} fall below {threshold} in at least a tenth "
    "of the sentences."
)
EACH_MUTED: Final = N_(
    "Of the heads without a role, {head} matters most: muted alone, it costs {lost} of log p a "
    "token."
)
