"""Attention by hand: how spread weights are, and how strongly they react to their scores."""

import numpy as np
import pytest

from model.interpret.calculation.attention import entropy, sensitivity, tokens_seen


def test_spread() -> None:
    even, one = np.full(8, 1 / 8), np.array([0.0, 1.0, 0.0])
    assert entropy(even) == pytest.approx(3)
    assert tokens_seen(even) == pytest.approx(8)
    assert tokens_seen(one) == 1
    assert sensitivity(one) == 0
    assert sensitivity(even) == pytest.approx(7 / 8)
