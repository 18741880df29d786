"""The layers of AlexNet and ResNet-50, with what comes out of each and its parameters."""

import streamlit as st

from model.history.alexnet import alexnet_layers
from model.history.layer_table import Layer
from model.history.resnet import resnet50_layers

__all__ = ["Layer"]


@st.cache_data(show_spinner=False)
def alexnet() -> tuple[Layer, ...]:
    """Return AlexNet's layers, with what comes out of each."""
    return alexnet_layers()


@st.cache_data(show_spinner=False)
def resnet50() -> tuple[Layer, ...]:
    """Return ResNet-50's stages, with what comes out of each."""
    return resnet50_layers()
