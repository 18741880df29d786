"""AlexNet's layers: what comes out of each, and where its parameters are."""

import streamlit as st

from app.data.large_networks import alexnet
from app.format import escape, grouped, number
from app.i18n import _
from app.page.declare import Myth
from app.ui.layer_table import draw_parameters, draw_shapes
from app.views.history.filters import texts
from app.views.history.filters.choice import Choice

SIDE = 224  # of a photograph, in pixels


def alexnet_text(_choice: Choice) -> str:
    """Say how many parameters there are."""
    layers = alexnet()
    total, classes = grouped(_total()), grouped(layers[-1].shape[0])
    return _(texts.ALEXNET).format(total=total, side=SIDE, classes=classes)


def draw_alexnet(_choice: Choice) -> None:
    """Draw the parameters of the layers as bars."""
    draw_parameters(alexnet(), "alexnet", _("convolutions"))


def shapes_text(_choice: Choice) -> str:
    """Say how the grids shrink and become more, and what the code below does besides."""
    grids = [layer.shape for layer in alexnet() if len(layer.shape) > 1]
    most, last = max(shape[0] for shape in grids), grids[-1][1]
    grow = _(texts.SHAPES).format(side=SIDE, last=last, most=most)
    return f"{grow} {_(texts.ALEXNET_CODE)}"


def draw_alexnet_shapes(_choice: Choice) -> None:
    """Draw what comes out of each layer."""
    draw_shapes(alexnet(), texts.LAYERS, "alexnet-layers")
    st.caption(_(texts.ALEXNET_NOTE))


def myth(_choice: Choice) -> Myth:
    """Refute that the convolutions hold most of the parameters."""
    layers = [layer for layer in alexnet() if layer.parameters]
    linear = sum(layer.parameters for layer in layers if layer.is_linear) / _total()
    # One multiplication a weight, at each place of what comes out; a bias is only added.
    work = {layer: multiplications(layer.shape, layer.parameters) for layer in layers}
    convolutions = sum(count for layer, count in work.items() if not layer.is_linear)
    shares = {
        "share": number(100 * linear, 1),
        "rest": number(100 - 100 * linear, 1),
        "work": f"{100 * convolutions / sum(work.values()):.0f}",
    }
    truth = _(texts.TRUTH).format(total=grouped(_total()), **shares)
    return Myth(_(texts.MYTH), escape(truth))


def multiplications(shape: tuple[int, ...], parameters: int) -> int:
    """Return how many multiplications a layer takes: its weights, at each of its places."""
    channels, *sides = shape
    places = sides[0] * sides[1] if sides else 1
    return (parameters - channels) * places


def _total() -> int:
    return sum(layer.parameters for layer in alexnet())
