"""What the page on the perceptron says; translated where it is shown."""

from typing import Final

from app.i18n import N_

INTRO: Final = N_(
    "In 1957 Frank Rosenblatt let a neuron find its own weights. His perceptron is shown points of "
    "two classes, +1 and −1, one after the other. When it is right, nothing changes. When it is "
    "wrong, it adds the point to its weights or takes it away."
)
SET_HELP: Final = N_("Which points the perceptron learns from.")
SET_NAMES: Final = {
    "wide": N_("Wide margin"),
    "narrow": N_("Narrow margin"),
    "nearly": N_("One stray point"),
    "xor": N_("XOR"),
    "own": N_("Your own"),
}
NO_POINTS: Final = N_(
    "There is no point yet. Open “Points of your own” and put some, of both classes."
)
LEFT: Final = N_("Now {left} of the {n} points are wrong.")
LEARNED: Final = N_("Every point is on its right side: it has learned. Updates made: {made}.")
NOT_YET: Final = N_("The weights begin at w = (0, 0, 0). No update has been made yet.")
STOPPED: Final = N_(
    "We stopped after {made} updates. {left} of the {n} points are still wrong, and it would go on "
    "for ever: no line separates these points."
)
BEST: Final = N_("largest margin")

RULE: Final = N_(
    "Each point is written as x = (x₁, x₂, 1): the last 1 makes the threshold a weight like the "
    "others. It is wrong when y (w·x) ≤ 0, where y is the class."
)
UPDATE: Final = N_(
    "**Update {n}**, pass {passes}: the point ({x1}, {x2}) is a {side}, but w·x = {score}, which "
    "is {where}. So:"
)
WRONG_SIDE: Final = N_("on the wrong side")
ON_LINE: Final = N_("on the line itself")

OWN_TITLE: Final = N_("Points of your own")
OWN: Final = N_(
    "Click on the plane to put a point or to take one away. The perceptron learns again after "
    "every click. Can you find points that it never gets right?"
)
OWN_FOUND: Final = N_("It needed {made} updates for these {n} points.")
OWN_NONE: Final = N_("No line separates these {n} points: it would never come to an end.")
BRUSH_HELP: Final = N_("What a click on the plane does there.")
BRUSH_NAMES: Final = {"1": N_("puts a +1"), "-1": N_("puts a −1"), "0": N_("takes away")}
PLACE_HELP: Final = N_("Where to do it, if you would rather type than click.")
CLEAR_HELP: Final = N_("Takes all points away, so that you can begin with your own.")

MARGIN_TITLE: Final = N_("Not the best line, but a line")
MARGIN: Final = N_(
    "The perceptron stops at the first line that makes no mistake: its nearest point is {own} "
    "away. The line with the largest margin runs midway between the two classes, {margin} from the "
    "nearest point of each."
)
NO_MARGIN: Final = N_(
    "There is no margin here: no line separates these points, or they are of one class. Choose "
    "other points."
)
EDGE: Final = N_("its edge at {kind}")

BOUND: Final = N_(
    "If a line separates the points, the perceptron finds one. Albert Novikoff proved in 1962 that "
    "it makes at most (R/γ)² mistakes: R is the length of the longest x, γ the largest margin "
    "among the vectors x = (x₁, x₂, 1)."
)
SQUEEZE: Final = N_(
    "Each mistake takes w at least γ further, but after k mistakes w is at most √k · R long: k γ "
    "cannot pass √k · R."
)
BOUND_HERE: Final = N_("Mistakes with these points: **{made}**; the bound allows **{bound}**.")
NO_BOUND: Final = N_(
    "No line separates these points: there is no margin γ, so there is no bound. The rule repairs "
    "one mistake and makes another, for ever; here training stops after {most} updates."
)


MARK_TITLE: Final = N_("1960: a machine that learned to see")
MARK_ONE: Final = N_(
    "The perceptron became a machine, the Mark I: {cells} photocells, {units} association units "
    "wired to them at random, {responses} responses. Motors turned the knobs of its weights, those "
    "of the last layer only."
)
BY_HAND: Final = N_("Example by hand.")
MARK_OURS: Final = N_(
    "Ours has as many of each, with random wires of its own. It learned {responses} letters in "
    "{updates} updates. Above 0 is now: {fires}."
)

