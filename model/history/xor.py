"""XOR, which no single neuron can compute, but two layers can, set by hand or learned.

Minsky and Papert (1969), Perceptrons; Rumelhart, Hinton and Williams (1986), Learning Internal
Representations by Error Propagation.
"""

from collections.abc import Iterator
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
    def right(self) -> int:
        """How many of the four rows are on the right side of one half."""
        return sum((y > 0.5) == bool(t) for y, t in zip(self.outputs, TARGETS, strict=True))


def start(plan: NetworkPlan) -> np.ndarray:
    """Return the initial weights, drawn uniformly from −1 to 1 by the seed."""
    return np.random.default_rng(plan.seed).uniform(-1, 1, plan.n_weights)


def learn(plan: NetworkPlan) -> Iterator[NetworkReport]:
    """Descend the gradient of the error on all four rows; yield the state before each update.

    Ends when the error is small enough, or after the plan's number of updates.
    """
    weights = tuple(start(plan).tolist())
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
