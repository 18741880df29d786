"""The artificial neuron: it fires when its weighted inputs reach a threshold.

McCulloch and Pitts (1943), A Logical Calculus of the Ideas Immanent in Nervous Activity.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from operator import eq
from typing import Final

WEIGHTS: Final = (-1, 0, 1)
# The sum of two inputs lies between −2 and 2: thresholds beyond these add no new behaviour.
THRESHOLDS: Final = tuple(range(-2, 4))

Row = tuple[int, ...]
# Each gate's output for its rows of inputs, in the order of `rows`.
GATES: Final[Mapping[str, Row]] = {
    "and": (0, 0, 0, 1),
    "or": (0, 1, 1, 1),
    "nand": (1, 1, 1, 0),
    "not": (1, 0),
    "xor": (0, 1, 1, 0),
}


@dataclass(frozen=True)
class Neuron:
    """A neuron of inputs that are 0 or 1, with one weight each, and its threshold."""

    weights: Row
    threshold: int

    def potential(self, inputs: Row) -> int:
        """Return w·x, what the inputs add up to."""
        return sum(w * x for w, x in zip(self.weights, inputs, strict=True))

    def fires(self, inputs: Row) -> int:
        """Return 1 where w·x reaches the threshold, else 0."""
        return int(self.potential(inputs) >= self.threshold)

    def answers(self) -> Row:
        """Return its output for each row of inputs."""
        return tuple(self.fires(inputs) for inputs in rows(len(self.weights)))


@dataclass(frozen=True)
class GateSearch:
    """How well all settings compute a gate: how many of its rows each of them gets right."""

    goal: Row
    tried: tuple[Neuron, ...]
    right: Row

    @property
    def best(self) -> int:
        """The most rows that any setting gets right."""
        return max(self.right)

    @property
    def first(self) -> Neuron:
        """The first setting that gets the most rows right."""
        return self.tried[self.right.index(self.best)]


def rows(n_inputs: int) -> tuple[Row, ...]:
    """Return all rows of inputs, in the order of a truth table."""
    return tuple(product((0, 1), repeat=n_inputs))


def search(gate: str) -> GateSearch:
    """Try every setting on a gate, those with the same weights one after the other."""
    goal = GATES[gate]
    choices = product(*[WEIGHTS] * (len(goal).bit_length() - 1), THRESHOLDS)
    tried = tuple(Neuron(tuple(weights), threshold) for *weights, threshold in choices)
    right = tuple(sum(map(eq, goal, neuron.answers())) for neuron in tried)
    return GateSearch(goal, tried, right)
