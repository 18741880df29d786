"""1957: the perceptron learns from its mistakes; 1969: what it can never learn."""

import numpy as np

from app.i18n import N_, _
from app.page.kit import HistoryPage, Myth, Proof, QuizTask, Recomputed, draw_page, one_by_one
from app.views.history.perceptron import data, limits, points
from app.views.history.perceptron.data import PerceptronChoice, choice
from app.views.history.perceptron.points import side, vector


def proof(choice: PerceptronChoice) -> Proof:
    """Recompute the training, the margin and the two layers."""
    network, one, rows = choice.network, choice.network.product(), data.xor.INPUTS
    weights, scores = data.recomputed.updates_again(choice.updates)
    after = np.array([update.after for update in choice.updates]).reshape(-1, 3)
    ours = np.array([update.score for update in choice.updates])
    answers = np.array([(*network.hidden_answers(row), network.fires(row)) for row in rows])
    stages = [
        Recomputed(points.CODE_RULE, after, weights, 1e-12),
        Recomputed("w·x", ours, scores, 1e-12),
        Recomputed(limits.CODE_XOR, answers, data.recomputed.two_layers_again(network), 1e-12),
        Recomputed(
            N_("Two layers without thresholds"),
            np.array([one.potential(row) for row in rows]),
            data.recomputed.sums_again(network),
            1e-12,
        ),
    ]
    if (best := data.separator(choice.points)) is not None:
        margins = data.recomputed.plane_margins_of(choice.points, best)
        stages.append(Recomputed(points.CODE_SEPARATOR, np.full(2, best.margin), margins, 1e-9))
    if (limit := data.bound(choice.points)) is not None:
        margins = data.recomputed.margins_of(choice.points, limit)
        stages.append(Recomputed(points.CODE_BOUND, np.full(2, limit.margin), margins, 1e-9))
    return Proof(
        stages,
        N_("with NumPy, as sums and products of whole matrices; γ from below and from above"),
    )


def task(choice: PerceptronChoice) -> QuizTask:
    """Ask what the weights are after the last update."""
    updates = choice.updates or data.updates(data.perceptron.POINT_SETS["wide"])
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


def myth(_choice: PerceptronChoice) -> Myth:
    """Count the rows of XOR that one neuron and two layers get right."""
    hand = data.xor.BY_HAND
    numbers = [*hand.hidden, hand.out]
    values = {
        "one": data.search("xor").best,
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
    "perceptron",
    N_(
        "In 1957 Frank Rosenblatt let a neuron find its own weights. His perceptron is shown "
        "points of two classes, +1 and −1, one after the other. When it is right, nothing "
        "changes. When it is wrong, it adds the point to its weights or takes it away."
    ),
    (*points.screens, *limits.screens),
    task,
    select=choice,
    pick=one_by_one(points.pick_set, limits.pick_letter, limits.pick_demands, limits.pick_layers),
    myth=myth,
    task_pick=False,
    proof=proof,
)

if __name__ == "__main__":
    draw_page(PAGE)
