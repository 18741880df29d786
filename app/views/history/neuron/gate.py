"""The choice of the page: a gate to compute, and a neuron that is set by hand."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from app.format import short
from app.state import Param, one_of, whole
from app.views.history.neuron.data import GATES, Neuron, Row, rows

GATE: Final = Param[str]("gate", "and", one_of(*GATES))
WEIGHTS: Final = Param[int]("n1", 1, whole(-1, 1)), Param[int]("n2", 1, whole(-1, 1))
THRESHOLD: Final = Param[int]("nt", 1, whole(-2, 3))  # no AND yet
ROW: Final = Param[int]("nrow", 3, whole(0, 3))


@dataclass(frozen=True)
class Gate:
    """The gate to compute, and the neuron as it is set."""

    name: str
    neuron: Neuron

    @property
    def title(self) -> str:
        return self.name.upper()

    @property
    def goal(self) -> Row:
        """What the gate says to each row of inputs."""
        return GATES[self.name]

    @cached_property
    def inputs(self) -> tuple[Row, ...]:
        return rows(len(self.neuron.weights))

    @property
    def row(self) -> int:
        """Which row of inputs runs through the neuron."""
        return min(ROW.get(), len(self.inputs) - 1)

    @property
    def potentials(self) -> list[int]:
        return [self.neuron.potential(row) for row in self.inputs]

    @property
    def correct(self) -> list[bool]:
        """Whether the neuron says what the gate says, row by row."""
        return [a == b for a, b in zip(self.neuron.answers(), self.goal, strict=True)]

    @property
    def line(self) -> tuple[float, float, float]:
        """The line w·x = θ in the plane; an input that NOT does not have has the weight 0."""
        first, second = (*self.neuron.weights, 0)[:2]
        return first, second, -self.neuron.threshold


def gate_of() -> Gate:
    """Return the gate and the neuron that are chosen; NOT has one input only."""
    name = GATE.get()
    weights = tuple(param.get() for param in WEIGHTS)
    return Gate(name, Neuron(weights[: len(GATES[name]) // 2], THRESHOLD.get()))


def listed(numbers: Sequence[float]) -> str:
    return ", ".join(map(short, numbers))
