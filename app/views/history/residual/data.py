"""The door to residual learning: the race, the block, the gradients, batch normalisation."""

from collections.abc import Iterator
from typing import Final

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from model.history import deep
from model.history.batch_norm import COMPANY, FEATURES, Normed, normalise_digits
from model.history.deep import SHALLOW, UPDATES, WIDTH, Plan, Report, laps
from model.history.recomputed.residual import (
    block_again,
    gradients_again,
    normed_again,
    parameters_again,
)
from model.history.residual import CHANNELS, PICTURES, Block, send_digits, sizes
from model.history.resnet import STAGES
from model.history.weights import Start

__all__ = [
    "CHANNELS", "COMPANY", "FEATURES", "PICTURES", "SHALLOW", "UPDATES", "WIDTH", "Block", "Normed",
    "Plan", "Report", "Start", "block_again", "gradients_again", "laps", "normed_again",
    "parameters_again", "sizes",
]  # fmt: skip

Floats = NDArray[np.floating]
BLOCKS: Final = sum(blocks for blocks, _width, _stride in STAGES)  # of ResNet-50


def plans(depth: int, seed: int) -> tuple[Plan, ...]:
    """Return who races: shallow and deep, each without shortcuts and with them."""
    return tuple(
        Plan(layers, shortcut, seed=seed)
        for layers in (SHALLOW, depth)
        for shortcut in (False, True)
    )


def race(depth: int, seed: int) -> Iterator[Report]:
    """Train all of `plans` side by side on the same batches."""
    return deep.race(plans(depth, seed), seed)


@st.cache_data(max_entries=200, show_spinner=False)
def gradients(depth: int, seed: int, start: Start, norm: bool) -> tuple[Floats, Floats]:
    """Return each layer's gradient norm, (depth,): without shortcuts, and with them."""
    plain, residual = (
        deep.gradient_norms(Plan(depth, shortcut, norm, start, seed)) for shortcut in (False, True)
    )
    return plain, residual


@st.cache_data(max_entries=200, show_spinner=False)
def block(seed: int, gamma: float, shortcut: bool) -> Block:
    """Send digits through a block of 8 channels whose last γ is `gamma`."""
    return send_digits(seed, gamma, shortcut)


@st.cache_data(max_entries=400, show_spinner=False)
def normed(company: int, seen: int, gamma: float, beta: float) -> Normed:
    """Normalise six digits, of which `company` chooses all but the first."""
    return normalise_digits(company, seen, gamma, beta)
