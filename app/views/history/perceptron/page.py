"""1957: the perceptron learns from its mistakes; 1969: what it can never learn."""

import numpy as np

from app.page.declare import Code, HistoryPage, Section
from app.page.frame import draw_page
from app.page.proof import Proof, Recomputed
from app.page.quiz import Task
from app.views.history.perceptron import data, texts
from app.views.history.perceptron.bound import both_ways, draw_bound
from app.views.history.perceptron.choice import Choice, choice
from app.views.history.perceptron.demands import draw_demands
from app.views.history.perceptron.training import draw_training, side, vector
from app.views.history.perceptron.two_layers import draw_two_layers


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
    ]
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
    candidates = (after, before - added, before, added, before * 2)
    options = sorted({vector(candidate.tolist()) for candidate in candidates})
    values = {
        "n": len(updates),
        "before": vector(update.before),
        "x": vector(update.point.x),
        "side": side(update.point.side),
        "sign": side(update.point.side)[0],
        "after": vector(update.after),
    }
    answer = options.index(vector(update.after))
    return Task.of(texts.ASK, options, {answer}, texts.RIGHT, texts.WRONG, **values)


SECTIONS = (
    Section("points", "", draw_training, texts.POINTS),
    Section("bound", texts.BOUND_TITLE, draw_bound, texts.BOUND),
    Section("xor", texts.XOR_TITLE, draw_demands, texts.XOR),
    Section("two", texts.TWO_TITLE, draw_two_layers, texts.TWO),
)

CODE = (
    Code(
        texts.CODE_RULE,
        r"y\,(w \cdot x) \le 0 \;\Rightarrow\; w \leftarrow w + y\,x",
        "model.history.perceptron:train",
    ),
    Code(
        texts.CODE_BOUND,
        r"\gamma = \max_{\lVert w \rVert = 1} \min_i y_i\,(w \cdot x_i)"
        r" = \min_{\lambda \ge 0,\ \sum \lambda_i = 1} \Big\lVert \sum_i \lambda_i\,y_i\,x_i"
        r" \Big\rVert",
        "model.history.perceptron:bound",
    ),
    Code(
        texts.CODE_XOR,
        r"\text{xor}(x_1, x_2) = (x_1 \text{ or } x_2) \text{ and not } (x_1 \text{ and } x_2)",
        "model.history.xor:TwoLayers",
    ),
)

PAGE = HistoryPage("perceptron", texts.INTRO, SECTIONS, task, CODE, select=choice, proof=proof)

if __name__ == "__main__":
    draw_page(PAGE)
