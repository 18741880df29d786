"""What one chooses on the page, and what it asks: training, bound, XOR, and all recomputed."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
import streamlit as st

from app.page.live_training import Live, training
from app.state import Param, one_of, whole
from model.history import perceptron
from model.history.mark_one import LETTERS, machine, picture_of
from model.history.neuron import GATES, Neuron, search
from model.history.perceptron import (
    POINT_SETS,
    Correction,
    MistakeBound,
    Point,
    Separator,
    distances,
    mistakes,
    train,
)
from model.history.xor import BY_HAND, INPUTS, TARGETS, TwoLayers

__all__ = ["BY_HAND", "INPUTS", "LETTERS", "POINT_SETS", "TARGETS"]
__all__ += ["Correction", "Neuron", "Point", "Separator", "TwoLayers"]
__all__ += ["distances", "machine", "mistakes", "picture_of"]

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
    return train(points, MOST if limit is None else math.ceil(limit.mistakes))


@st.cache_data(max_entries=64, show_spinner=False)
def updates(points: Points) -> tuple[Correction, ...]:
    """Return all updates of a training."""
    return tuple(begin(points))


def updates_again(points: Points) -> tuple[np.ndarray, np.ndarray]:
    """Return all weights after each update (U, 3) and the scores before (U,), in NumPy.

    The weights are a sum of the points that were repaired, so one cumulative sum has them all.
    """
    training = updates(points)
    x = np.array([update.point.x for update in training], float).reshape(-1, 3)
    sides = np.array([update.point.side for update in training], float)
    after = np.cumsum(sides[:, None] * x, axis=0)
    before = np.concatenate([np.zeros((1, 3)), after])[: len(training)]
    return after, (before * x).sum(1)


def collapsed(network: TwoLayers) -> np.ndarray:
    """Return the weights of the one neuron that two layers without thresholds amount to, (2,)."""
    hidden = np.array([neuron.weights for neuron in network.hidden], float)  # (H, 2)
    return np.asarray(np.array(network.out.weights, float) @ hidden)


def sums_again(network: TwoLayers) -> np.ndarray:
    """Return the sums of two layers without thresholds for the four rows, (4,), by neurons."""
    hidden = [[neuron.potential(row) for neuron in network.hidden] for row in INPUTS]
    return np.array([network.out.potential((h1, h2)) for h1, h2 in hidden], float)


@st.cache_data(show_spinner=False)
def most_by_one() -> int:
    """Return the most rows of XOR that one neuron gets right."""
    return search(GATES["xor"]).best


def answers_again(network: TwoLayers) -> np.ndarray:
    """Return the outputs of two layers for the four rows, (4, H + 1), as two matrix products."""
    hidden = np.array([neuron.weights for neuron in network.hidden], float)  # (H, 2)
    limits = np.array([neuron.threshold for neuron in network.hidden], float)
    fires = np.heaviside(np.array(INPUTS, float) @ hidden.T - limits, 1)
    out = np.heaviside(fires @ np.array(network.out.weights, float) - network.out.threshold, 1)
    return np.column_stack([fires, out])


def both_ways(points: Points, limit: MistakeBound) -> tuple[float, float]:
    """Return the margin computed from below, by its direction, and from above, by its mixture."""
    signed_points = np.array([point.side * np.array(point.x) for point in points], float)
    mixed = limit.mix @ signed_points[list(limit.support)]
    return float((signed_points @ limit.best).min()), float(np.linalg.norm(mixed))


def margin_both_ways(points: Points, best: Separator) -> tuple[float, float]:
    """Return the margin by the distances from the line, and by the kinds' nearest places."""
    (a1, a2), (b1, b2) = best.nearest.tolist()
    below = float(distances(best.weights, points).min())
    return below, ((a1 - b1) ** 2 + (a2 - b2) ** 2) ** 0.5 / 2
