"""The artificial neuron: gates set by hand, and the one that no setting reaches."""

import numpy as np

from model.history.neuron import GATES, THRESHOLDS, Neuron, rows, search


def test_a_setting_by_hand_is_its_gate() -> None:
    by_hand = {
        "and": Neuron((1, 1), 2), "or": Neuron((1, 1), 1), "nand": Neuron((-1, -1), -1),
        "not": Neuron((-1,), 0),
    }  # fmt: skip
    for gate, neuron in by_hand.items():
        assert neuron.answers() == GATES[gate]
        found = search(gate)
        assert found.right[found.tried.index(neuron)] == len(GATES[gate])


def test_no_setting_is_xor() -> None:
    found = search("xor")
    assert len(found.tried) == 9 * len(THRESHOLDS) == 54
    assert found.best == 3


def test_the_search_agrees_with_all_settings_as_arrays() -> None:
    for gate, goal in GATES.items():
        inputs = np.array(rows(len(goal) // 2))  # (N, I)
        weights = np.array(list(np.ndindex(*[3] * inputs.shape[1]))) - 1  # (W, I)
        fires = (inputs @ weights.T)[..., None] >= np.array(THRESHOLDS)  # (N, W, T)
        right = (fires == np.array(goal)[:, None, None]).sum(0).ravel()
        np.testing.assert_array_equal(search(gate).right, right)
