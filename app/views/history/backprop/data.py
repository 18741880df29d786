"""What one chooses on the page: an expression with its numbers, and a network that learns XOR."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from app.page.live_training import Live, training
from app.state import LONGEST_SENTENCE, Param, decimal, one_of, up_to, whole
from model.history import xor
from model.history.expression import LONGEST, MOST_NAMES, parse
from model.history.graph import Back, Graph, Node, by_autograd
from model.history.operations import FUNCTIONS, ExpressionError
from model.interpret.calculation import parts as latex

__all__ = ["Back", "ExpressionError", "Graph", "Node", "by_autograd", "latex", "parse", "xor"]

# The limits of an expression, for the texts.
LIMITS: Final = {"functions": ", ".join(FUNCTIONS), "longest": LONGEST, "names": MOST_NAMES}
DEFAULT = "sigmoid(w1*x1 + w2*x2 + b)"
# The initial numbers by name; any other name starts at 1.
START = {"w1": 0.5, "x1": 2.0, "w2": -1.0, "x2": 1.5, "b": 0.25, "w": 0.5, "x": 3.0, "a": 2.0}
LARGEST = 1e6
TEXT = Param[str]("f", DEFAULT, up_to(LONGEST_SENTENCE))
HIDDEN: Final = Param[str]("bh", "2", one_of("2", "3"))
SQUASH: Final = Param[xor.Squash]("bs", "tanh", one_of("tanh", "sigmoid", "none"))
RATES: Final = ("0.5", "1", "2", "4")
RATE: Final = Param[str]("br", "1", one_of(*RATES))
SEED: Final = Param[int]("bseed", 0, whole(0, 9999))


@dataclass(frozen=True, eq=False)
class BackpropChoice:
    """The expression's graph (the first example's if it is invalid), and the network's training."""

    expression: Graph
    plan: xor.NetworkPlan
    training: Live[xor.NetworkReport]


def choice() -> BackpropChoice:
    """Return the choice; start its training if there is none yet."""
    try:
        expression = computed(TEXT.get())
    except ExpressionError:
        expression = computed(DEFAULT)
    plan = xor.NetworkPlan(int(HIDDEN.get()), SQUASH.get(), float(RATE.get()), SEED.get())
    return BackpropChoice(expression, plan, training("xor", plan, lambda: xor.learn(plan)))


def value_of(name: str) -> Param[float]:
    """Return the parameter that holds a name's number."""
    return Param[float](f"v.{name}", START.get(name, 1.0), decimal(-LARGEST, LARGEST))


def computed(text: str, **changed: float) -> Graph:
    """Compute an expression with the chosen numbers; raises ExpressionError if it cannot."""
    expression = parse(text)
    values = {name: value_of(name).get() for name in expression.names} | changed
    graph = expression.run(values)
    graph.derivatives()  # one of them may be infinite
    return graph


def surface(report: xor.NetworkReport, plan: xor.NetworkPlan, places: np.ndarray) -> np.ndarray:
    """Return the network's outputs on a square grid of places (M,): (M, M), rows upwards."""
    across, up = np.meshgrid(places, places)
    inputs = np.column_stack([across.ravel(), up.ravel()])
    return xor.outputs(report, inputs, plan).reshape(across.shape)
