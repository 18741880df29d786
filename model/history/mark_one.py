"""A small Mark I: photocells, association units wired to them at random, responses that learn.

The machine of 1960 had the same numbers: 20 × 20 photocells, 512 association units, 8 responses.
Its wiring was another one: ours is drawn at random from a seed.
"""

from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np

SIDE: Final = 20  # photocells per side
UNITS: Final = 512
WIRES: Final = 40  # of each photocell, to the association units
SEED: Final = 1960
LETTERS: Final = {
    "A": "01110 10001 11111 10001 10001",
    "C": "01111 10000 10000 10000 01111",
    "E": "11111 10000 11110 10000 11111",
    "F": "11111 10000 11110 10000 10000",
    "H": "10001 10001 11111 10001 10001",
    "L": "10000 10000 10000 10000 11111",
    "T": "11111 00100 00100 00100 00100",
    "X": "10001 01010 00100 01010 10001",
}


@dataclass(frozen=True, eq=False)
class Machine:
    """The fixed wires (U, P), −1, 0 or 1, and the learned weights and threshold (R, U + 1).

    `updates` is how many mistakes were corrected until there were none.
    """

    wires: np.ndarray
    weights: np.ndarray
    updates: int

    def units(self, picture: np.ndarray) -> np.ndarray:
        """Return which association units fire for a picture (SIDE, SIDE), (U,)."""
        return (self.wires @ picture.ravel() > 0).astype(int)

    def responses(self, picture: np.ndarray) -> np.ndarray:
        """Return each response's sum, (R,); a response fires when its sum is above 0."""
        return np.asarray(self.weights @ np.append(self.units(picture), 1))


def picture_of(letter: str) -> np.ndarray:
    """Return a letter as the photocells see it, (SIDE, SIDE), 1 where there is light."""
    rows = np.array([list(map(int, row)) for row in LETTERS[letter].split()])
    return rows.repeat(SIDE // 5, 0).repeat(SIDE // 5, 1)


@cache
def machine() -> Machine:
    """Wire the machine at random, and let each response learn its letter by the perceptron's rule.

    Each photocell has as many wires as was possible in 1960, half of them inhibitory.
    """
    rng = np.random.default_rng(SEED)
    wires = np.zeros((UNITS, SIDE * SIDE), int)
    for cell in range(SIDE * SIDE):
        wires[rng.choice(UNITS, WIRES, replace=False), cell] = np.resize([1, -1], WIRES)
    blank = Machine(wires, np.zeros((len(LETTERS), UNITS + 1), int), 0)
    x = np.array([np.append(blank.units(picture_of(letter)), 1) for letter in LETTERS])
    goals = 2 * np.eye(len(LETTERS), dtype=int) - 1  # (R, letters): which response says +1
    weights, updates = blank.weights, 0
    while ((goals * (weights @ x.T)) <= 0).any():
        for inputs, goal in zip(x, goals.T, strict=True):
            wrong = goal * (weights @ inputs) <= 0
            weights = weights + np.outer(goal * wrong, inputs)
            updates += int(wrong.sum())
    return Machine(wires, weights, updates)
