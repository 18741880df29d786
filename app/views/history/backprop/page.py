"""1970 and 1986: derivatives by going backwards, and a hidden layer that learns by them."""

import numpy as np

from app.format import short
from app.i18n import N_
from app.page.declare import Code, HistoryPage, Section
from app.page.frame import draw_page
from app.page.proof import Proof, Recomputed
from app.page.quiz import Task
from app.ui import player
from app.views.history.backprop import texts
from app.views.history.backprop.choice import Choice, choice
from app.views.history.backprop.data import by_autograd, descend_again, first_updates
from app.views.history.backprop.expression import pick_expression, type_text
from app.views.history.backprop.steps import draw_result, draw_steps
from app.views.history.backprop.xor import draw_learning, draw_starts, starts_text, xor_text

RATE = 0.1


def draw_expression(_choice: Choice) -> None:
    """Draw the field, and the graph step by step of what can be computed."""
    expression = pick_expression()
    if expression is not None:
        draw_steps(expression)
        draw_result(expression)


def proof(choice: Choice) -> Proof:
    """Compute the graph again with torch.autograd, and the network's first updates in NumPy."""
    expression, plan = choice.expression, choice.plan
    values, derivatives = by_autograd(expression.graph)
    ours = np.array([node.value for node in expression.graph.nodes])
    slopes = np.array(expression.derivatives)
    updates = N_("weights of the network after its first updates")
    stages = (
        Recomputed(N_("values of the nodes"), ours, values, _near(values)),
        Recomputed(N_("derivatives by the nodes"), slopes, derivatives, _near(derivatives)),
        Recomputed(updates, first_updates(plan), descend_again(plan), 1e-9),
    )
    return Proof(stages, N_("the graph by torch.autograd, the network by formulas in NumPy"))


def _near(numbers: np.ndarray) -> float:
    """Allow a difference of 1e-9, of the largest number where that is above 1."""
    return 1e-9 * max(1.0, float(np.abs(numbers).max()))


def task(choice: Choice) -> Task:
    """Ask for one step of the first name against its derivative."""
    expression = choice.expression
    value, slope = expression.graph.nodes[0].value, expression.derivatives[0]
    after = value - RATE * slope
    others = (value + RATE * slope, value - slope, slope, -RATE * slope)
    options = sorted({short(each) for each in (after, *others)})
    numbers = {"value": value, "derivative": slope, "after": after}
    values = {"name": expression.names[0]} | {key: short(x) for key, x in numbers.items()}
    answers = [options.index(short(after))]
    return Task.of(texts.ASK, options, answers, texts.RIGHT, texts.WRONG, **values)


SECTIONS = (
    Section("expression", "", draw_expression, type_text),
    Section("xor", texts.XOR_TITLE, draw_learning, xor_text),
    Section("starts", texts.STARTS_TITLE, draw_starts, starts_text),
)

CODE = (
    Code(
        N_("Forwards: a value, and the local derivatives beside it"),
        r"y = f(a, b) \qquad \frac{\partial y}{\partial a} \qquad \frac{\partial y}{\partial b}",
        "model.history.graph:Graph.apply",
    ),
    Code(
        N_("Backwards: each node hands on its derivative"),
        r"\frac{\partial L}{\partial a} = \sum_{y \text{ from } a}"
        r" \frac{\partial L}{\partial y} \cdot \frac{\partial y}{\partial a}",
        "model.history.graph:Graph.backward",
    ),
    Code(
        N_("The network learns"),
        r"w \leftarrow w - \eta\,\frac{\partial E}{\partial w}",
        "model.history.xor:learn",
    ),
)

PAGE = HistoryPage(
    "backprop",
    texts.INTRO,
    SECTIONS,
    task,
    CODE,
    select=choice,
    proof=proof,
    run_every=player.run_every,
)

if __name__ == "__main__":
    draw_page(PAGE)
