"""What is chosen on the page: the points, the training on them, and the two layers by hand."""

from dataclasses import dataclass
from typing import Final

from app.page.live_training import Live, training
from app.state import Param, whole
from app.views.history.perceptron import data
from app.views.history.perceptron.data import BY_HAND, Neuron, Points, TwoLayers, Update
from app.views.history.perceptron.points import points_of

# The weights and the threshold of each of the three neurons: to begin with, all of them say OR.
NUMBERS: Final = tuple(
    Param[int](f"x{unit}{name}", 1, whole(-3, 3)) for unit in range(3) for name in "abt"
)
SOLUTION: Final = tuple(
    number
    for neuron in (*BY_HAND.hidden, BY_HAND.out)
    for number in (*neuron.weights, neuron.threshold)
)


@dataclass(frozen=True, eq=False)
class Choice:
    """The points, all updates that they lead to, and the training that makes them.

    Without points there is nothing to train on.
    """

    points: Points
    updates: tuple[Update, ...]
    training: Live[Update] | None
    network: TwoLayers


def choice() -> Choice:
    """Return what is chosen; where there is no training on these points yet, one begins."""
    points = points_of()
    running = training("perceptron", points, lambda: data.begin(points)) if points else None
    a, b, theta = (tuple(param.get() for param in NUMBERS[i::3]) for i in range(3))
    first, second, out = (Neuron((a[i], b[i]), theta[i]) for i in range(3))
    return Choice(points, data.updates(points), running, TwoLayers((first, second), out))
