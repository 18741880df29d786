"""What the page on the artificial neuron says; translated where it is shown."""

from typing import Final

from app.i18n import N_

INTRO: Final = N_(
    "In 1943 a neurophysiologist, Warren McCulloch, and a young logician, Walter Pitts, asked what "
    "a nerve cell can compute. Their neuron takes inputs of 0 or 1, adds them up, and fires (says "
    "1) when the sum reaches a threshold θ. It learns nothing."
)

SUM_FIRES: Final = N_("Here the sum w·x is {potential}, at least θ = {threshold}: it fires.")
SUM_SILENT: Final = N_("Here the sum w·x is {potential}, below θ = {threshold}: it stays silent.")
SUM_THEN: Final = N_(
    "In 1943 an input had no weight of its own: it counted once, or it forbade firing. Weights "
    "came later; here you set 1, 0 or −1."
)
WEIGHT_HELP: Final = N_(
    "1: this input speaks for firing. −1: it speaks against it. 0: it does not count."
)
THRESHOLD_HELP: Final = N_("The neuron fires when the sum is at least this large.")
ROW_HELP: Final = N_("Which inputs run through the neuron in the drawing.")

SET_TITLE: Final = N_("Set it by hand")
SET: Final = N_(
    "A logic gate says what it wants for every row of inputs. Change the weights and the threshold "
    "until your neuron agrees with {gate} in all {n} rows."
)
GATE_HELP: Final = N_("The logical function that the neuron is to compute.")
SOLVE_HELP: Final = N_("Sets the weights and the threshold that get the most rows right.")
ALL_RIGHT: Final = N_("Every row is right, {n} of {n}: this neuron is {gate}.")
SOME_RIGHT: Final = N_("Rows that are right: {right} of {n}.")

LINE_TITLE: Final = N_("A neuron draws a line")
LINE: Final = N_(
    "Each row of inputs is a corner. Where w·x = θ there is a line, and the neuron fires on its "
    "shaded side and on the line itself. To compute {gate}, all corners that want 1 must lie "
    "there, and no other."
)
NO_LINE: Final = N_(
    "With every weight 0 the inputs do not count: there is no line, and the neuron says the same "
    "everywhere."
)

SEARCH_TITLE: Final = N_("Can a setting always be found?")
SEARCH: Final = N_(
    "There are {weights} positions for each weight and {thresholds} for the threshold: {tried} "
    "settings. Each cell is one of them, with its weights on top and its θ at the left. Its number "
    "says how many rows of {gate} it gets right."
)
SEARCH_ASK: Final = N_("How many of the {tried} settings compute {gate}, with every row right?")
SEARCH_RIGHT: Final = N_("Yes: {found} of {tried}.")
SEARCH_WRONG: Final = N_("It is {found} of {tried}.")
FOUND: Final = N_("Settings that get every row right: {found} of {tried}.")
NONE_FOUND: Final = N_(
    "None of the {tried} settings gets all {n} rows right; the best get {best}. Finer steps would "
    "not help: no straight line has two opposite corners of a square on one side and the two "
    "others on the other side. This small fact will matter a lot in 1969."
)

VETO_TITLE: Final = N_("Inhibition, as it was in 1943")
VETO: Final = N_(
    "In the paper of 1943 an input that inhibits is not a weight of −1 but a veto: as long as it "
    "is active, the neuron cannot fire, whatever the others say. A weight of −1 can be outvoted."
)
DIFFER: Final = N_("Show a difference")
DIFFER_HELP: Final = N_("Sets a neuron whose second input inhibits, and is outvoted by the first.")
BY_WEIGHT: Final = N_("with the weight −1")
BY_VETO: Final = N_("with the veto")
SAME: Final = N_("same?")
VETO_SAME: Final = N_("With your setting, both rules say the same in all {n} rows.")
VETO_DIFFERS: Final = N_(
    "With your setting they differ in {differ} of {n} rows: with the veto, the neuron would say "
    "{veto} down the table, not {weighted}."
)

MYTH: Final = N_("With the right weights, one neuron can compute any logical function.")
TRUTH: Final = N_(
    "Two inputs have {functions} logical functions. The {tried} settings of this page compute "
    "{found} of them. The {missing} others are XOR and its opposite, and no finer weights reach "
    "them: both want two opposite corners on the same side of one line."
)

ASK: Final = N_(
    "Leave the weights as they stand, {weights}. With which threshold does the neuron compute "
    "{gate}?"
)
RIGHT: Final = N_("Yes. The sums down the table are {sums}, and {gate} wants {goal}.")
REASON: Final = N_(
    "With θ = {threshold} it says {said} down the table, but {gate} wants {goal}. The sums are "
    "{sums}."
)
REASON_NONE: Final = N_(
    "There is one. The sums down the table are {sums}, and {gate} wants {goal}: look for the sums "
    "that have to reach the threshold."
)

CODE_FIRES: Final = N_("The neuron fires")
CODE_SEARCH: Final = N_("Every setting, tried")
