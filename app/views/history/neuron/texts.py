"""What the page on the artificial neuron says; translated where it is shown."""

from typing import Final

from app.i18n import N_

INTRO: Final = N_(
    "In 1943 a neurophysiologist, Warren McCulloch, and a young logician, Walter Pitts, asked what "
    "a nerve cell could compute. Their neuron is as simple as can be: its inputs are 0 or 1, it "
    "adds them up, each times a weight, and it fires (says 1) when the sum reaches a threshold. "
    "Nothing is learned yet: you set the weights by hand."
)

SET: Final = N_(
    "Choose a gate, then turn the steppers until every row of the table is right. The shaded side "
    "of the plane is where your neuron fires; the line is where the sum equals the threshold θ."
)
GATE_HELP: Final = N_("The logical function that the neuron is to compute.")
WEIGHT_HELP: Final = N_(
    "1: this input speaks for firing. −1: it speaks against it. 0: it does not count."
)
THRESHOLD_HELP: Final = N_("The neuron fires when the sum is at least this large.")
ROW_HELP: Final = N_("Which inputs run through the neuron in the drawing.")
SOLVE_HELP: Final = N_("Turns the steppers to the setting that gets the most rows right.")

ALL_RIGHT: Final = N_("Every row is right, {n} of {n}: this neuron is {gate}.")
SOME_RIGHT: Final = N_("{right} of {n} rows are right.")
LINE: Final = N_(
    "The corners are all inputs there are. To compute {gate}, the line must have the corners that "
    "want 1 on its shaded side (or on the line itself) and the others beyond it."
)
NO_LINE: Final = N_(
    "With every weight 0 the inputs do not count: there is no line, and the neuron says the same "
    "everywhere."
)

VETO_TITLE: Final = N_("Inhibition, as it was in 1943")
VETO: Final = N_(
    "In the paper of 1943 an input that inhibits is not a weight of −1 but a veto: as long as it "
    "is active, the neuron cannot fire, whatever the others say. The weight −1 that we use "
    "here came later; it can be outvoted."
)
VETO_SAME: Final = N_("With your setting, both rules say the same in all {n} rows.")
VETO_DIFFERS: Final = N_(
    "With your setting they differ in {differ} of {n} rows: with the veto, the neuron would say "
    "{veto} down the table, not {weighted}."
)

SEARCH_TITLE: Final = N_("Can a setting always be found?")
SEARCH: Final = N_(
    "The steppers have only so many positions: {weights} for each weight and {thresholds} for the "
    "threshold, {tried} settings in all. We tried every one of them on {gate}."
)
FOUND: Final = N_("Settings that get every row right: {found} of {tried}.")
NONE_FOUND: Final = N_(
    "None of the {tried} settings gets all {n} rows right; the best get {best}. It is not a "
    "matter of finer steps: XOR wants two opposite corners on one side of a line and the two "
    "others beyond it, and no straight line does that. This small fact will matter a lot in 1969."
)

ASK: Final = N_(
    "Leave the weights as they stand, {weights}. With which threshold does the neuron compute "
    "{gate}?"
)
RIGHT: Final = N_("Yes. The sums down the table are {sums}, and {gate} wants {goal}.")
WRONG: Final = N_(
    "Not so. The sums down the table are {sums}, and {gate} wants {goal}. Where would you cut?"
)

CODE_FIRES: Final = N_("The neuron fires")
CODE_SEARCH: Final = N_("Every setting, tried")
