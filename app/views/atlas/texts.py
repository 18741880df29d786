"""The words of the page Head atlas."""

from collections.abc import Mapping
from dataclasses import dataclass
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


@dataclass(frozen=True)
class Named:
    """A measure: what it is called, and what it says; `looks` if norms may replace the weights."""

    title: str
    says: str
    looks: bool = False


ROLE_SHARE: Final = "role"
MEASURES: Final[Mapping[str, Named]] = {
    ROLE_SHARE: Named(
        N_("Role"),
        N_("How much of its weight goes where its role says; 0: it has no clear role."),
    ),
    "log_p_lost": Named(
        N_("Muted: log p lost"),
        N_("How far log p of each reference token falls, on average, without this head alone."),
    ),
    "bleu_lost": Named(
        N_("Muted: BLEU lost"),
        N_(
            "How many points of BLEU the translations lose without this head alone, on few "
            "sentences."
        ),
    ),
    "gradient": Named(
        N_("Muted: as the gradient predicts"),
        N_("What the gradient at the head's output says that muting would cost, without muting."),
    ),
    "gradient_size": Named(
        N_("Size of the gradient"),
        N_("The mean absolute gradient at the head's output (Michel et al. 2019)."),
    ),
    "output_share": Named(
        N_("Share of the sub-layer's output"),
        N_("The head's part of the attention's output; all heads and the bias together make 1."),
    ),
    "lens": Named(
        N_("Raises the right token most"),
        N_("How often the token that the head's vector raises most is the reference's next one."),
    ),
    "entropy": Named(
        N_("Entropy, in bits"), N_("0: all weight on one token. Larger: more spread out."), True
    ),
    "effective": Named(
        N_("Tokens it looks at"),
        N_("2 to the entropy: as many tokens with equal weights have the same entropy."),
        True,
    ),
    "distance": Named(
        N_("Distance, in tokens"), N_("How far away it looks, on average over the weights."), True
    ),
    "itself": Named(N_("Share: itself"), N_("The weight on the token that looks."), True),
    "before": Named(N_("Share: the token before"), N_("The weight on the token before."), True),
    "after": Named(N_("Share: the token after"), N_("The weight on the token after."), True),
    "first": Named(N_("Share: the first word"), N_("The weight on the first token."), True),
    "last": Named(
        N_("Share: the end of the sentence"), N_("The weight on the last token before <eos>."), True
    ),
    "bos": Named(N_("Share: <bos>"), N_("The weight on the beginning token."), True),
    "eos": Named(N_("Share: <eos>"), N_("The weight on the end token."), True),
    "punctuation": Named(N_("Share: punctuation"), N_("The weight on punctuation marks."), True),
    "sink": Named(
        N_("Share: attention sinks"),
        N_(
            "The weight on the first token, on <eos> and on a mark at the end: where a head rests "
            "that finds nothing to look for."
        ),
        True,
    ),
    "word_start": Named(
        N_("Share: beginnings of words"), N_("The weight on tokens that start a word."), True
    ),
    "inside": Named(N_("Share: insides of words"), N_("The weight on tokens inside a word."), True),
    "same": Named(
        N_("Share: the same word"),
        N_(
            "The weight on other tokens like the one that looks; over the source, on tokens like "
            "the one being written."
        ),
        True,
    ),
    "writes": Named(
        N_("Share: the word it writes"),
        N_("The weight on the source words that say what is being written."),
        True,
    ),
    "reads": Named(
        N_("Share: the word just written"),
        N_("The weight on the source words that say what was written last."),
        True,
    ),
}
ROLES: Final[Mapping[str, str]] = {
    "itself": N_("looks at itself"),
    "before": N_("looks at the token before"),
    "after": N_("looks at the token after"),
    "first": N_("looks at the first word"),
    "last": N_("looks at the end of the sentence"),
    "bos": N_("looks at <bos>"),
    "eos": N_("looks at <eos>"),
    "punctuation": N_("looks at punctuation"),
    "same": N_("looks at the same word"),
    "writes": N_("looks at the word it writes"),
    "reads": N_("looks at the word just written"),
}
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
