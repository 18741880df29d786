"""What one chooses on the page: a kernel that steps, a network of digits, a block, and a race."""

from dataclasses import dataclass
from itertools import product
from typing import Final

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from app.data.images import house
from app.i18n import N_
from app.page.live_training import Live, training
from app.state import Param, decimal, one_of, whole
from model.history import batch_norm, cnn, convolution, deep, digits, residual
from model.history.batch_norm import Normed
from model.history.deep import RaceReport, StackPlan
from model.history.residual import BlockPass

__all__ = ["RaceReport", "batch_norm", "cnn", "convolution", "deep", "digits", "residual"]

Floats = NDArray[np.float64]

KERNELS: Final = {
    "horizontal": N_("Sobel, horizontal edges"),
    "vertical": N_("Sobel, vertical edges"),
    "rising": N_("Sobel, rising edges"),
    "falling": N_("Sobel, falling edges"),
    "identity": N_("Identity"),
    "blur": N_("Blur"),
}
KERNEL: Final = Param[str]("fker", "horizontal", one_of(*KERNELS))
STRIDE: Final = Param[int]("fstride", 1, whole(1, 3))
PADDING: Final = Param[int]("fpad", 0, whole(0, 2))
SEED: Final = Param[int]("fseed", 0, whole(0, 999))
DIGIT: Final = Param[int]("fdigit", 1, whole(1, digits.HELD_OUT))
FIRST: Final = 8  # reports made before the page is first seen
CHANNEL: Final = Param[int]("rchannel", 1, whole(1, residual.CHANNELS))
BLOCK_GAMMA: Final = Param[float]("rgamma", 1.0, decimal(0, 2))
SHORTCUT: Final = Param[bool]("rshort", True, lambda raw: raw == "1")
DEPTHS: Final = ("20", "30", "40")
DEPTH: Final = Param[str]("rdepth", "30", one_of(*DEPTHS))
RACE_SEED: Final = Param[int]("rseed", 0, whole(0, 999))
FIRST_OF_RACE: Final = 2
OTHERS: Final = Param[int]("rwith", 1, whole(1, 20))
FEATURE: Final = Param[int]("rfeature", 1, whole(1, batch_norm.FEATURES))
GAMMA: Final = Param[float]("rscale", 1.0, decimal(-2, 2))
BETA: Final = Param[float]("rshift", 0.0, decimal(-2, 2))

block = st.cache_data(max_entries=200, show_spinner=False)(residual.send_digits)
normed = st.cache_data(max_entries=400, show_spinner=False)(batch_norm.normalise_digits)


@dataclass(frozen=True, eq=False)
class FiltersChoice:
    """The stepping kernel, the network's training with the digit that it reads, block and race.

    `greys` are the digit's, (8, 8), from 0 to 1, and `label` is what it shows.
    """

    stepping: convolution.Stepping
    training: Live[cnn.Learned]
    greys: Floats
    label: int
    block: BlockPass
    race: Live[RaceReport]

    def part(self, array: np.ndarray) -> np.ndarray:
        """Return the shown channel of one of the block's arrays for its first digit, (H, W)."""
        return np.asarray(array[0, CHANNEL.get() - 1])


def choice() -> FiltersChoice:
    """Return the choice; start the trainings with their seeds if there are none yet."""
    kernel, seed, race_seed = convolution.KERNELS[KERNEL.get()], SEED.get(), RACE_SEED.get()
    network = training("filters", seed, lambda: cnn.train(seed), FIRST)
    racers = plans()
    race = training("residual", racers, lambda: deep.race(racers, race_seed), FIRST_OF_RACE)
    (_, held_out), i = digits.digits(), DIGIT.get() - 1
    return FiltersChoice(
        convolution.Stepping(house(), kernel, STRIDE.get(), PADDING.get()),
        network,
        held_out.pictures[i, 0].double().numpy(),
        int(held_out.labels[i]),
        block(BLOCK_GAMMA.get(), SHORTCUT.get()),
        race,
    )


def plans() -> tuple[StackPlan, ...]:
    """Return the racing networks: shallow and deep, each without and with shortcuts."""
    pairs = product((deep.SHALLOW, int(DEPTH.get())), (False, True))
    return tuple(StackPlan(depth, shortcut, RACE_SEED.get()) for depth, shortcut in pairs)


def batch() -> Normed:
    """Return the batch that is normalised."""
    return normed(OTHERS.get() - 1, GAMMA.get(), BETA.get())


def drawn_greys(drawing: str) -> Floats:
    """Return a drawing, 256 hexadecimal digits or nothing, as greys (8, 8) from 0 to 1."""
    side = digits.SIDE * digits.BLOCK
    octets = np.frombuffer(bytes.fromhex(drawing or "0" * (side * side // 4)), dtype=np.uint8)
    return digits.greys_of(np.unpackbits(octets).reshape(side, side))
