"""What the chapter on add & normalise and feed-forward says; translated where it is shown."""

from typing import Final

from app.i18n import N_

INTRO: Final = N_(
    "Attention never replaces a word's vector: what it found is added to it. The sum is kept in "
    "bounds by normalising. Then a small network of its own thinks about each word alone. These "
    "steps are plain, and without them nothing so deep could be trained."
)

PARTS: Final = {
    "self_attn": N_("Self-attention"),
    "cross_attn": N_("Encoder-decoder attention"),
    "ffn": N_("Feed-forward"),
    "last": N_("Last norm"),
}
SUB_HELP: Final = N_("Around each of them the layer adds and normalises once.")

STEPS: Final = {
    "post": N_("This model does it as the paper does: first add, then normalise (post-norm)."),
    "pre": N_(
        "The paper adds first and normalises the sum (post-norm). This model does it the other way "
        "round, as most models do today: it normalises first, and adds last (pre-norm). The steps "
        "below are in the order in which they happen here."
    ),
}
LAST_NORM: Final = N_(
    "After its last layer, the stack normalises once more, whatever layer you chose: nothing is "
    "added here, and what comes out leaves the stack."
)

OUT: Final = {"post": N_("sub-layer(x)"), "pre": N_("sub-layer(norm(x))")}
SUMMED: Final = {"post": N_("x + sub-layer(x)"), "pre": N_("x + sub-layer(norm(x))")}
ADD_TITLE: Final = N_("Add")
ADD: Final = N_(
    "x is what “{word}” brought along; the sub-layer, here {part}, makes a vector of its own. "
    "The two are added number by number. x is {x} long, what is added {out}, the sum {sum}: "
    "the cosine between x and the sum is {cosine}, so the word is turned by {angle}°. Whatever the "
    "sub-layer does not touch stays as it was."
)

NORM_TITLE: Final = N_("Normalise")
NORM: Final = N_(
    "The {d} numbers of “{word}” have the mean μ = {mean} and the deviation σ = {deviation}. "
    "Take μ off each of them and divide by σ: now their mean is 0 and their deviation is 1, "
    "whatever came in. Then each place gets its own factor γ and its own offset β, which "
    "training adjusts: here γ lies between {low} and {high}."
)
NORM_ROWS: Final = N_(
    "Each tick is one of the {d} numbers. The diamond is their mean, the bar their deviation."
)
NORM_ONE: Final = N_("The number that stands out most is x[{place}]. Follow it through all steps:")
EACH: Final = N_("Every word is normalised by itself. These are the μ and σ of each of them:")

FFN_TITLE: Final = N_("Feed-forward: two linear maps and a ReLU")
FFN: Final = N_(
    "Two linear maps with a bend in between. W₁ makes {d_ff} numbers out of the {d}: each is "
    "a hidden unit that asks the word one question. ReLU lets through what is above 0 and "
    "makes the rest 0. W₂ makes {d} numbers again out of the units that were let through. "
    "Every word goes through the same W₁ and W₂, alone."
)
FIRES: Final = N_(
    "For “{word}”, {fires} of the {d_ff} units fire ({share}). The other {silent} were not above "
    "0, and are 0 now: they add nothing to what follows."
)
FIRES_ALL: Final = N_(
    "The share of units that fire, for each word in each layer. In this layer it is most for "
    "“{most}” and least for “{least}”."
)
UNIT_TITLE: Final = N_("One hidden unit")
STRONGEST: Final = N_(
    "The units that “{word}” excites most. Choose one to see its question, and its answer."
)
UNIT: Final = N_(
    "Unit {unit} multiplies the word's {d} numbers with the {d} of its own column of W₁, adds "
    "its bias, and gets {pre}."
)
UNIT_ON: Final = N_(
    "That is above 0: the unit fires. So {hidden} times its row of W₂ goes into the word's vector."
)
UNIT_OFF: Final = N_("That is not above 0: the unit stays silent, and its row of W₂ is not used.")
UNIT_WORDS: Final = N_("Does unit {unit} fire for other words? Its value for each of them:")

STREAM_TITLE: Final = N_("The residual stream")
STREAM: Final = N_(
    "Put the layers on top of each other, and one long path appears: the residual stream. "
    "“{word}” goes in as embedding plus position, and each sub-layer adds its part. Its vector "
    "begins {first} long and ends {last} long. The sub-layer that adds most is {longest}; the "
    "one that turns it most is {turned}, with a cosine of {cosine} to the step before."
)
STREAM_STRIPS: Final = N_(
    "The stream itself, step by step, each strip in its own colour scale (how long it is, the "
    "curve above tells). What stays alike from strip to strip was carried along; what changes was "
    "added."
)

ORDER_TITLE: Final = N_("Normalise after or before?")
ORDER: Final = N_(
    "The grey line is the way around the sub-layer. With post-norm, it too runs through a "
    "normalisation, again and again: the stream is brought back to about the same length after "
    "each sub-layer, and in training the gradient has to come back through all of them, which "
    "asks for a slow start. With pre-norm, the grey line runs from the first layer to the last "
    "with nothing on it but additions: training is steadier, the stream may grow, and one last "
    "normalisation follows after the last layer."
)
ORDER_HERE: Final = N_(
    "The numbers are the lengths of the vector of “{word}” in this layer, after each step."
)
ORDER_NAMES: Final = {
    "post": N_("Post-norm: norm(x + sub-layer(x))"),
    "pre": N_("Pre-norm: x + sub-layer(norm(x))"),
}
THIS_MODEL: Final = N_("{order} · this model")

TASK: Final = N_(
    "Which of these sub-layers turns “{word}” the most, so that its vector after it has the "
    "smallest cosine to the one before?"
)
TASK_RIGHT: Final = N_("Yes: {name}, with a cosine of {cosine}.")
TASK_WRONG: Final = N_(
    "Look at the lower curve of the residual stream: 1 means that nothing was turned. The "
    "lowest point is at {cosine}."
)
