"""What the page on the perceptron says; translated where it is shown."""

from typing import Final

from app.i18n import N_

INTRO: Final = N_(
    "In 1957 Frank Rosenblatt let the neuron find its own weights. His perceptron is shown points "
    "of two kinds, +1 and −1, one after the other. As long as it is right, nothing changes. When "
    "it is wrong, it adds the point to its weights, or takes it away. That is all, and it learns."
)

POINTS: Final = N_(
    "Pick a set of points, or make your own: click on the plane below. The perceptron says +1 on "
    "the shaded side of its line."
)
SET_HELP: Final = N_("Which points the perceptron learns from.")
SET_NAMES: Final = {
    "wide": N_("Wide street"),
    "narrow": N_("Narrow street"),
    "nearly": N_("One stray point"),
    "xor": N_("XOR"),
    "own": N_("Your own"),
}
BRUSH_HELP: Final = N_("What a click on the plane does there.")
BRUSH_NAMES: Final = {"1": N_("puts a +1"), "-1": N_("puts a −1"), "0": N_("takes away")}
PLACE_HELP: Final = N_("Where to do it, if you would rather type than click.")
CLEAR_HELP: Final = N_("Takes all points away, so that you can begin with your own.")
NO_POINTS: Final = N_(
    "There is no point yet. Click on the plane to put some, of both kinds, and train."
)

RULE: Final = N_(
    "Each point is written x = (x₁, x₂, 1); the last 1 makes the threshold a weight like the "
    "others. The perceptron is wrong when y (w·x) ≤ 0, with y = +1 or −1 the kind of the point. "
    "Then, and only then:"
)
UPDATE: Final = N_(
    "**Update {n}**, pass {passes}: the point ({x1}, {x2}) is a {side}, but w·x = {score}, which "
    "is {where}. So:"
)
WRONG_SIDE: Final = N_("on the wrong side")
ON_LINE: Final = N_("on the line itself")
LEFT: Final = N_("Now {left} of the {n} points are wrong.")
LEARNED: Final = N_("Now no point is wrong: it has learned. Updates made: {made}.")
NOT_YET: Final = N_("The weights begin at w = (0, 0, 0). No update has been made yet.")
STOPPED: Final = N_(
    "After {made} updates we stopped. It is still wrong on {left} of the {n} points, and it would "
    "go on for ever: no line parts these points."
)

BOUND_TITLE: Final = N_("It must come to an end")
BOUND: Final = N_(
    "If any line parts the points, the perceptron finds one, and not too late. Albert Novikoff "
    "proved in 1962 that it makes at most (R/γ)² mistakes. R is the length of the longest x. γ is "
    "the margin: how far from the best of all lines (the dashed one) the nearest point x is, "
    "measured among the vectors (x₁, x₂, 1). A narrow street has a small γ, and the perceptron may "
    "need long."
)
BOUND_HERE: Final = N_("Mistakes with the points above: **{made}**; the bound allows **{bound}**.")
BOUND_EXACT: Final = N_(
    "γ is found from two sides. The dashed line keeps every point at least {below} away. And a "
    "weighted mean of {support} of the points y x is only {above} long: no line keeps them all "
    "farther away than that."
)
NO_BOUND: Final = N_(
    "No line parts these points: there is no margin γ, so there is no bound. The rule repairs one "
    "mistake and makes another, for ever; the training above is stopped after {most} updates."
)

XOR_TITLE: Final = N_("1969: the four corners that no line parts")
XOR: Final = N_(
    "Marvin Minsky and Seymour Papert asked in 1969 what perceptrons can never learn. Their best "
    "known example is small: XOR, “one or the other, but not both”. Each row of its table demands "
    "something of w₁, w₂ and the threshold θ. Try to satisfy all four."
)
DEMAND_HELP: Final = N_("Turn it, and watch which demands hold.")
HOLD: Final = N_("{holding} of the 4 demands hold.")
WHY: Final = N_(
    "You cannot win. Add the two middle demands, then the two others: the same sum w₁ + w₂ would "
    "have to be at least 2θ, and below 2θ."
)
WHY_ABOVE: Final = N_(
    "With your numbers, w₁ + w₂ = {sum} is at least 2θ = {double}: so the first and the last row "
    "cannot both hold."
)
WHY_BELOW: Final = N_(
    "With your numbers, w₁ + w₂ = {sum} is below 2θ = {double}: so the two middle rows cannot both "
    "hold."
)

TWO_TITLE: Final = N_("Two layers can")
TWO: Final = N_(
    "One neuron draws one line. So take two of them, and a third that looks only at what those two "
    "say. h₁ fires for “at least one”, h₂ for “not both”; the last neuron wants both. The weights "
    "are set by hand: turn them, and see what each neuron says in each row."
)
TWO_RIGHT: Final = N_("All 4 rows are right: two layers compute XOR.")
TWO_WRONG: Final = N_("{right} of the 4 rows are right.")
HIDDEN: Final = N_(
    "This is what the last neuron sees: the plane of h₁ and h₂. The hidden neurons have moved the "
    "four corners: two of them may now lie on the same spot. Here a single line is enough."
)
HIDDEN_WRONG: Final = N_(
    "This is what the last neuron sees: the plane of h₁ and h₂. The hidden neurons have moved the "
    "four corners; a line that parts them has to be found here."
)
AFTER: Final = N_(
    "Minsky and Papert knew that. What nobody knew how to do was to *learn* the weights of a "
    "hidden layer: the rule of 1957 says what to change only where the right answer is known, and "
    "nobody tells a hidden neuron its right answer. The next page is about that."
)
WEIGHT_HELP: Final = N_("How much this input counts, for or against.")
THRESHOLD_HELP: Final = N_("The neuron fires when its sum is at least this large.")
UNIT_NAMES: Final = (N_("Hidden h₁"), N_("Hidden h₂"), N_("Output"))

ASK: Final = N_(
    "Before update {n}, the weights were {before}. The point x = {x} is a {side} and was wrong. "
    "What did the weights become?"
)
RIGHT: Final = N_("Yes: {before} {sign} {x} = {after}.")
WRONG: Final = N_("Not so. A wrong point of kind +1 is added to the weights, a −1 is taken away.")

CODE_RULE: Final = N_("The rule: on a mistake, w becomes w + y x")
CODE_BOUND: Final = N_("The largest margin")
CODE_XOR: Final = N_("Two layers for XOR")
BY: Final = N_("with NumPy, as sums and products of whole matrices; γ from below and from above")
