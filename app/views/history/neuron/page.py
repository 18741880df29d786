"""1943: the artificial neuron, its weights and threshold set by hand."""

import numpy as np

from app.charts.plane import CORNERS, ends
from app.format import short
from app.i18n import N_, _
from app.page.declare import Code, HistoryPage, Myth, Section
from app.page.frame import draw_page
from app.page.proof import Proof, Recomputed
from app.page.quiz import Task
from app.views.history.neuron import texts
from app.views.history.neuron.data import (
    THRESHOLDS,
    Neuron,
    answers_again,
    counts_again,
    functions,
    rows,
    search,
)
from app.views.history.neuron.gate import Gate, gate_of, listed
from app.views.history.neuron.line import draw_line, line_text
from app.views.history.neuron.picks import (
    pick_all,
    pick_gate,
    pick_neuron,
    pick_setting,
    pick_veto,
)
from app.views.history.neuron.search import draw_search, guess_search, search_text
from app.views.history.neuron.summed import draw_sum, sum_text
from app.views.history.neuron.truth import draw_truth, truth_text
from app.views.history.neuron.veto import draw_veto


def proof(gate: Gate) -> Proof:
    """Compute the sums, the answers, the line and the search again, as matrices."""
    name, neuron = gate.name, gate.neuron
    potentials, answers = answers_again(neuron)
    line = ends(gate.line, CORNERS, CORNERS)  # (2, 2) or (0, 2)
    on_line = np.full(len(line), neuron.threshold)
    counts = np.array(search(name).counts)
    stages = (
        Recomputed("w·x", np.array(gate.potentials), potentials, 1e-12),
        Recomputed(texts.CODE_FIRES, np.array(neuron.answers()), answers, 1e-12),
        Recomputed("w·x = θ", line @ np.array(gate.line[:2]), on_line, 1e-12),
        Recomputed(texts.CODE_SEARCH, counts, counts_again(name), 1e-12),
    )
    return Proof(stages, N_("with NumPy, as products of whole matrices"))


def task(gate: Gate) -> Task:
    """Ask which threshold makes the gate with the weights as they stand."""
    weights = gate.neuron.weights
    said = [Neuron(weights, t).answers() for t in THRESHOLDS]
    right = [i for i, answers in enumerate(said) if answers == gate.goal]
    values = {
        "gate": gate.title,
        "weights": ", ".join(f"w{'₁₂'[i]} = {short(w)}" for i, w in enumerate(weights)),
        "sums": listed(gate.potentials),
        "goal": listed(gate.goal),
    }
    reasons = [
        _(texts.REASON).format(threshold=short(t), said=listed(answers), **values)
        for t, answers in zip(THRESHOLDS, said, strict=True)
    ]
    return Task(
        _(texts.ASK).format(**values),
        [f"θ = {short(t)}" for t in THRESHOLDS] + [_("with none")],
        frozenset(right or [len(THRESHOLDS)]),
        _(texts.RIGHT).format(**values),
        "",
        [*reasons, _(texts.REASON_NONE).format(**values)],
    )


def myth(_gate: Gate) -> Myth:
    """Count the functions of two inputs that one neuron computes."""
    tried, found, every = search("xor").tried, len(functions()), 2 ** len(rows(2))
    numbers = {"functions": every, "tried": tried, "found": found, "missing": every - found}
    return Myth(_(texts.MYTH), _(texts.TRUTH).format(**numbers))


SECTIONS = (
    Section(
        "sum",
        "",
        draw_sum,
        sum_text,
        pick=pick_neuron,
        code=(
            Code(
                texts.CODE_FIRES,
                r"y = \begin{cases}1 & \text{if } w \cdot x \ge \theta \\ 0 &"
                r" \text{otherwise}\end{cases}",
                "model.history.neuron:Neuron",
            ),
        ),
    ),
    Section(
        "gate",
        texts.SET_TITLE,
        draw_truth,
        truth_text,
        pick=pick_setting,
        beside=((line_text, draw_line),),
        was=("line",),
    ),
    Section(
        "search",
        texts.SEARCH_TITLE,
        draw_search,
        search_text,
        guess=guess_search,
        pick=pick_gate,
        code=(
            Code(
                texts.CODE_SEARCH,
                r"w_i \in \{-1, 0, 1\} \qquad \theta \in \{-2, \dots, 3\}",
                "model.history.neuron:search",
            ),
        ),
    ),
    Section("veto", texts.VETO_TITLE, draw_veto, texts.VETO, pick=pick_veto),
)


PAGE = HistoryPage(
    "neuron",
    texts.INTRO,
    SECTIONS,
    task,
    select=gate_of,
    pick=pick_all,
    myth=myth,
    task_pick=False,
    proof=proof,
)

if __name__ == "__main__":
    draw_page(PAGE)
