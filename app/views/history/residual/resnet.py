"""ResNet-50: what comes out of each stage, and where its parameters are."""

import streamlit as st

from app.charts.blocks import Part, block_bars
from app.charts.toolbar import plot_config
from app.data.large_networks import alexnet, resnet50
from app.format import grouped
from app.i18n import _
from app.ui.chart import theme_mode
from app.ui.layer_table import layer_table
from app.views.history.residual import texts
from app.views.history.residual.data import BLOCKS


def draw_resnet() -> None:
    """Draw the stages as a table and their parameters as bars."""
    st.header(_(texts.RESNET_TITLE), anchor=False)
    layers = resnet50()
    total = sum(layer.parameters for layer in layers)
    alexnets = sum(layer.parameters for layer in alexnet())
    st.markdown(
        _(texts.RESNET).format(
            blocks=BLOCKS, total=grouped(total), less=f"{100 * total / alexnets:.0f}",
            share=f"{100 * layers[-1].parameters / total:.1f}",
        )
    )  # fmt: skip
    counted = [layer for layer in layers if layer.parameters]
    counts = [layer.parameters for layer in counted]
    parts = [
        Part(_("convolutions and normalisation"), "value", "", [*counts[:-1], 0]),
        Part(_("linear layers"), "key", "/", [*[0] * (len(counts) - 1), counts[-1]]),
    ]
    st.plotly_chart(
        block_bars(
            [layer.name for layer in counted], parts, value_title=_("parameters"),
            mode=theme_mode(),
        ),
        theme=None, config=plot_config("resnet"), key="resnet", alt=_("Parameters of each layer"),
    )  # fmt: skip
    layer_table(layers, texts.RESNET_NAMES, "resnet-layers")
