"""1970 and 1986: derivatives by going backwards, and a hidden layer that learns by them."""

from collections.abc import Sequence

import numpy as np

from app.format import short
from app.i18n import N_, _
from app.page.declare import Code, Drawer, HistoryPage, Myth, Section
from app.page.frame import draw_page
from app.page.proof import Proof, Recomputed
from app.page.quiz import Task
from app.ui import player
from app.views.history.backprop import starts, texts, xor
from app.views.history.backprop.choice import Choice, choice
from app.views.history.backprop.data import (
    ExpressionError,
    by_autograd,
    descend_again,
    first_updates,
    rounded,
)
from app.views.history.backprop.expression import pick_example
from app.views.history.backprop.result import draw_result, guess_result, result_text
from app.views.history.backprop.rounding import DECIMALS, draw_rounding
from app.views.history.backprop.steps import draw_steps
from app.views.history.backprop.winter import draw_winter

RATE = 0.1


def pick_all(choice: Choice) -> None:
    """Draw what can be set, where all screens are drawn."""
    pick_example()
    xor.pick_plan(choice)


def proof(choice: Choice) -> Proof:
    """Compute the graph again with torch.autograd, and the network's first updates in NumPy."""
    expression, plan = choice.expression, choice.plan
    values, derivatives = by_autograd(expression.graph)
    ours = np.array([node.value for node in expression.graph.nodes])
    slopes = np.array(expression.derivatives)
    updates = N_("weights of the network after its first updates")
    stages = [
        Recomputed(N_("values of the nodes"), ours, values, _near(values)),
        Recomputed(N_("derivatives by the nodes"), slopes, derivatives, _near(derivatives)),
        Recomputed(updates, first_updates(plan), descend_again(plan), 1e-9),
    ]
    try:
        found = rounded(expression.graph, int(DECIMALS.get()))
    except ExpressionError:
        return Proof(stages, texts.BY)
    shares = found.errors * derivatives
    stages.append(Recomputed(N_("rounding errors"), found.shares, shares, _near(shares)))
    return Proof(stages, texts.BY)


def _near(numbers: np.ndarray) -> float:
    """Allow a difference of 1e-9, of the largest number where that is above 1."""
    return 1e-9 * max(1.0, float(np.abs(numbers).max()))


def task(choice: Choice) -> Task:
    """Ask for one step of the first name against its derivative."""
    expression = choice.expression
    value, slope = expression.graph.nodes[0].value, expression.derivatives[0]
    after = value - RATE * slope
    numbers = {"value": value, "derivative": slope, "after": after}
    values = {"name": expression.names[0]} | {key: short(x) for key, x in numbers.items()}
    # Two of them may be the same number: the last reason stands.
    reasons = {
        short(candidate): _(reason).format(**values)
        for candidate, reason in (
            (-RATE * slope, texts.ONLY_STEP),
            (slope, texts.ONLY_SLOPE),
            (value - slope, texts.WHOLE),
            (value + RATE * slope, texts.UPWARDS),
            (after, texts.WRONG),
        )
    }
    options = sorted(reasons)
    return Task(
        _(texts.ASK).format(**values),
        options,
        frozenset({options.index(short(after))}),
        _(texts.RIGHT).format(**values),
        _(texts.WRONG).format(**values),
        [reasons[option] for option in options],
    )


def myth(choice: Choice) -> Myth:
    """Show what a derivative makes of a weight, by the step size."""
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
    return Myth(_(texts.MYTH), _(texts.TRUTH).format(**values))


SECTIONS: Sequence[Section[Choice]] = (
    Section(
        "expression",
        "",
        draw_steps,
        texts.GRAPH,
        pick=lambda _choice: pick_example(),
        code=(
            Code(
                N_("Forwards: a value, and the local derivatives beside it"),
                r"y = f(a, b) \qquad \frac{\partial y}{\partial a} \qquad \frac{\partial"
                r" y}{\partial b}",
                "model.history.graph:Graph.apply",
            ),
            Code(
                N_("Backwards: each node hands on its derivative"),
                r"\frac{\partial L}{\partial a} = \sum_{y \text{ from } a}"
                r" \frac{\partial L}{\partial y} \cdot \frac{\partial y}{\partial a}",
                "model.history.graph:Graph.backward",
            ),
        ),
        was=("steps",),
    ),
    Section(
        "result",
        texts.RESULT_TITLE,
        lambda choice: draw_result(choice.expression),
        lambda choice: result_text(choice.expression),
        guess=lambda choice: guess_result(choice.expression),
        pick=False,
        drawers=(
            Drawer(
                "rounding",
                texts.ROUNDING_TITLE,
                lambda choice: draw_rounding(choice.expression),
                texts.ROUNDING,
            ),
        ),
        code=(
            Code(
                N_("Rounding errors, and what they do to the result"),
                r"\Delta L \approx \sum_{y} \delta_y \cdot \frac{\partial L}{\partial y}",
                "model.history.rounding:rounded",
            ),
        ),
    ),
    Section(
        "xor",
        texts.XOR_TITLE,
        xor.draw_learning,
        xor.xor_text,
        pick=xor.pick_plan,
        drawers=(Drawer("winter", texts.WINTER_TITLE, draw_winter, texts.WINTER),),
        code=(
            Code(
                N_("The network learns"),
                r"w \leftarrow w - \eta\,\frac{\partial E}{\partial w}",
                "model.history.xor:learn",
            ),
        ),
    ),
    Section("weights", texts.WEIGHTS_TITLE, xor.draw_weights, texts.WEIGHTS, pick=xor.pick_plan),
    Section(
        "starts",
        texts.STARTS_TITLE,
        starts.draw_starts,
        starts.starts_text,
        guess=starts.guess_starts,
        pick=xor.pick_plan,
        was=("linear",),
    ),
)


PAGE = HistoryPage(
    "backprop",
    texts.INTRO,
    SECTIONS,
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
