"""The door to convolutions: stepping kernels, and the network that reads digits."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from model.history.cnn import FILTERS, Learned, Reading, read, reports, train, updates
from model.history.convolution import KERNELS, Stepping, output_size, rotated
from model.history.digits import HELD_OUT, LEARNED_FROM, digits
from model.history.recomputed.cnn import output_again, parameters_again, read_again

__all__ = [
    "FILTERS", "HELD_OUT", "KERNELS", "LEARNED_FROM", "Learned", "Stepping", "output_again",
    "output_size", "parameters_again", "read_again", "reports", "rotated", "train", "updates",
]  # fmt: skip

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Digit:
    """A digit held out from training: its greys (8, 8), from 0 to 1, and what it shows."""

    greys: Floats
    label: int


def digit(i: int) -> Digit:
    """Return one of the digits held out, counted from 0."""
    _, held_out = digits()
    return Digit(held_out.pictures[i, 0].double().numpy(), int(held_out.labels[i]))


def reading(learned: Learned, i: int) -> Reading:
    """Return what the network, as it is after an update, makes of a digit held out."""
    return read(learned.weights, digit(i).greys)
