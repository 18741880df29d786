"""Rounding every step: the error made, and what the derivatives foretell of the result's."""

import numpy as np
import pytest

from model.history.expression import parse
from model.history.graph import rounded
from model.history.operations import ExpressionError
from model.history.recomputed import graph_by_autograd

NEURON = parse("sigmoid(w1*x1 + w2*x2 + b)")
VALUES = {"w1": 0.512, "x1": 2.1, "w2": -1.013, "x2": 1.57, "b": 0.25}


def test_every_step_is_rounded() -> None:
    found = rounded(NEURON.run(VALUES), 2)
    first = 0.512 * 2.1  # 1.0752
    product = [i for i, value in enumerate(found.values) if value == 1.08]
    assert len(product) == 1
    assert found.errors[product[0]] == pytest.approx(1.08 - first)
    np.testing.assert_allclose(found.values[5:], found.values[5:].round(2))
    assert not found.errors[:5].any()


@pytest.mark.parametrize("decimals", [2, 3, 5])
def test_the_derivatives_foretell_the_error(decimals: int) -> None:
    """What they leave out is of the order of the errors' squares."""
    graph = NEURON.run(VALUES)
    found = rounded(graph, decimals)
    np.testing.assert_allclose(found.shares, found.errors * graph_by_autograd(graph)[1], rtol=1e-12)
    assert found.real == pytest.approx(found.values[-1] - graph.nodes[-1].value)
    assert abs(found.foretold - found.real) < 10 * 100.0**-decimals


def test_constants_are_not_rounded() -> None:
    found = rounded(parse("x * (1 / 3)").run({"x": 1.0}), 1)
    assert found.values[-1] == 0.3
    assert found.errors[-1] == pytest.approx(0.3 - 1 / 3)
    assert np.count_nonzero(found.errors) == 1


def test_what_rounding_makes_impossible_is_told() -> None:
    graph = parse("1 / (x * y)").run({"x": 0.1, "y": 0.1})
    with pytest.raises(ExpressionError, match="zero"):
        rounded(graph, 1)
