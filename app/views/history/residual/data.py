"""What the page asks of the model: the race, the block, the gradients, batch normalisation."""

from itertools import product
from typing import Final

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from model.history import deep
from model.history.batch_norm import COMPANY, FEATURES, Normed, normalise_digits
from model.history.deep import SHALLOW, RaceReport, StackPlan
from model.history.recomputed import residual as recomputed
from model.history.residual import CHANNELS, PICTURES, BlockPass, own_slopes, send_digits, sizes
from model.history.resnet import STAGES
from model.history.weights import Start

__all__ = ["CHANNELS", "COMPANY", "FEATURES", "PICTURES", "SHALLOW"]
__all__ += [
    "BlockPass",
    "Normed",
    "RaceReport",
    "StackPlan",
    "Start",
    "deep",
    "recomputed",
    "sizes",
]

Floats = NDArray[np.floating]
BLOCKS: Final = sum(blocks for blocks, _width, _stride in STAGES)  # of ResNet-50

block = st.cache_data(max_entries=200, show_spinner=False)(send_digits)
slopes = st.cache_data(max_entries=200, show_spinner=False)(own_slopes)
normed = st.cache_data(max_entries=400, show_spinner=False)(normalise_digits)


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
