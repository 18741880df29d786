"""1970 and 1986: derivatives computed backwards, and a hidden layer that learns from them."""

from typing import Final

import numpy as np

from app.format import short
from app.i18n import N_, _
from app.page.kit import HistoryPage, Myth, QuizTask, draw_page, one_by_one
from app.ui import player
from app.views.history.backprop import expression, xor
from app.views.history.backprop.data import BackpropChoice, choice
from app.views.history.backprop.expression import pick_example

RATE: Final = 0.1


def task(choice: BackpropChoice) -> QuizTask:
    """Ask for one step of the first name against its derivative."""
    expression = choice.expression
    value, slope = expression.nodes[0].value, expression.derivatives()[0]
    after = value - RATE * slope
    numbers = {"value": value, "derivative": slope, "after": after}
    values = {"name": expression.names[0]} | {key: short(x) for key, x in numbers.items()}
    # Two of them may be the same number; then the last reason counts.
    reasons = {
        short(-RATE * slope): N_("That is only the step; it has to be added to {value}."),
        short(slope): N_("That is the derivative itself, not the number after the step."),
        short(value - slope): N_(
            "That takes the whole derivative, {derivative}, away, not a tenth of it."
        ),
        short(value + RATE * slope): N_(
            "That goes along with the derivative, {value} + 0.1 · {derivative}: the result would "
            "grow."
        ),
    }
    options = sorted({short(after), *reasons})
    return QuizTask(
        _(
            "To make the result smaller, “{name}” takes one step against its derivative, with "
            "step size 0.1: {name} ← {name} − 0.1 · derivative. It was {value}. What will it be?"
        ).format(**values),
        options,
        frozenset({options.index(short(after))}),
        _("Yes: {value} − 0.1 · {derivative} = {after}.").format(**values),
        "",
        [_(reasons[option]).format(**values) if option in reasons else "" for option in options],
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
        "is a derivative: walk once forwards and once backwards, and there are all of them."
    ),
    (*expression.screens, *xor.screens),
    task,
    select=choice,
    pick=one_by_one(pick_example, xor.pick_plan),
    myth=myth,
    task_pick=False,
    run_every=player.run_every,
)

if __name__ == "__main__":
    draw_page(PAGE)
