"""What one chooses on the page: the points, and the numbers of two layers."""

from dataclasses import dataclass
from typing import Final

from app.page.live_training import Live, training
from app.state import Param, one_of, whole
from app.views.history.perceptron import data
from app.views.history.perceptron.data import POINT_SETS, Neuron, Point, Points, TwoLayers, Update

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
    updates: tuple[Update, ...]
    training: Live[Update] | None
    network: TwoLayers


REACH = 5
SET = Param[str]("pset", "wide", one_of(*POINT_SETS, "own"))


def choice() -> PerceptronChoice:
    """Return the choice; start training on its points if there is no training yet."""
    points = points_of()
    running = training("perceptron", points, lambda: data.begin(points)) if points else None
    a, b, theta = (tuple(param.get() for param in NUMBERS[i::3]) for i in range(3))
    first, second, out = (Neuron((a[i], b[i]), theta[i]) for i in range(3))
    return PerceptronChoice(points, data.updates(points), running, TwoLayers((first, second), out))


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
