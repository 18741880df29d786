"""What one chooses on the page, and what it asks: training, bound, XOR, and all recomputed."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import streamlit as st

from app.page.live_training import Live, training
from app.state import Param, one_of, whole
from model.history import mark_one, perceptron, recomputed, xor
from model.history.neuron import Neuron, search
from model.history.perceptron import POINT_SETS, Correction, Point
from model.history.xor import TwoLayers

__all__ = ["Correction", "Neuron", "Point", "TwoLayers", "mark_one", "perceptron", "recomputed"]
__all__ += ["search", "xor"]

MOST = 200  # updates, for points that no line separates, on which the rule would never end

Points = tuple[Point, ...]

# The weights and the threshold of each of the three neurons; at first, all of them compute OR.
NUMBERS: Final = tuple(
    Param[int](f"x{unit}{name}", 1, whole(-3, 3)) for unit in range(3) for name in "abt"
)


@dataclass(frozen=True, eq=False)
class PerceptronChoice:
    """The points, all updates that they lead to, and the training that makes them.

    Without points there is nothing to train on.
    """

    points: Points
    updates: tuple[Correction, ...]
    training: Live[Correction] | None
    network: TwoLayers


REACH = 5
SET = Param[str]("pset", "wide", one_of(*POINT_SETS, "own"))


def choice() -> PerceptronChoice:
    """Return the choice; start training on its points if there is no training yet."""
    points = points_of()
    running = training("perceptron", points, lambda: begin(points)) if points else None
    a, b, theta = (tuple(param.get() for param in NUMBERS[i::3]) for i in range(3))
    first, second, out = (Neuron((a[i], b[i]), theta[i]) for i in range(3))
    return PerceptronChoice(points, updates(points), running, TwoLayers((first, second), out))


def read(raw: str) -> Points:
    """Read points as the URL has them; ValueError for anything else."""
    points = {}
    for part in filter(None, raw.split("_")):
        x1, x2, side = (int(number) for number in part.split("."))
        if max(abs(x1), abs(x2)) > REACH or abs(side) != 1:
            raise ValueError(f"{part} is no point: both places lie from −5 to 5, its kind is ±1.")
        points[x1, x2] = Point(x1, x2, side)
    return tuple(points.values())


def write(points: Points) -> str:
    return "_".join(f"{point.x1}.{point.x2}.{point.side}" for point in points)


OWN = Param[str]("pts", "", lambda raw: write(read(raw)))


def points_of() -> Points:
    """Return the chosen points."""
    name = SET.get()
    return read(OWN.get()) if name == "own" else POINT_SETS[name]


bound = st.cache_data(max_entries=64, show_spinner=False)(perceptron.bound)
separator = st.cache_data(max_entries=64, show_spinner=False)(perceptron.separator)


def begin(points: Points) -> Iterator[Correction]:
    """Train on the points to the end that the bound guarantees, or for at most MOST updates."""
    limit = bound(points)
    return perceptron.train(points, MOST if limit is None else math.ceil(limit.mistakes))


@st.cache_data(max_entries=64, show_spinner=False)
def updates(points: Points) -> tuple[Correction, ...]:
    """Return all updates of a training."""
    return tuple(begin(points))
