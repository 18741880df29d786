"""ImageNet's contest, and AlexNet."""

from typing import Final

import numpy as np
import streamlit as st

from app.charts.bars import named_bars
from app.data.images import alexnet
from app.format import escape, grouped, number
from app.i18n import N_, _
from app.page.kit import Code, Myth, Screens, say, show_chart
from app.ui.layer_table import draw_parameters, draw_shapes
from app.ui.table import Columns
from app.views.history.filters.data import FiltersChoice

RATES_NOTE: Final = N_(
    "Each year's winner, trained on the contest's pictures alone: category not among its five best "
    "guesses (AlexNet with more pictures: 15.3 %). Published figures (arXiv:1409.0575, "
    "1512.03385), not ours."
)
LAYERS: Final = {
    "conv1": N_("convolution 11 × 11, step 4"),
    "conv2": N_("convolution 5 × 5"),
    "conv3": N_("convolution 3 × 3"),
    "conv4": N_("convolution 3 × 3"),
    "conv5": N_("convolution 3 × 3"),
    "pool1": N_("largest of 3 × 3, step 2"),
    "pool2": N_("largest of 3 × 3, step 2"),
    "pool5": N_("largest of 3 × 3, step 2"),
    "average": N_("average pooling to 6 × 6"),
    "linear6": N_("linear"),
    "linear7": N_("linear"),
    "linear8": N_("linear, one number for each category"),
}
SIDE = 224  # of a photograph, in pixels
MILLIONS: Final = 1.2
TEST: Final = 100_000
KINDS: Final = 1000
# Top-5 error in per cent, without training pictures from elsewhere: table 6 of
# arXiv:1409.0575, and arXiv:1512.03385 for 2015.
RATES: Final = {
    "2010 NEC-UIUC": 28.2,
    "2011 XRCE": 25.8,
    "2012 AlexNet": 16.4,
    "2013 Clarifai": 11.7,
    "2014 GoogLeNet": 6.7,
    "2015 ResNet": 3.6,
}
FIRST_LEARNED: Final = 2  # its place

screens = Screens[FiltersChoice]()


def myth(_choice: FiltersChoice) -> Myth:
    """Refute that the convolutions hold most of the parameters."""
    layers = [layer for layer in alexnet() if layer.parameters]
    linear = sum(layer.parameters for layer in layers if layer.is_linear) / _total()
    # One multiplication per weight at each place of the output; a bias is only added.
    work = {layer: multiplications(layer.shape, layer.parameters) for layer in layers}
    convolutions = sum(count for layer, count in work.items() if not layer.is_linear)
    shares = {
        "share": number(100 * linear, 1),
        "rest": number(100 - 100 * linear, 1),
        "work": f"{100 * convolutions / sum(work.values()):.0f}",
    }
    truth = _(
        "Of AlexNet's {total} parameters, {share} % are in its three linear layers, where each "
        "number has a weight of its own for each number before it. A convolution uses its few "
        "weights again at every place: with {rest} % of the parameters, the five convolutions do "
        "{work} % of the multiplications."
    ).format(total=grouped(_total()), **shares)
    return Myth(
        _("Most parameters of a convolutional network are in its convolutions."), escape(truth)
    )


@screens(
    "alexnet",
    N_("ImageNet, and AlexNet (2012)"),
    Code(
        N_("AlexNet"),
        r"\text{parameters} = k^2 \cdot c_{\text{in}} \cdot c_{\text{out}} +"
        r" c_{\text{out}}",
        "model.history.large_networks:AlexNet",
    ),
    pick=False,
    was=("imagenet", "alexnet-code"),
)
def draw_imagenet(_choice: FiltersChoice) -> None:
    """Draw the errors of the winners as bars; beside them, AlexNet's parameters."""
    before, after = list(RATES.values())[FIRST_LEARNED - 1 : FIRST_LEARNED + 1]
    sizes = {"training": number(MILLIONS, 1), "test": grouped(TEST), "kinds": grouped(KINDS)}
    text = _(
        "ImageNet (2009) is millions of photographs with the names of what is in them: "
        "container ship, mushroom, cherry. Its yearly contest gave {training} million to train "
        "on, in {kinds} categories, and {test} to be tested on. In 2012 AlexNet won, with "
        "kernels that it had learned: its error fell from {before} % to {after} %."
    )
    say(text.format(before=before, after=after, **sizes))
    left, right = st.columns(2, gap="medium")
    with left:
        rates, title = np.array(list(RATES.values())), _("wrong, %")
        texts, scale = [number(rate, 1) for rate in RATES.values()], {"range": [0, 32], "nticks": 5}
        figure = named_bars(rates, list(RATES), "value", texts, title, scale, FIRST_LEARNED)
        columns: Columns = {_("winner"): list(RATES), title: list(RATES.values())}
        show_chart(figure, "filters-imagenet", _(RATES_NOTE), lambda: columns)
        st.caption(_(RATES_NOTE))
    with right:
        layers = alexnet()
        total, classes = grouped(_total()), grouped(layers[-1].shape[0])
        text = _(
            "The same idea, large: five convolutions and three linear layers, for photographs of "
            "{side} × {side} pixels in three colours and {classes} categories. Built by our own "
            "code, it has **{total}** parameters."
        )
        say(text.format(total=total, side=SIDE, classes=classes))
        draw_parameters(layers, "alexnet", _("convolutions"))


@screens.drawer("layers", N_("AlexNet, layer by layer"))
def draw_alexnet_shapes(_choice: FiltersChoice) -> None:
    """Draw the output shape of each layer."""
    grids = [layer.shape for layer in alexnet() if len(layer.shape) > 1]
    most, last = max(shape[0] for shape in grids), grids[-1][1]
    grow = _(
        "The grids shrink, from {side} × {side} pixels to {last} × {last}, and their number "
        "grows, from 3 colours to {most} channels: less and less where, more and more what."
    ).format(side=SIDE, last=last, most=most)
    alexnet_code = _(
        "**Adaptive average pooling** turns any photograph into 6 × 6 places. In training, "
        "**dropout** sets half of what goes into the first two linear layers to 0, against "
        "overfitting."
    )
    say(f"{grow} {alexnet_code}")
    draw_shapes(alexnet(), LAYERS, "alexnet-layers")
    st.caption(
        _(
            "The network of 2012 was cut into two halves for two graphics cards. This is the "
            "version in one piece that its author published in 2014 and that is widely used."
        )
    )


def _total() -> int:
    return sum(layer.parameters for layer in alexnet())


def multiplications(shape: tuple[int, ...], parameters: int) -> int:
    """Return how many multiplications a layer takes: its weights times its output's places."""
    channels, *sides = shape
    places = sides[0] * sides[1] if sides else 1
    return (parameters - channels) * places
