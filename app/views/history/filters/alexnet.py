"""AlexNet's layers: what comes out of each, and where its parameters are."""

from collections.abc import Sequence

import streamlit as st

from app.charts.blocks import Part, block_bars
from app.data.large_networks import Layer, alexnet
from app.format import grouped
from app.i18n import _
from app.ui.chart import show_chart
from app.ui.layer_table import layer_table
from app.views.history.filters import texts
from app.views.history.filters.choice import Choice


def alexnet_text(_choice: Choice) -> str:
    """Say how many parameters there are, and where."""
    layers = alexnet()
    total = sum(layer.parameters for layer in layers)
    linear = sum(_parameters(layers, linear=True))
    share, classes = f"{100 * linear / total:.1f}", grouped(layers[-1].shape[0])
    return _(texts.ALEXNET).format(total=grouped(total), share=share, side=224, classes=classes)


def draw_alexnet(_choice: Choice) -> None:
    """Draw the layers as a table and their parameters as bars."""
    layers = alexnet()
    counted = [layer for layer in layers if layer.parameters]
    parts = [
        Part(_("convolutions"), "value", "", _parameters(counted, linear=False)),
        Part(_("linear layers"), "key", "/", _parameters(counted, linear=True)),
    ]
    names, title = [layer.name for layer in counted], _("parameters")
    figure = block_bars(names, parts, value_title=title)
    show_chart(figure, "alexnet", _("Parameters of each layer"))
    layer_table(layers, texts.LAYERS, "alexnet-layers")
    st.caption(_(texts.ALEXNET_NOTE))


def _parameters(layers: Sequence[Layer], *, linear: bool) -> list[int]:
    """Return the parameters of the linear layers or of the others, 0 for each of the rest."""
    return [
        layer.parameters if layer.name.startswith("linear") == linear else 0 for layer in layers
    ]
