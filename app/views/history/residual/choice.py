"""What one chooses on the page: the race, the block, the two networks and the batch."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from app.page.live_training import Live, training
from app.state import Param, decimal, one_of, whole
from app.views.history.residual import data

DEPTHS: Final = ("20", "30", "40")
DEPTH: Final = Param[str]("rdepth", "30", one_of(*DEPTHS))
SEED: Final = Param[int]("rseed", 0, whole(0, 999))
FIRST: Final = 2  # reports made before the page is first seen
DIGIT: Final = Param[int]("rdigit", 1, whole(1, data.PICTURES))
CHANNEL: Final = Param[int]("rchannel", 1, whole(1, data.CHANNELS))
BLOCK_GAMMA: Final = Param[float]("rgamma", 1.0, decimal(0, 2))
SHORTCUT: Final = Param[bool]("rshort", True, lambda raw: raw == "1")
LAYERS: Final = Param[int]("rlayers", 30, lambda raw: whole(2, 50)(raw) // 2 * 2)
START: Final = Param[data.Start]("rstart", "default", one_of("default", "he"))
GRADIENT_SEED: Final = Param[int]("rgseed", 0, whole(0, 999))
NORM: Final = Param[bool]("rnorm", False, lambda raw: raw == "1")
OTHERS: Final = Param[int]("rwith", 1, whole(1, 20))
FEATURE: Final = Param[int]("rfeature", 1, whole(1, data.FEATURES))
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
    training: Live[data.RaceReport]
    block: data.BlockPass
    picture: int
    channel: int
    networks: tuple[int, int, data.Start, bool]
    gradients: tuple[np.ndarray, np.ndarray]  # plain, residual
    batch: data.Normed
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
    racers = data.plans(depth, seed)
    race = training("residual", (depth, seed), lambda: data.deep.race(racers, seed), FIRST)
    return ResidualChoice(
        depth,
        race,
        data.block(seed, BLOCK_GAMMA.get(), SHORTCUT.get()),
        DIGIT.get() - 1,
        CHANNEL.get() - 1,
        networks,
        data.gradients(*networks),
        data.normed(OTHERS.get() - 1, SEEN.get(), gamma, beta),
        FEATURE.get() - 1,
        gamma,
        beta,
    )
