"""1957: the perceptron learns from its mistakes; 1969: what it can never learn."""

import numpy as np

from app.i18n import _
from app.page.declare import Code, Drawer, HistoryPage, Myth, Section
from app.page.frame import draw_page
from app.page.proof import Proof, Recomputed
from app.page.quiz import Task
from app.views.history.perceptron import data, demands, linear, mark, texts, two_layers
from app.views.history.perceptron.bound import both_ways
from app.views.history.perceptron.choice import Choice, choice
from app.views.history.perceptron.margin import draw_margin, margin_both_ways, margin_text
from app.views.history.perceptron.own import draw_own
from app.views.history.perceptron.points import pick_set
from app.views.history.perceptron.training import draw_training, side, vector


def pick_all(choice: Choice) -> None:
    """Draw all that can be set, where all screens are drawn."""
    pick_set()
    mark.pick_letter(choice)
    demands.pick_demands(choice)
    two_layers.pick_layers(choice)


def proof(choice: Choice) -> Proof:
    """Compute the training, the margin and the two layers again."""
    points, network = choice.points, choice.network
    weights, scores = data.updates_again(points)
    after = np.array([update.after for update in choice.updates]).reshape(-1, 3)
    ours = np.array([update.score for update in choice.updates])
    answers = np.array([(*network.hidden_answers(row), network.fires(row)) for row in data.INPUTS])
    stages = [
        Recomputed(texts.CODE_RULE, after, weights, 1e-12),
        Recomputed("w·x", ours, scores, 1e-12),
        Recomputed(texts.CODE_XOR, answers, data.answers_again(network), 1e-12),
        Recomputed(
            texts.CODE_LINEAR,
            np.array(data.INPUTS, float) @ data.collapsed(network),
            data.sums_again(network),
            1e-12,
        ),
    ]
    best = data.separator(points)
    if best is not None:
        margins = np.array(margin_both_ways(points, best))
        stages.append(Recomputed(texts.CODE_SEPARATOR, np.full(2, best.margin), margins, 1e-9))
    limit = data.bound(points)
    if limit is not None:
        margins = np.array(both_ways(points, limit))
        stages.append(Recomputed(texts.CODE_BOUND, np.full(2, limit.margin), margins, 1e-9))
    return Proof(stages, texts.BY)


def task(choice: Choice) -> Task:
    """Ask what the last update made of the weights."""
    updates = choice.updates or data.updates(data.POINT_SETS["wide"])
    update = updates[-1]
    x, before, after = (np.array(v) for v in (update.point.x, update.before, update.after))
    added = update.point.side * x
    values = {
        "n": len(updates),
        "before": vector(update.before),
        "x": vector(update.point.x),
        "side": side(update.point.side),
        "sign": side(update.point.side)[0],
        "after": vector(update.after),
    }
    # Two of them may be the same numbers: the first reason stands.
    reasons = {
        vector(candidate.tolist()): _(reason).format(**values)
        for candidate, reason in (
            (before * 2, texts.DOUBLED),
            (added, texts.POINT_ALONE),
            (before, texts.UNCHANGED),
            (before - added, texts.WRONG_SIGN),
            (after, texts.WRONG),
        )
    }
    options = sorted(reasons)
    return Task(
        _(texts.ASK).format(**values),
        options,
        frozenset({options.index(vector(update.after))}),
        _(texts.RIGHT).format(**values),
        _(texts.WRONG),
        [reasons[option] for option in options],
    )


def myth(_choice: Choice) -> Myth:
    """Count the rows of XOR that one neuron gets right, and two layers."""
    hand = data.BY_HAND
    numbers = [*hand.hidden, hand.out]
    values = {
        "one": data.most_by_one(),
        "neurons": len(numbers),
        "numbers": sum(len(neuron.weights) + 1 for neuron in numbers),
        "two": sum(two_layers.right(hand)),
    }
    return Myth(_(texts.MYTH), _(texts.TRUTH).format(**values))


def pick_points(_choice: Choice) -> None:
    """Draw the choice of a set of points."""
    pick_set()


SECTIONS = (
    Section(
        "points",
        "",
        draw_training,
        texts.RULE,
        pick=pick_points,
        drawers=(
            Drawer("own", texts.OWN_TITLE, draw_own, texts.OWN),
            Drawer("margin", texts.MARGIN_TITLE, draw_margin, margin_text, was=("bound",)),
        ),
        code=(
            Code(
                texts.CODE_RULE,
                r"y\,(w \cdot x) \le 0 \;\Rightarrow\; w \leftarrow w + y\,x",
                "model.history.perceptron:train",
            ),
            Code(
                texts.CODE_SEPARATOR,
                r"\max_{\lVert (w_1, w_2) \rVert = 1} \min_i y_i\,(w_1 x_{i1} + w_2 x_{i2} + w_3)",
                "model.history.perceptron:separator",
            ),
            Code(
                texts.CODE_BOUND,
                r"\gamma = \max_{\lVert w \rVert = 1} \min_i y_i\,(w \cdot x_i)"
                r" = \min_{\lambda \ge 0,\ \sum \lambda_i = 1} \Big\lVert \sum_i"
                r" \lambda_i\,y_i\,x_i"
                r" \Big\rVert",
                "model.history.perceptron:bound",
            ),
        ),
        was=("rule",),
    ),
    Section(
        "mark",
        texts.MARK_TITLE,
        mark.draw_mark,
        mark.mark_text,
        pick=mark.pick_letter,
        code=(
            Code(
                texts.CODE_MARK,
                r"a = \begin{cases}1 & \text{if } W x > 0 \\ 0 & \text{otherwise}\end{cases}"
                r" \qquad r = V a + b",
                "model.history.mark_one:Machine",
            ),
        ),
    ),
    Section(
        "xor",
        texts.XOR_TITLE,
        demands.draw_demands,
        texts.XOR,
        guess=demands.guess_demands,
        pick=demands.pick_demands,
        beside=((texts.WHY, demands.draw_why),),
        was=("why",),
    ),
    Section(
        "two",
        texts.TWO_TITLE,
        two_layers.draw_two_layers,
        texts.TWO,
        pick=two_layers.pick_layers,
        drawers=(
            Drawer("hidden", texts.HIDDEN_TITLE, two_layers.draw_hidden, two_layers.hidden_text),
            Drawer("linear", texts.LINEAR_TITLE, linear.draw_linear, texts.LINEAR),
        ),
        code=(
            Code(
                texts.CODE_XOR,
                r"\text{xor}(x_1, x_2) = (x_1 \text{ or } x_2) \text{ and not } (x_1 \text{ and"
                r" } x_2)",
                "model.history.xor:TwoLayers",
            ),
        ),
    ),
)


PAGE = HistoryPage(
    "perceptron",
    texts.INTRO,
    SECTIONS,
    task,
    select=choice,
    pick=pick_all,
    myth=myth,
    task_pick=False,
    proof=proof,
)

if __name__ == "__main__":
    draw_page(PAGE)
