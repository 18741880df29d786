"""What the page asks of the model: stepping kernels, and the network that reads digits."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from model.history import cnn, convolution, digits
from model.history.recomputed import cnn as recomputed
from model.interpret.calculation import neighbours

__all__ = ["cnn", "convolution", "digits", "recomputed"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Digit:
    """A held-out digit: its greys (8, 8), from 0 to 1, and what it shows."""

    greys: Floats
    label: int


def digit(i: int) -> Digit:
    """Return one of the held-out digits, counted from 0."""
    _, held_out = digits.digits()
    return Digit(held_out.pictures[i, 0].double().numpy(), int(held_out.labels[i]))


def drawn_greys(drawing: str) -> Floats:
    """Return a drawing, 256 hexadecimal digits or nothing, as greys (8, 8) from 0 to 1."""
    side = digits.SIDE * digits.BLOCK
    octets = np.frombuffer(bytes.fromhex(drawing or "0" * (side * side // 4)), dtype=np.uint8)
    return digits.greys_of(np.unpackbits(octets).reshape(side, side))


def reading(learned: cnn.Learned, i: int) -> cnn.Reading:
    """Return how the network, as it is after an update, reads a held-out digit."""
    return cnn.read(learned.weights, digit(i).greys)


def cosines_of(some: Floats, others: Floats) -> Floats:
    """Return the cosine of every kernel with every other: (N, k, k) and (M, k, k) to (N, M)."""
    flat = some.reshape(len(some), -1).astype(float)
    cosines = [neighbours.cosines(flat, other.ravel().astype(float)) for other in others]
    return np.stack(cosines, axis=1)
