"""XOR, which no single neuron can compute, but two layers can, set by hand or learned.

Minsky and Papert (1969), Perceptrons; Rumelhart, Hinton and Williams (1986), Learning Internal
Representations by Error Propagation. S starts, N rows, H hidden units, W weights.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
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

X: Final = np.array(INPUTS, float)  # (N, 2)
T: Final = np.array(TARGETS, float)  # (N,)
# Each function, and its derivative by its value.
SQUASHES: Final[Mapping[Squash, tuple[Pointwise, Pointwise]]] = {
    "tanh": (np.tanh, lambda y: 1 - y**2),
    "sigmoid": (lambda x: 1 / (1 + np.exp(-x)), lambda y: y * (1 - y)),
    "none": (lambda x: x, np.ones_like),
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

    def product(self) -> Neuron:
        """Return the one neuron that both layers amount to without thresholds."""
        columns = zip(*(neuron.weights for neuron in self.hidden), strict=True)
        return Neuron(tuple(map(self.out.potential, columns)), 0)


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


@dataclass(frozen=True, eq=False)
class Descents:
    """Where each start ends: weights (S, W), outputs (S, N), error (S,), number of updates (S,)."""

    weights: np.ndarray
    outputs: np.ndarray
    losses: np.ndarray
    updates: np.ndarray

    @property
    def learned(self) -> np.ndarray:
        """Which starts got all four rows right, (S,)."""
        return np.asarray(((self.outputs > 0.5) == (T > 0.5)).all(1))


def descend(plan: NetworkPlan, seeds: Sequence[int]) -> Descents:
    """Train once from each of the seeds, instead of from the plan's own."""
    weights = np.stack([start(replace(plan, seed=seed)) for seed in seeds])
    updates = np.zeros(len(seeds), np.int64)
    for _ in range(plan.updates):
        slopes, going = _slopes(weights, plan)
        if not going.any():
            break
        weights = weights - plan.rate * slopes * going[:, None]
        updates += going
    answers = outputs(weights, X, plan)
    return Descents(weights, answers, _losses(answers), updates)


def outputs(weights: np.ndarray, inputs: np.ndarray, plan: NetworkPlan) -> np.ndarray:
    """Return the outputs (S, N) of networks with weights (S, W) for inputs (N, 2)."""
    return _forward(weights, inputs, plan)[1]


def _forward(
    weights: np.ndarray, inputs: np.ndarray, plan: NetworkPlan
) -> tuple[np.ndarray, np.ndarray]:
    own, out = _parts(weights, plan)
    squash, _ = SQUASHES[plan.squash]
    hidden = squash(inputs @ own[:, :, :2].transpose(0, 2, 1) + own[:, None, :, 2])
    sigmoid, _ = SQUASHES["sigmoid"]
    return hidden, sigmoid((hidden @ out[:, :-1, None])[:, :, 0] + out[:, -1:])  # …, (S, N)


def _slopes(weights: np.ndarray, plan: NetworkPlan) -> tuple[np.ndarray, np.ndarray]:
    """Return dE/dw (S, W), and which starts have not learned enough yet (S,)."""
    _, out = _parts(weights, plan)
    hidden, answers = _forward(weights, X, plan)
    late = (answers - T) * answers * (1 - answers)  # dE/d(sum into the output), (S, N)
    _, rise = SQUASHES[plan.squash]
    early = late[:, :, None] * out[:, None, :-1] * rise(hidden)  # (S, N, H)
    to_out = np.concatenate([(late[:, None] @ hidden)[:, 0], late.sum(1, keepdims=True)], 1)
    to_hidden = np.concatenate([early.transpose(0, 2, 1) @ X, early.sum(1)[:, :, None]], 2)
    slopes = np.concatenate([to_hidden.reshape(len(weights), -1), to_out], 1)
    return slopes, _losses(answers) >= ENOUGH


def _parts(weights: np.ndarray, plan: NetworkPlan) -> tuple[np.ndarray, np.ndarray]:
    """Split rows of weights into those of the hidden units (S, H, 3) and of the output (S, H+1)."""
    own, out = np.split(weights, [3 * plan.hidden], axis=1)
    return own.reshape(len(weights), plan.hidden, 3), out


def _losses(answers: np.ndarray) -> np.ndarray:
    return np.asarray(0.5 * ((answers - T) ** 2).sum(1))
