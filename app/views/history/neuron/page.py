"""1943: the artificial neuron, its weights and threshold set by hand."""

import numpy as np

from app.charts.plane import CORNERS, ends
from app.format import short
from app.i18n import N_, _
from app.page.kit import HistoryPage, Myth, Proof, QuizTask, Recomputed, draw_page, one_by_one
from app.views.history.neuron import data, screens


def proof(gate: screens.Gate) -> Proof:
    """Recompute the sums, the answers, the line and the search with matrices."""
    neuron = gate.neuron
    potentials, answers = data.outputs_again(neuron)
    line = ends(gate.line, CORNERS, CORNERS)  # (2, 2) or (0, 2)
    on_line = np.full(len(line), neuron.threshold)
    counts = np.bincount(data.search(gate.name).right, minlength=len(gate.goal) + 1)
    stages = (
        Recomputed("w·x", np.array(gate.potentials), potentials, 1e-12),
        Recomputed(screens.CODE_FIRES, np.array(neuron.answers()), answers, 1e-12),
        Recomputed("w·x = θ", data.potentials(line, neuron), on_line, 1e-12),
        Recomputed(screens.CODE_SEARCH, counts, data.counts_again(gate.name), 1e-12),
    )
    return Proof(stages, N_("with NumPy, as products of whole matrices"))


def task(gate: screens.Gate) -> QuizTask:
    """Ask which threshold yields the gate with the current weights."""
    weights = gate.neuron.weights
    said = [data.Neuron(weights, t).answers() for t in data.THRESHOLDS]
    right = [i for i, answers in enumerate(said) if answers == gate.goal]
    values = {
        "gate": gate.title,
        "weights": ", ".join(f"w{'₁₂'[i]} = {short(w)}" for i, w in enumerate(weights)),
        "sums": screens.listed(gate.potentials),
        "goal": screens.listed(gate.goal),
    }
    reasons = [
        _(
            "With θ = {threshold} it says {said} down the table, but {gate} wants {goal}. The "
            "sums are {sums}."
        ).format(threshold=short(t), said=screens.listed(answers), **values)
        for t, answers in zip(data.THRESHOLDS, said, strict=True)
    ]
    return QuizTask(
        _(
            "Leave the weights as they stand, {weights}. With which threshold does the neuron "
            "compute {gate}?"
        ).format(**values),
        [f"θ = {short(t)}" for t in data.THRESHOLDS] + [_("with none")],
        frozenset(right or [len(data.THRESHOLDS)]),
        _("Yes. The sums down the table are {sums}, and {gate} wants {goal}.").format(**values),
        "",
        [
            *reasons,
            _(
                "There is one. The sums down the table are {sums}, and {gate} wants {goal}: look "
                "for the sums that have to reach the threshold."
            ).format(**values),
        ],
    )


def myth(_gate: screens.Gate) -> Myth:
    """Count the functions of two inputs that one neuron computes."""
    tried, every = data.search("xor").tried, 2 ** len(data.rows(2))
    found = len({neuron.answers() for neuron in tried})
    numbers = {"functions": every, "tried": len(tried), "found": found, "missing": every - found}
    truth = _(
        "Two inputs have {functions} logical functions. The {tried} settings of this page "
        "compute {found} of them. The {missing} others are XOR and its opposite, and no finer "
        "weights reach them: both want two opposite corners on the same side of one line."
    ).format(**numbers)
    return Myth(_("With the right weights, one neuron can compute any logical function."), truth)


PAGE = HistoryPage(
    "neuron",
    N_(
        "In 1943 a neurophysiologist, Warren McCulloch, and a young logician, Walter Pitts, asked "
        "what a nerve cell can compute. Their neuron takes inputs of 0 or 1, adds them up, and "
        "fires (says 1) when the sum reaches a threshold θ. It learns nothing."
    ),
    screens.screens,
    task,
    select=screens.gate_of,
    pick=one_by_one(screens.pick_setting, screens.pick_row),
    myth=myth,
    task_pick=False,
    proof=proof,
)

if __name__ == "__main__":
    draw_page(PAGE)
