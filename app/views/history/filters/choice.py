"""What is chosen on the page: how a kernel steps over which picture, the network, and a digit."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from app.components.pad import drawing
from app.page.live_training import Live, training
from app.state import Param, decimal, one_of, whole
from app.views.history.filters import texts
from app.views.history.filters.data import cnn, convolution, digits
from app.views.history.filters.picture import picture

KERNEL: Final = Param[str]("fker", "horizontal", one_of(*texts.KERNELS))
# To begin with, a kernel that sharpens: five times the pixel, less its four neighbours.
OWN: Final = tuple(
    Param[float](f"fk{i}", weight, decimal(-9, 9))
    for i, weight in enumerate((0.0, -1.0, 0.0, -1.0, 5.0, -1.0, 0.0, -1.0, 0.0))
)
WAY: Final = Param[str]("fway", "plain", one_of(*texts.WAYS))
STRIDE: Final = Param[int]("fstride", 1, whole(1, 3))
PADDING: Final = Param[int]("fpad", 0, whole(0, 2))
SEED: Final = Param[int]("fseed", 0, whole(0, 999))
DIGIT: Final = Param[int]("fdigit", 1, whole(1, digits.HELD_OUT))
DRAWN: Final = Param[str]("fdrawn", "", drawing)
FIRST: Final = 8  # reports made before the page is first seen


@dataclass(frozen=True, eq=False)
class Choice:
    """The stepping kernel, the training of the network, and the digit it looks at, from 0."""

    stepping: convolution.Stepping
    training: Live[cnn.Learned]
    digit: int

    @property
    def network(self) -> cnn.Learned:
        """The network as it stands now."""
        return self.training.reports[-1]


def choice() -> Choice:
    """Return what is chosen; where there is no training of that seed yet, one begins."""
    kernel, seed = convolution.KERNELS.get(KERNEL.get()), SEED.get()
    if kernel is None:
        kernel = np.array([param.get() for param in OWN]).reshape(3, 3)
    flipped = WAY.get() == "turned"
    stepping = convolution.Stepping(picture(), kernel, STRIDE.get(), PADDING.get(), flipped)
    network = training("filters", seed, lambda: cnn.train(seed), FIRST)
    return Choice(stepping, network, DIGIT.get() - 1)
