"""The artificial neuron: it fires when its weighted inputs reach a threshold.

McCulloch and Pitts (1943), A Logical Calculus of the Ideas Immanent in Nervous Activity.
"""

from collections.abc import Iterator, Mapping
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

    def fires_unless_vetoed(self, inputs: Row) -> int:
        """Apply the rule of 1943, by which one active inhibitory input prevents firing."""
        vetoed = any(w < 0 and x for w, x in zip(self.weights, inputs, strict=True))
        excited = sum(x for w, x in zip(self.weights, inputs, strict=True) if w > 0)
        return int(not vetoed and excited >= self.threshold)

    def answers(self) -> Row:
        """Return its output for each row of inputs."""
        return tuple(self.fires(inputs) for inputs in rows(len(self.weights)))


@dataclass(frozen=True)
class GateSearch:
    """How well all settings compute a gate: `counts[r]` of them get r rows right.

    `first` is the first of those that get the most right.
    """

    counts: Row
    solutions: tuple[Neuron, ...]
    first: Neuron

    @property
    def tried(self) -> int:
        return sum(self.counts)

    @property
    def best(self) -> int:
        """The most rows that any setting gets right."""
        return max(right for right, count in enumerate(self.counts) if count)


def rows(n_inputs: int) -> tuple[Row, ...]:
    """Return all rows of inputs, in the order of a truth table."""
    return tuple(product((0, 1), repeat=n_inputs))


def settings(n_inputs: int) -> Iterator[Neuron]:
    """Yield every neuron that can be set by hand."""
    for *weights, threshold in product(*[WEIGHTS] * n_inputs, THRESHOLDS):
        yield Neuron(tuple(weights), threshold)


def search(goal: Row) -> GateSearch:
    """Try every setting on a gate; `goal` has the right answer for each row."""
    tried = list(settings(len(goal).bit_length() - 1))
    scores = [sum(map(eq, goal, neuron.answers())) for neuron in tried]
    counts = tuple(scores.count(n) for n in range(len(goal) + 1))
    solutions = (neuron for neuron, score in zip(tried, scores, strict=True) if score == len(goal))
    return GateSearch(counts, tuple(solutions), tried[scores.index(max(scores))])
