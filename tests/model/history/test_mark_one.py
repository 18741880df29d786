"""The small Mark I: its fixed wires, and responses that learned their letters."""

import numpy as np

from model.history.mark_one import LETTERS, SIDE, UNITS, WIRES, machine, picture_of


def test_each_photocell_has_its_wires() -> None:
    made = machine()
    assert made.wires.shape == (UNITS, SIDE * SIDE)
    assert (np.abs(made.wires).sum(0) == WIRES).all()
    assert (made.wires.sum(0) == 0).all()


def test_each_response_fires_at_its_letter_alone() -> None:
    made = machine()
    fires = np.array([made.responses(picture_of(letter)) > 0 for letter in LETTERS])
    np.testing.assert_array_equal(fires, np.eye(len(LETTERS), dtype=bool))
    assert made.updates > 0
