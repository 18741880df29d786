"""What one chooses on the page, and what it asks: kernels that step, and a network of digits."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from app.i18n import N_
from app.page.live_training import Live, training
from app.state import Param, decimal, one_of, whole
from app.views.history.filters.picture import picture
from model.history import cnn, convolution, digits, recomputed
from model.interpret.calculation import neighbours

__all__ = ["cnn", "convolution", "digits", "recomputed"]

Floats = NDArray[np.float64]

KERNELS: Final = {
    "horizontal": N_("Sobel, horizontal edges"),
    "vertical": N_("Sobel, vertical edges"),
    "rising": N_("Sobel, rising edges"),
    "falling": N_("Sobel, falling edges"),
    "identity": N_("Identity"),
    "blur": N_("Blur"),
    "own": N_("Your own"),
}
WAYS: Final = {"plain": N_("as it is (networks)"), "turned": N_("turned by 180° (mathematics)")}
KERNEL: Final = Param[str]("fker", "horizontal", one_of(*KERNELS))
# At first a kernel that sharpens: five times the pixel, minus its four neighbours.
OWN: Final = tuple(
    Param[float](f"fk{i}", weight, decimal(-9, 9))
    for i, weight in enumerate((0.0, -1.0, 0.0, -1.0, 5.0, -1.0, 0.0, -1.0, 0.0))
)
WAY: Final = Param[str]("fway", "plain", one_of(*WAYS))
STRIDE: Final = Param[int]("fstride", 1, whole(1, 3))
PADDING: Final = Param[int]("fpad", 0, whole(0, 2))
SEED: Final = Param[int]("fseed", 0, whole(0, 999))
DIGIT: Final = Param[int]("fdigit", 1, whole(1, digits.HELD_OUT))
FIRST: Final = 8  # reports made before the page is first seen


@dataclass(frozen=True, eq=False)
class FiltersChoice:
    """The stepping kernel, the training of the network, and the held-out digit that it reads.

    `greys` are the digit's, (8, 8), from 0 to 1, and `label` is what it shows.
    """

    stepping: convolution.Stepping
    training: Live[cnn.Learned]
    greys: Floats
    label: int

    @property
    def network(self) -> cnn.Learned:
        """The network after the latest update."""
        return self.training.reports[-1]

    @property
    def reading(self) -> cnn.Reading:
        """How the network, as it is after that update, reads the digit."""
        return cnn.read(self.network.weights, self.greys)


def choice() -> FiltersChoice:
    """Return the choice; start the training with its seed if there is none yet."""
    kernel, seed = convolution.KERNELS.get(KERNEL.get()), SEED.get()
    if kernel is None:
        kernel = np.array([param.get() for param in OWN]).reshape(3, 3)
    flipped = WAY.get() == "turned"
    stepping = convolution.Stepping(picture(), kernel, STRIDE.get(), PADDING.get(), flipped)
    network = training("filters", seed, lambda: cnn.train(seed), FIRST)
    (_, held_out), i = digits.digits(), DIGIT.get() - 1
    greys = held_out.pictures[i, 0].double().numpy()
    return FiltersChoice(stepping, network, greys, int(held_out.labels[i]))


def drawn_greys(drawing: str) -> Floats:
    """Return a drawing, 256 hexadecimal digits or nothing, as greys (8, 8) from 0 to 1."""
    side = digits.SIDE * digits.BLOCK
    octets = np.frombuffer(bytes.fromhex(drawing or "0" * (side * side // 4)), dtype=np.uint8)
    return digits.greys_of(np.unpackbits(octets).reshape(side, side))


def cosines_of(some: Floats, others: Floats) -> Floats:
    """Return the cosine of every kernel with every other: (N, k, k) and (M, k, k) to (N, M)."""
    flat = some.reshape(len(some), -1).astype(float)
    cosines = [neighbours.cosines(flat, other.ravel().astype(float)) for other in others]
    return np.stack(cosines, axis=1)
