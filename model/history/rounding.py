"""What rounding does to a computation: where reverse-mode differentiation came from.

Linnainmaa (1970), The Representation of the Cumulative Rounding Error of an Algorithm as a Taylor
Expansion of the Local Rounding Errors.
"""

from dataclasses import dataclass

import numpy as np

from model.history.graph import Graph
from model.history.operations import call


@dataclass(frozen=True, eq=False)
class Rounded:
    """A computation with every result rounded: values, errors made and shares, (N,) each.

    A share is the error made at a node times the result's derivative by it; `real` is how far the
    rounded result is from the exact one.
    """

    values: np.ndarray
    errors: np.ndarray
    shares: np.ndarray
    real: float

    @property
    def foretold(self) -> float:
        """The error of the result as the derivatives predict it."""
        return float(self.shares.sum())


def rounded(graph: Graph, decimals: int) -> Rounded:
    """Compute a graph with `decimals` decimals; raises ExpressionError if it then has no value.

    Nodes that depend on no variable are not rounded: the result has no derivative by them.
    """
    values: list[float] = []
    errors: list[float] = []
    for node in graph.nodes:
        inputs = tuple(values[i] for i in node.inputs)
        exact = call(node.name, inputs) if inputs else node.value
        value = round(exact, decimals) if node.inputs and not node.constant else exact
        values.append(value)
        errors.append(value - exact)
    shares = np.array(errors) * np.array(graph.derivatives())
    return Rounded(np.array(values), np.array(errors), shares, values[-1] - graph.nodes[-1].value)
