"""What the chapters on images look at: a small grey picture, and the layers of large networks."""

from typing import Final

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from model.history.large_networks import LayerRow, alexnet_layers, resnet50_layers

__all__ = ["LayerRow"]

Greys = NDArray[np.float64]
SIDE: Final = 16


def house() -> Greys:
    """Draw a house at dusk, (16, 16)."""
    greys = np.linspace(0.5, 0.8, SIDE)[:, None].repeat(SIDE, axis=1)  # the sky
    greys[13:] = 0.35  # the ground
    greys[7:14, 3:13] = 0.95  # the wall
    for row in range(2, 7):  # the roof
        greys[row, 9 - row : 7 + row] = 0.15
    greys[9:11, 4:6] = greys[9:11, 10:12] = 0.4  # two windows
    greys[10:14, 7:9] = 0.2  # the door
    return greys


alexnet = st.cache_data(show_spinner=False)(alexnet_layers)
resnet50 = st.cache_data(show_spinner=False)(resnet50_layers)
