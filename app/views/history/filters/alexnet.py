"""AlexNet's layers: what comes out of each, and where its parameters are."""

import streamlit as st

from app.charts.blocks import Part, block_bars
from app.charts.toolbar import plot_config
from app.data.large_networks import Layer, alexnet
from app.format import grouped
from app.i18n import _
from app.ui.chart import theme_mode
from app.ui.layer_table import layer_table
from app.views.history.filters import texts


def draw_alexnet() -> None:
    """Draw the layers as a table and their parameters as bars."""
    st.header(_(texts.ALEXNET_TITLE), anchor=False)
    layers = alexnet()
    total = sum(layer.parameters for layer in layers)
    linear = sum(layer.parameters for layer in layers if _is_linear(layer))
    st.markdown(
        _(texts.ALEXNET).format(
            total=grouped(total), share=f"{100 * linear / total:.1f}", side=224,
            classes=grouped(layers[-1].shape[0]),
        )
    )  # fmt: skip
    counted = [layer for layer in layers if layer.parameters]
    parts = [
        Part(_("convolutions"), "value", "", _counts(counted, linear=False)),
        Part(_("linear layers"), "key", "/", _counts(counted, linear=True)),
    ]
    st.plotly_chart(
        block_bars(
            [layer.name for layer in counted], parts, value_title=_("parameters"),
            mode=theme_mode(),
        ),
        theme=None, config=plot_config("alexnet"), key="alexnet", alt=_("Parameters of each layer"),
    )  # fmt: skip
    layer_table(layers, texts.LAYERS, "alexnet-layers")
    st.caption(_(texts.ALEXNET_NOTE))


def _is_linear(layer: Layer) -> bool:
    return layer.name.startswith("linear")


def _counts(layers: list[Layer], *, linear: bool) -> list[int]:
    return [layer.parameters if _is_linear(layer) == linear else 0 for layer in layers]
