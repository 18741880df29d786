"""What one chooses on the page, and what it asks: the race, the block, the gradients, the batch."""

from dataclasses import dataclass
from itertools import product
from typing import Final

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from app.page.live_training import Live, training
from app.state import Param, decimal, one_of, whole
from model.history import deep, recomputed
from model.history.batch_norm import COMPANY, FEATURES, Normed, normalise_digits
from model.history.deep import SHALLOW, RaceReport, StackPlan
from model.history.digits import Start
from model.history.large_networks import STAGES
from model.history.residual import CHANNELS, PICTURES, BlockPass, own_slopes, send_digits, sizes

__all__ = ["CHANNELS", "COMPANY", "FEATURES", "PICTURES", "SHALLOW", "BlockPass", "Normed"]
__all__ += ["RaceReport", "StackPlan", "Start", "deep", "recomputed", "sizes"]

Floats = NDArray[np.floating]
BLOCKS: Final = sum(blocks for blocks, _width, _stride in STAGES)  # of ResNet-50

block = st.cache_data(max_entries=200, show_spinner=False)(send_digits)
slopes = st.cache_data(max_entries=200, show_spinner=False)(own_slopes)
normed = st.cache_data(max_entries=400, show_spinner=False)(normalise_digits)

DEPTHS: Final = ("20", "30", "40")
DEPTH: Final = Param[str]("rdepth", "30", one_of(*DEPTHS))
SEED: Final = Param[int]("rseed", 0, whole(0, 999))
FIRST: Final = 2  # reports made before the page is first seen
DIGIT: Final = Param[int]("rdigit", 1, whole(1, PICTURES))
CHANNEL: Final = Param[int]("rchannel", 1, whole(1, CHANNELS))
BLOCK_GAMMA: Final = Param[float]("rgamma", 1.0, decimal(0, 2))
SHORTCUT: Final = Param[bool]("rshort", True, lambda raw: raw == "1")
LAYERS: Final = Param[int]("rlayers", 30, lambda raw: whole(2, 50)(raw) // 2 * 2)
START: Final = Param[Start]("rstart", "default", one_of("default", "he"))
GRADIENT_SEED: Final = Param[int]("rgseed", 0, whole(0, 999))
NORM: Final = Param[bool]("rnorm", False, lambda raw: raw == "1")
OTHERS: Final = Param[int]("rwith", 1, whole(1, 20))
FEATURE: Final = Param[int]("rfeature", 1, whole(1, FEATURES))
GAMMA: Final = Param[float]("rscale", 1.0, decimal(-2, 2))
BETA: Final = Param[float]("rshift", 0.0, decimal(-2, 2))
SEEN: Final = Param[int]("rseen", 50, whole(0, 200))


@dataclass(frozen=True, eq=False)
class ResidualChoice:
    """The race, the block with the picture and channel that are shown, and the batch.

    `networks` are the depth, seed, initial weights and normalisation of the two whose gradients,
    (layers,), are compared. Pictures, channels and features are counted from 0.
    """

    depth: int
    training: Live[RaceReport]
    block: BlockPass
    picture: int
    channel: int
    networks: tuple[int, int, Start, bool]
    gradients: tuple[np.ndarray, np.ndarray]  # plain, residual
    batch: Normed
    feature: int
    gamma: float
    beta: float

    def part(self, array: np.ndarray) -> np.ndarray:
        """Return the shown channel of one of the block's arrays, (H, W)."""
        return np.asarray(array[self.picture, self.channel])


def choice() -> ResidualChoice:
    """Return the choice; start its race if there is none yet."""
    depth, seed, gamma, beta = int(DEPTH.get()), SEED.get(), GAMMA.get(), BETA.get()
    networks = (LAYERS.get(), GRADIENT_SEED.get(), START.get(), NORM.get())
    racers = plans(depth, seed)
    race = training("residual", (depth, seed), lambda: deep.race(racers, seed), FIRST)
    return ResidualChoice(
        depth,
        race,
        block(seed, BLOCK_GAMMA.get(), SHORTCUT.get()),
        DIGIT.get() - 1,
        CHANNEL.get() - 1,
        networks,
        gradients(*networks),
        normed(OTHERS.get() - 1, SEEN.get(), gamma, beta),
        FEATURE.get() - 1,
        gamma,
        beta,
    )


def plans(depth: int, seed: int) -> tuple[StackPlan, ...]:
    """Return the racing networks: shallow and deep, each without and with shortcuts."""
    pairs = product((SHALLOW, depth), (False, True))
    return tuple(StackPlan(layers, shortcut, seed=seed) for layers, shortcut in pairs)


@st.cache_data(max_entries=200, show_spinner=False)
def gradients(depth: int, seed: int, start: Start, norm: bool) -> tuple[Floats, Floats]:
    """Return each layer's gradient norm, (depth,), without and with shortcuts."""
    plain, residual = (
        deep.gradient_norms(StackPlan(depth, shortcut, norm, start, seed))
        for shortcut in (False, True)
    )
    return plain, residual
