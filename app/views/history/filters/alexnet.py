"""AlexNet's layers: what comes out of each, and where its parameters are."""

import streamlit as st

from app.data.large_networks import alexnet
from app.format import grouped
from app.i18n import _
from app.ui.layer_table import draw_layers
from app.views.history.filters import texts
from app.views.history.filters.choice import Choice


def alexnet_text(_choice: Choice) -> str:
    """Say how many parameters there are, and where."""
    layers = alexnet()
    total = sum(layer.parameters for layer in layers)
    linear = sum(layer.parameters for layer in layers if layer.is_linear)
    share, classes = f"{100 * linear / total:.1f}", grouped(layers[-1].shape[0])
    return _(texts.ALEXNET).format(total=grouped(total), share=share, side=224, classes=classes)


def draw_alexnet(_choice: Choice) -> None:
    """Draw the layers, and their parameters as bars."""
    draw_layers(alexnet(), texts.LAYERS, "alexnet", _("convolutions"))
    st.caption(_(texts.ALEXNET_NOTE))
