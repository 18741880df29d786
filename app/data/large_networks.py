"""The layers of AlexNet and ResNet-50, with what comes out of each and its parameters."""

import streamlit as st

from model.history.alexnet import alexnet_layers
from model.history.layer_table import LayerRow
from model.history.resnet import resnet50_layers

__all__ = ["LayerRow"]

alexnet = st.cache_data(show_spinner=False)(alexnet_layers)
resnet50 = st.cache_data(show_spinner=False)(resnet50_layers)
