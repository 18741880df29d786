"""The artificial neuron: gates set by hand, and the one that no setting reaches."""

import numpy as np

from model.history.neuron import GATES, THRESHOLDS, Neuron, rows, search, settings


def test_a_setting_by_hand_is_its_gate() -> None:
    by_hand = {
        "and": Neuron((1, 1), 2), "or": Neuron((1, 1), 1), "nand": Neuron((-1, -1), -1),
        "not": Neuron((-1,), 0),
    }  # fmt: skip
    for gate, neuron in by_hand.items():
        assert neuron.answers() == GATES[gate]
        assert neuron in search(GATES[gate]).solutions


def test_no_setting_is_xor() -> None:
    tried = search(GATES["xor"])
    assert tried.tried == 9 * len(THRESHOLDS) == 54
    assert not tried.solutions
    assert tried.best == 3


def test_the_search_agrees_with_all_settings_as_arrays() -> None:
    x = np.array(rows(2))
    said = np.array([[np.heaviside(x @ n.weights - n.threshold, 1)] for n in settings(2)]).squeeze(
        1
    )
    for gate in ("and", "or", "nand", "xor"):
        scores = (said == GATES[gate]).sum(1)
        assert search(GATES[gate]).counts == tuple(np.bincount(scores, minlength=5).tolist())


def test_the_veto_of_1943_differs_where_an_inhibitory_input_can_be_outvoted() -> None:
    neuron = Neuron((1, -1), 0)
    assert [neuron.fires(row) for row in rows(2)] == [1, 0, 1, 1]
    assert [neuron.fires_unless_vetoed(row) for row in rows(2)] == [1, 0, 1, 0]
