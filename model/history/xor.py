"""XOR, which no single neuron can compute, but two layers can, set by hand or learned.

Minsky and Papert (1969), Perceptrons; Rumelhart, Hinton and Williams (1986), Learning Internal
Representations by Error Propagation. N rows, H hidden units.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from model.history.graph import Graph
from model.history.neuron import GATES, Neuron, Row, rows

INPUTS: Final = rows(2)
TARGETS: Final = GATES["xor"]

ENOUGH: Final = 0.01  # an error below this ends the training: all four rows are right by then

# What a hidden unit applies to its sum; with "none" it passes it on, and both layers are linear.
Squash = Literal["tanh", "sigmoid", "none"]
Pointwise = Callable[[np.ndarray], np.ndarray]

SQUASHES: Final[Mapping[Squash, Pointwise]] = {
    "tanh": np.tanh,
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)),
    "none": lambda x: x,
}


@dataclass(frozen=True)
class TwoLayers:
    """Hidden neurons that see the inputs, and one that sees only the hidden ones."""

    hidden: tuple[Neuron, ...]
    out: Neuron

    def hidden_answers(self, inputs: Row) -> Row:
        return tuple(neuron.fires(inputs) for neuron in self.hidden)

    def fires(self, inputs: Row) -> int:
        """Return the last neuron's output."""
        return self.out.fires(self.hidden_answers(inputs))

    def right(self) -> list[bool]:
        """Return which rows of XOR they get right."""
        return [self.fires(row) == goal for row, goal in zip(INPUTS, TARGETS, strict=True)]


# “At least one” and “not both” in the hidden layer, then “and” in the last neuron.
BY_HAND: Final = TwoLayers((Neuron((1, 1), 1), Neuron((-1, -1), -1)), Neuron((1, 1), 2))


@dataclass(frozen=True)
class NetworkPlan:
    """A network of 2 inputs, some hidden units and 1 output, and how it is trained."""

    hidden: int = 2
    squash: Squash = "tanh"
    rate: float = 1.0
    seed: int = 0
    updates: int = 2000

    @property
    def n_weights(self) -> int:
        return 4 * self.hidden + 1


@dataclass(frozen=True)
class NetworkReport:
    """The network before an update: its weights, their derivatives, its outputs, its error.

    The weights are one row: for each hidden unit its two and its bias, then those of the output
    and its bias.
    """

    weights: tuple[float, ...]
    slopes: tuple[float, ...]
    outputs: tuple[float, ...]
    loss: float

    @property
    def are_right(self) -> list[bool]:
        """Which of the four rows are on the right side of one half."""
        return [(y > 0.5) == bool(t) for y, t in zip(self.outputs, TARGETS, strict=True)]

    @property
    def right(self) -> int:
        return sum(self.are_right)


def learn(plan: NetworkPlan) -> Iterator[NetworkReport]:
    """Descend the gradient of the error on all four rows; yield the state before each update.

    Ends when the error is small enough, or after the plan's number of updates.
    """
    random = np.random.default_rng(plan.seed)
    weights = tuple(random.uniform(-1, 1, plan.n_weights).tolist())
    for _ in range(plan.updates + 1):
        report = look(weights, plan)
        yield report
        if report.loss < ENOUGH:
            return
        weights = tuple(w - plan.rate * s for w, s in zip(weights, report.slopes, strict=True))


def look(weights: tuple[float, ...], plan: NetworkPlan) -> NetworkReport:
    """Compute the error, half the sum of squares, forwards, and its derivatives backwards."""
    graph = Graph()
    places = [graph.variable(f"w{i + 1}", w) for i, w in enumerate(weights)]
    outputs = [_output(graph, places, inputs, plan) for inputs in INPUTS]
    total = graph.number(0)
    for place, target in zip(outputs, TARGETS, strict=True):
        off = graph.apply("-", place, graph.number(target))
        total = graph.apply("+", total, graph.apply("*", off, off))
    loss = graph.apply("*", graph.number(0.5), total)
    slopes = graph.derivatives()
    return NetworkReport(
        weights,
        tuple(slopes[: len(weights)]),
        tuple(graph.nodes[place].value for place in outputs),
        graph.nodes[loss].value,
    )


def _output(graph: Graph, places: list[int], inputs: Row, plan: NetworkPlan) -> int:
    numbers = [graph.number(x) for x in inputs]
    hidden = [
        _unit(graph, places[3 * unit : 3 * unit + 3], numbers, plan.squash)
        for unit in range(plan.hidden)
    ]
    return _unit(graph, places[3 * plan.hidden :], hidden, "sigmoid")


def _unit(graph: Graph, weights: list[int], inputs: list[int], squash: Squash) -> int:
    """Add a unit that computes squash(w·x + b)."""
    *own, total = weights
    for w, x in zip(own, inputs, strict=True):
        total = graph.apply("+", total, graph.apply("*", w, x))
    return total if squash == "none" else graph.apply(squash, total)


def outputs(report: NetworkReport, inputs: np.ndarray, plan: NetworkPlan) -> np.ndarray:
    """Return the network's outputs (N,) for inputs (N, 2), all at once."""
    own, out = np.split(np.array(report.weights), [3 * plan.hidden])
    own = own.reshape(plan.hidden, 3)  # (H, 3)
    hidden = SQUASHES[plan.squash](inputs @ own[:, :2].T + own[:, 2])  # (N, H)
    return SQUASHES["sigmoid"](hidden @ out[:-1] + out[-1])