XOR_TITLE: Final = N_("1969: the four corners that no line separates")
XOR: Final = N_(
    "Marvin Minsky and Seymour Papert asked in 1969 what perceptrons can never learn. Their best "
    "known example is small: XOR, “one or the other, but not both”. Each row of its table demands "
    "something of w₁, w₂ and the threshold θ."
)
DEMAND_HELP: Final = N_("Move it, and watch which demands hold.")
DEMAND_ASK: Final = N_(
    "XOR makes four demands on w₁, w₂ and θ. How many of them can hold at the same time?"
)
DEMAND_RIGHT: Final = N_("Yes, 3 and never all 4. Try it with the sliders.")
DEMAND_WRONG: Final = N_("It is 3. Try it with the sliders.")
HOLD: Final = N_("{holding} of the 4 demands hold.")

WHY: Final = N_(
    "Add the two middle demands, then the two others. The same sum w₁ + w₂ would have to be at "
    "least 2θ, and below 2θ."
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
    "One neuron draws one line. So take two of them, and a third that sees only what those two "
    "say. Let h₁ fire for “at least one”, h₂ for “not both”, and the last neuron, y, for both of "
    "them: set the weights until all four rows are right."
)
SOLVE_HELP: Final = N_("Sets the three neurons so that all four rows are right.")
TWO_RIGHT: Final = N_("All 4 rows are right: two layers compute XOR.")
TWO_WRONG: Final = N_("Rows that are right: {right} of 4.")
HIDDEN_TITLE: Final = N_("What the last neuron sees")
HIDDEN: Final = N_(
    "The hidden neurons have moved the four corners, two of them to the same place. In the plane "
    "of h₁ and h₂ a single line is enough."
)
HIDDEN_WRONG: Final = N_(
    "The hidden neurons have moved the four corners. In the plane of h₁ and h₂, the last neuron "
    "has to separate them with a single line."
)
AFTER: Final = N_(
    "Minsky and Papert knew this. But the rule of 1957 changes weights only where the right answer "
    "is known, and nobody tells a hidden neuron its right answer."
)
UNITS: Final = ("h₁", "h₂", "y")
WEIGHT_HELP: Final = N_("How much this input counts, for or against.")
THRESHOLD_HELP: Final = N_("The neuron fires when its sum is at least this large.")

LINEAR_TITLE: Final = N_("Why a network needs something nonlinear")
LINEAR: Final = N_(
    "Keep all weights, but let h₁ and h₂ pass on their sums, without a threshold. Now both layers "
    "only multiply and add: they are linear."
)
LINEAR_ONE: Final = N_(
    "The product of the two layers' weights is one neuron with the weights ({w1}, {w2}). So linear "
    "layers, however many, draw one line."
)
LINEAR_SAME: Final = N_("This one even says the same in every row.")
MYTH: Final = N_("Minsky and Papert proved in 1969 that neural networks cannot compute XOR.")
TRUTH: Final = N_(
    "They proved it for one neuron: it gets at most {one} of the 4 rows right. The {neurons} "
    "neurons in two layers of this page, set to {numbers} whole numbers by hand, get {two} of 4. "
    "That was known before 1969; how to learn such numbers was not widely known."
)

ASK: Final = N_(
    "Before update {n}, the weights were {before}. The point x = {x} is a {side} and was wrong. "
    "What did the weights become?"
)
RIGHT: Final = N_("Yes: {before} {sign} {x} = {after}.")
WRONG: Final = N_("Not so. A wrong point of class +1 is added to the weights, a −1 is taken away.")
WRONG_SIGN: Final = N_(
    "That is the wrong direction: a wrong point of class +1 is added to the weights, a −1 is taken "
    "away."
)
UNCHANGED: Final = N_("The weights stay the same only when the point is right; this one was wrong.")
POINT_ALONE: Final = N_("That is only what is added. The old weights {before} stay in the sum.")
DOUBLED: Final = N_("Here the weights themselves were doubled; it is the point that is added.")

CODE_RULE: Final = N_("The rule: on a mistake, w becomes w + y x")
CODE_SEPARATOR: Final = N_("The largest margin in the plane")
CODE_BOUND: Final = N_("The largest margin")
CODE_MARK: Final = N_("A small Mark I")
CODE_XOR: Final = N_("Two layers for XOR")
CODE_LINEAR: Final = N_("Two layers without thresholds")
BY: Final = N_("with NumPy, as sums and products of whole matrices; γ from below and from above")
