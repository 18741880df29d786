"""The layers of AlexNet and ResNet-50, with what comes out of each and its parameters."""

import streamlit as st

from model.history.large_networks import LayerRow, alexnet_layers, resnet50_layers

__all__ = ["LayerRow"]

alexnet = st.cache_data(show_spinner=False)(alexnet_layers)
resnet50 = st.cache_data(show_spinner=False)(resnet50_layers)
