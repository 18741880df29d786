"""1943 to 1969: the artificial neuron, the perceptron that learns, and what one can never learn."""

import numpy as np

from app.i18n import N_, _
from app.page.kit import HistoryPage, Myth, QuizTask, draw_page, one_by_one
from app.views.history.neuron import gate, layers, points
from app.views.history.neuron.data import NeuronChoice, choice, search, xor
from app.views.history.neuron.points import side, vector


def task(choice: NeuronChoice) -> QuizTask:
    """Ask what the weights are after the last update."""
    updates = choice.updates
    update = updates[-1]
    before, added = np.array(update.before), update.point.side * np.array(update.point.x)
    values = {
        "n": len(updates),
        "before": vector(update.before),
        "x": vector(update.point.x),
        "side": side(update.point.side),
        "sign": side(update.point.side)[0],
        "after": vector(update.after),
    }
    # Two of them may be the same numbers; then the last reason counts.
    reasons = {
        vector(2 * before): N_(
            "Here the weights themselves were doubled; it is the point that is added."
        ),
        vector(added): N_("That is only what is added. The old weights {before} stay in the sum."),
        vector(before): N_(
            "The weights stay the same only when the point is right; this one was wrong."
        ),
        vector(before - added): N_(
            "That is the wrong direction: a wrong point of class +1 is added to the weights, one "
            "of −1 is taken away."
        ),
    }
    options = sorted({vector(update.after), *reasons})
    return QuizTask(
        _(
            "Before update {n}, the weights were {before}. The point x = {x} is a {side} and was "
            "wrong. What did the weights become?"
        ).format(**values),
        options,
        frozenset({options.index(vector(update.after))}),
        _("Yes: {before} {sign} {x} = {after}.").format(**values),
        "",
        [_(reasons[option]).format(**values) if option in reasons else "" for option in options],
    )


def myth(_choice: NeuronChoice) -> Myth:
    """Count the rows of XOR that one neuron and two layers get right."""
    hand = xor.BY_HAND
    numbers = [*hand.hidden, hand.out]
    values = {
        "one": search("xor").best,
        "neurons": len(numbers),
        "numbers": sum(len(neuron.weights) + 1 for neuron in numbers),
        "two": sum(hand.right()),
    }
    return Myth(
        _("Minsky and Papert proved in 1969 that neural networks cannot compute XOR."),
        _(
            "They proved it for one neuron: it gets at most {one} of the 4 rows right. This "
            "page's {neurons} neurons in two layers, set by hand to {numbers} whole numbers, "
            "get {two} of 4. That was known before 1969; how to learn such numbers was not "
            "widely known."
        ).format(**values),
    )


PAGE = HistoryPage(
    "neuron",
    N_(
        "Warren McCulloch and Walter Pitts asked what a nerve cell can compute. Their neuron adds "
        "up inputs of 0 or 1, and fires (says 1) when the sum reaches a threshold θ. It learns "
        "nothing."
    ),
    (*gate.screens, *points.screens, *layers.screens),
    task,
    select=choice,
    pick=one_by_one(gate.pick_setting, points.pick_set, layers.pick_layers),
    myth=myth,
    task_pick=points.pick_set,
)

if __name__ == "__main__":
    draw_page(PAGE)
