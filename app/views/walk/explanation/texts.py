"""Chapter 14: what the page says about attention as an explanation."""

from typing import Final

from app.i18n import N_

INTRO: Final = N_(
    "A map of attention looks like a reason: the model wrote this word because it looked at that "
    "one. Whether it is one has been argued in papers that answer each other. Here are the claim "
    "and the counter-claim, each with what this model says."
)
SAMPLES: Final = {
    "phrases-es": N_("Spanish sentences of our phrase book"),
    "phrases-fr": N_("French sentences of our phrase book"),
}

CLAIMS_TITLE: Final = N_("Claim and counter-claim")
JAIN: Final = N_(
    "**Attention is not explanation** (Jain & Wallace 2019). Weights hardly agree with gradients "
    "and with leave-one-out, and quite different weights can give the same answer. If two maps "
    "lead to one output, neither is *the* reason."
)
JAIN_HERE: Final = N_(
    "*Here:* weights, the mean of all heads, rank the source tokens like leave-one-out with a rank "
    "correlation of {rho}; in {found} of the searches other weights with the same output were "
    "found, at a distance of {distance} (1 is the farthest)."
)
WIEGREFFE: Final = N_(
    "**Attention is not not explanation** (Wiegreffe & Pinter 2019). An explanation need not be "
    "the only one. Weights made up for one sentence are no model that anybody trained; the test "
    "is whether attention matters at all: make it uniform, and see what is lost."
)
WIEGREFFE_HERE: Final = N_(
    "*Here:* with uniform attention over the source in all layers, a token loses {lost} nats of "
    "log p; in one layer alone, from {least} to {most}."
)
BASTINGS: Final = N_(
    "**The elephant in the interpretability room** (Bastings & Filippova 2020). Say what you want "
    "to know. If it is which input words mattered for the output, ask that: gradients and "
    "leave-one-out do, and a weight of one layer does not."
)
BASTINGS_HERE: Final = N_(
    "*Here:* closest to leave-one-out comes “{best}”, with {rho}; weights, the mean of all heads, "
    "put the same token first for {mean} of the tokens, “{best}” for {same}."
)
SAMPLE: Final = N_(
    "Measured once, on one token of each of {n} {sample}; `python -m model evidence` makes the "
    "numbers again."
)
NO_SAMPLE: Final = N_(
    "This model carries no numbers about a sample; the screens that follow ask it about your "
    "sentence. For a sample: `{command}`"
)

AGREE_TITLE: Final = N_("Do weights agree with experiments?")
AGREE: Final = N_(
    "Hide one source token after the other: what “{word}” loses is an experiment, leave-one-out. "
    "Each row ranks the source tokens in another way and compares with that: +1 is the same order, "
    "0 no relation. First column: your token."
)
AGREE_SAMPLE: Final = N_(
    "The others: {n} tokens of the sample. For your token “{best}” comes closest, on the sample "
    "“{sampled}”."
)
AGREE_ASK: Final = N_(
    "On {n} tokens of a sample: which of these ranks the source tokens most like leave-one-out?"
)
AGREE_SAYS: Final = N_("It is “{best}”, with a mean rank correlation of {rho}.")
AGREE_MAP: Final = N_("rank correlation with leave-one-out")
SAME_MAP: Final = N_("same token first")
YOURS: Final = N_("your token")
MEAN: Final = N_("sample's mean")
NO_RANKS: Final = N_("one of both gives all tokens the same")
BEST_HEAD: Final = N_("sharpest head")

SAME_TITLE: Final = N_("The same output")
SEARCH_TITLE: Final = N_("Other attention, same output")
SEARCH: Final = N_(
    "All heads of layer {layer} may look anywhere while “{word}” is written; the rest of the model "
    "stays. Gradients push their weights away from the model's own, and back whenever the "
    "distribution of the next token moves by more than {most} (total variation)."
)
SEARCHING: Final = N_("Step {step} of {all}: distance {distance}")
STOP: Final = N_("Stop the search")
AGAIN: Final = N_("Search again")
FOUND: Final = N_(
    "Found, and run once more with these weights: their distance from the model's own is "
    "**{distance}** (Jensen-Shannon, 0 is the same, 1 the farthest), and the output has moved by "
    "**{moved}**. The model's heads gave most to “{key}”, {before} on average; now it is {after}."
)
NOT_FOUND: Final = N_("Nothing was found so far: all other maps that were tried change the output.")
OWN_MAP: Final = N_("the model's own weights")
OTHER_MAP: Final = N_("found weights")
OUTPUT_MAP: Final = N_("probability of the next token")
OWN, OTHER = N_("the model"), N_("found")

UNIFORM_TITLE: Final = N_("Does it matter at all?")
UNIFORM: Final = N_(
    "Now no made-up weights: every head looks at all source tokens alike, for the whole sentence. "
    "“{word}” changes its log p by {one} if only layer {layer} does so, and by {all} if all layers "
    "do. That there *are* other weights with the same output does not mean that *any* will do."
)
UNIFORM_ASK: Final = N_(
    "The model gives “{word}” a probability of {before}. All heads of all layers look at all "
    "source tokens alike: what is left of it?"
)
UNIFORM_OPTIONS: Final = (N_("More than half"), N_("Less than half"))
UNIFORM_SAYS: Final = N_("{after} is left.")
UNIFORM_MAP: Final = N_("Δ log p with uniform attention")
ALL_LAYERS: Final = N_("all layers")

CONCLUDE_TITLE: Final = N_("What one may conclude")
CONCLUDE: Final = N_(
    "- **A weight is a fact about the computation**, and an exact one: so much of this vector goes "
    "into that sum. It is not a measure of what the word was worth.\n"
    "- **One map is not the reason.** There are other maps with the same output, and vectors are "
    "mixtures when a layer looks at them. Say “head 3 of layer 2 looks at”, not “the model "
    "chose this because of”.\n"
    "- **Attention matters all the same.** Make it uniform and the translation suffers; mute a "
    "head and see which word does.\n"
    "- **Ask the question that you have.** Which input mattered: leave-one-out or gradients. "
    "What a head does: mute it. What a layer moves: norms. Then compare: where several agree, "
    "you may believe it; where they differ, say so."
)

MYTH: Final = N_("Attention marks the important words.")
MYTH_TRUTH: Final = N_(
    "Attention says where a head looked. What mattered, only an experiment tells. In your "
    "sentence, the token with the most attention (mean of all heads) is the one that is missed "
    "most when it is left out for {same} of {n} written tokens. For “{word}” it is not: attention "
    "says “{looked}”, leave-one-out “{missed}”."
)
MYTH_ALL: Final = N_(
    "In your sentence both name the same token for all {n} written tokens: here one could not "
    "tell them apart. Try a longer one; the sample shows how often they differ."
)

ASK: Final = N_("Which of these ranks the source tokens for “{word}” most like leave-one-out does?")
RIGHT: Final = N_("Yes: “{best}”, with {rho}.")
WRONG: Final = N_("It is “{best}”, with {rho}. Open “Do weights agree with experiments?”.")

CODE_RANKS: Final = N_("Rank correlation")
CODE_SEARCH: Final = N_("The search")
CODE_DISTANCE: Final = N_("How far two maps are apart")
CODE_UNIFORM: Final = N_("Many changes of one run at once")
