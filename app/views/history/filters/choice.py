"""What one chooses on the page: the stepping kernel, and the network with its digit."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from app.i18n import N_
from app.page.live_training import Live, training
from app.state import Param, decimal, one_of, whole
from app.views.history.filters.data import cnn, convolution, digits
from app.views.history.filters.picture import picture

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
    """The stepping kernel, the training of the network, and the digit that it reads, from 0."""

    stepping: convolution.Stepping
    training: Live[cnn.Learned]
    digit: int

    @property
    def network(self) -> cnn.Learned:
        """The network after the latest update."""
        return self.training.reports[-1]


def choice() -> FiltersChoice:
    """Return the choice; start the training with its seed if there is none yet."""
    kernel, seed = convolution.KERNELS.get(KERNEL.get()), SEED.get()
    if kernel is None:
        kernel = np.array([param.get() for param in OWN]).reshape(3, 3)
    flipped = WAY.get() == "turned"
    stepping = convolution.Stepping(picture(), kernel, STRIDE.get(), PADDING.get(), flipped)
    network = training("filters", seed, lambda: cnn.train(seed), FIRST)
    return FiltersChoice(stepping, network, DIGIT.get() - 1)
