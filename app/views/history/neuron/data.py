"""What one chooses on the page: a gate and a neuron, points to learn from, and two layers."""

from dataclasses import dataclass
from functools import cached_property
from typing import Final

import streamlit as st

from app.page.live_training import Live, training
from app.state import Param, one_of, whole
from model.history import mark_one, perceptron, xor
from model.history.neuron import GATES, Neuron, Row, rows, search
from model.history.perceptron import POINT_SETS, Correction, Point
from model.history.xor import TwoLayers

__all__ = ["GATES", "Correction", "Neuron", "TwoLayers", "mark_one", "perceptron", "search", "xor"]

GATE: Final = Param[str]("gate", "and", one_of(*GATES))
WEIGHTS: Final = Param[int]("n1", 1, whole(-1, 1)), Param[int]("n2", 1, whole(-1, 1))
THRESHOLD: Final = Param[int]("nt", 1, whole(-2, 3))  # no AND yet
ROW: Final = Param[int]("nrow", 3, whole(0, 3))
SET: Final = Param[str]("pset", "wide", one_of(*POINT_SETS))
# The weights and the threshold of each of the three neurons; at first, all of them compute OR.
NUMBERS: Final = tuple(
    Param[int](f"x{unit}{name}", 1, whole(-3, 3)) for unit in range(3) for name in "abt"
)
MAX_UPDATES: Final = 200  # for points that no line separates, on which the rule would never end
Points = tuple[Point, ...]


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
        """The gate's output for each row of inputs."""
        return GATES[self.name]

    @cached_property
    def inputs(self) -> tuple[Row, ...]:
        return rows(len(self.neuron.weights))

    @property
    def row(self) -> int:
        """The index of the row of inputs that runs through the neuron."""
        return min(ROW.get(), len(self.inputs) - 1)

    @property
    def correct(self) -> list[bool]:
        """Whether the neuron's output is the gate's, row by row."""
        return [a == b for a, b in zip(self.neuron.answers(), self.goal, strict=True)]

    @property
    def line(self) -> tuple[float, float, float]:
        """The line w·x = θ in the plane; NOT lacks the second input, which gets the weight 0."""
        first, second = (*self.neuron.weights, 0)[:2]
        return first, second, -self.neuron.threshold


@dataclass(frozen=True, eq=False)
class NeuronChoice:
    """The gate, the points with all updates that they lead to and their training, two layers."""

    gate: Gate
    points: Points
    updates: tuple[Correction, ...]
    training: Live[Correction]
    network: TwoLayers


def choice() -> NeuronChoice:
    """Return the choice; start training on its points if there is no training yet."""
    name, points = GATE.get(), POINT_SETS[SET.get()]
    weights = tuple(param.get() for param in WEIGHTS)[: len(GATES[name]) // 2]
    a, b, theta = (tuple(param.get() for param in NUMBERS[i::3]) for i in range(3))
    first, second, out = (Neuron((a[i], b[i]), theta[i]) for i in range(3))
    return NeuronChoice(
        Gate(name, Neuron(weights, THRESHOLD.get())),
        points,
        updates(points),
        training("perceptron", points, lambda: perceptron.train(points, MAX_UPDATES)),
        TwoLayers((first, second), out),
    )


@st.cache_data(max_entries=64, show_spinner=False)
def updates(points: Points) -> tuple[Correction, ...]:
    """Return all updates of a training."""
    return tuple(perceptron.train(points, MAX_UPDATES))
