"""The artificial neuron: gates set by hand, and the one that no setting reaches."""

import numpy as np

from model.history.neuron import GATES, THRESHOLDS, Neuron, rows, search
from model.history.recomputed import counts_again


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
    assert (found.found, found.best) == (0, 3)


def test_the_search_agrees_with_all_settings_as_arrays() -> None:
    for gate, goal in GATES.items():
        counted = np.bincount(search(gate).right, minlength=len(goal) + 1)
        np.testing.assert_array_equal(counted, counts_again(gate))


def test_the_veto_of_1943_differs_where_an_inhibitory_input_can_be_outvoted() -> None:
    neuron = Neuron((1, -1), 0)
    assert [neuron.fires(row) for row in rows(2)] == [1, 0, 1, 1]
    assert [neuron.fires_unless_vetoed(row) for row in rows(2)] == [1, 0, 1, 0]
