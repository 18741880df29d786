"""1970 and 1986: derivatives computed backwards, and a hidden layer that learns from them."""

from typing import Final

import numpy as np

from app.format import short
from app.i18n import N_, _
from app.page.kit import HistoryPage, Myth, Proof, QuizTask, Recomputed, draw_page
from app.ui import player
from app.views.history.backprop import expression, xor
from app.views.history.backprop.data import (
    BackpropChoice,
    ExpressionError,
    choice,
    first_updates,
    graph_by_autograd,
    rounded,
)
from app.views.history.backprop.expression import DECIMALS, pick_example

WRONG: Final = N_(
    "Not so. Its derivative is {derivative}: take a tenth of that away from {value}. Mind the sign."
)
BY: Final = N_("the graph by torch.autograd, the network by formulas in NumPy")

RATE = 0.1


def pick_all(choice: BackpropChoice) -> None:
    """Draw everything that can be set, for the view of all screens at once."""
    pick_example()
    xor.pick_plan(choice)


def proof(choice: BackpropChoice) -> Proof:
    """Recompute the graph with torch.autograd, and the network's first updates in NumPy."""
    expression, plan = choice.expression, choice.plan
    values, derivatives = graph_by_autograd(expression.graph)
    ours = np.array([node.value for node in expression.graph.nodes])
    slopes = np.array(expression.derivatives)
    updates = N_("weights of the network after its first updates")
    stages = [
        Recomputed(N_("values of the nodes"), ours, values, _near(values)),
        Recomputed(N_("derivatives by the nodes"), slopes, derivatives, _near(derivatives)),
        Recomputed(updates, *first_updates(plan), 1e-9),
    ]
    try:
        found = rounded(expression.graph, int(DECIMALS.get()))
    except ExpressionError:
        return Proof(stages, BY)
    shares = found.errors * derivatives
    stages.append(Recomputed(N_("rounding errors"), found.shares, shares, _near(shares)))
    return Proof(stages, BY)


def _near(numbers: np.ndarray) -> float:
    """Return the tolerance: 1e-9, times the largest number if that is above 1."""
    return 1e-9 * max(1.0, float(np.abs(numbers).max()))


def task(choice: BackpropChoice) -> QuizTask:
    """Ask for one step of the first name against its derivative."""
    expression = choice.expression
    value, slope = expression.graph.nodes[0].value, expression.derivatives[0]
    after = value - RATE * slope
    numbers = {"value": value, "derivative": slope, "after": after}
    values = {"name": expression.names[0]} | {key: short(x) for key, x in numbers.items()}
    # Two of them may be the same number; then the last reason counts.
    reasons = {
        short(candidate): _(reason).format(**values)
        for candidate, reason in (
            (-RATE * slope, N_("That is only the step; it has to be added to {value}.")),
            (slope, N_("That is the derivative itself, not the number after the step.")),
            (
                value - slope,
                N_("That takes the whole derivative, {derivative}, away, not a tenth of it."),
            ),
            (
                value + RATE * slope,
                N_(
                    "That goes along with the derivative, {value} + 0.1 · {derivative}: the "
                    "result would grow."
                ),
            ),
            (after, WRONG),
        )
    }
    options = sorted(reasons)
    return QuizTask(
        _(
            "To make the result smaller, “{name}” takes one step against its derivative, with "
            "step size 0.1: {name} ← {name} − 0.1 · derivative. It was {value}. What will it be?"
        ).format(**values),
        options,
        frozenset({options.index(short(after))}),
        _("Yes: {value} − 0.1 · {derivative} = {after}.").format(**values),
        _(WRONG).format(**values),
        [reasons[option] for option in options],
    )


def myth(choice: BackpropChoice) -> Myth:
    """Show how much a derivative changes a weight at several step sizes."""
    plan, report = choice.plan, choice.training.reports[-1]
    place = int(np.abs(report.slopes).argmax())
    slope = report.slopes[place]
    other = 4.0 if plan.rate != 4 else 1.0
    values = {
        "name": xor.weight_names(plan)[place],
        "slope": short(slope),
        "moved": short(-plan.rate * slope),
        "rate": short(plan.rate),
        "other": short(-other * slope),
        "other_rate": short(other),
    }
    truth = _(
        "It only finds derivatives: for the weight {name}, ∂E/∂w = {slope} at this update. "
        "Gradient descent then moves the weight, by {moved} with the step size η = {rate}, "
        "and by {other} with η = {other_rate}: the same derivative, another step."
    ).format(**values)
    return Myth(_("Backpropagation is what changes the weights of a network."), truth)


PAGE = HistoryPage(
    "backprop",
    N_(
        "How much does a result change when one of the numbers behind it changes a little? That "
        "is a derivative. In 1970 Seppo Linnainmaa found how to get all of them at once: walk "
        "through the computation once forwards, and once backwards."
    ),
    (*expression.screens, *xor.screens),
    task,
    select=choice,
    pick=pick_all,
    myth=myth,
    task_pick=False,
    proof=proof,
    run_every=player.run_every,
)

if __name__ == "__main__":
    draw_page(PAGE)
