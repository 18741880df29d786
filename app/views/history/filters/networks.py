"""Networks that learn their kernels: a small one that reads digits, and AlexNet."""

from collections.abc import Sequence
from functools import partial
from typing import Final

import numpy as np
import streamlit as st

from app.charts.bars import distribution_bars, named_bars
from app.charts.theme import Scale
from app.components.pad import drawing, pad
from app.data.images import alexnet
from app.format import grouped, number, probability
from app.i18n import N_, _
from app.page.kit import Code, Screens, pick_seed, say, show_chart
from app.page.live_training import draw_live
from app.state import Param
from app.ui.layer_table import draw_parameters, draw_shapes
from app.ui.table import Columns
from app.views.history.filters import data
from app.views.history.filters.data import FiltersChoice, cnn, digits
from app.views.history.filters.tiles_chart import columns_of, tiles

DRAWN: Final = Param[str]("fdrawn", "", drawing)
RATES_NOTE: Final = N_(
    "Each year's winner, trained on the contest's pictures alone: category not among its five best "
    "guesses (AlexNet with more pictures: 15.3 %). Published figures (arXiv:1409.0575, "
    "1512.03385), not ours."
)
LAYERS: Final = {
    "conv1": N_("convolution 11 × 11, step 4"),
    "conv2": N_("convolution 5 × 5"),
    **dict.fromkeys(("conv3", "conv4", "conv5"), N_("convolution 3 × 3")),
    **dict.fromkeys(("pool1", "pool2", "pool5"), N_("largest of 3 × 3, step 2")),
    "average": N_("average pooling to 6 × 6"),
    **dict.fromkeys(("linear6", "linear7"), N_("linear")),
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


def pick_reading(_choice: FiltersChoice) -> None:
    """Draw the choice of a digit and of the network's first weights."""
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom"):
        label = _("Digit")
        tip = _("One of the digits held out: the network has never learned from it.")
        st.slider(label, 1, digits.HELD_OUT, key=data.DIGIT.widget(), help=tip, width=320)
        pick_seed(data.SEED, _("Another number gives other random weights to begin with."))


screens = Screens[FiltersChoice]()


@screens(
    "read",
    N_("A network that learns its kernels"),
    Code(
        N_("The network that reads digits"),
        r"\text{conv} \to \text{ReLU} \to \text{conv} \to \text{ReLU} \to \max \to"
        r" \text{linear}",
        "model.history.cnn:Cnn",
    ),
    Code(
        N_("Its training"),
        r"\text{loss} = -\log p_{\text{right}}, \qquad"
        r" w \leftarrow \text{Adam}(w, \nabla_w \text{loss})",
        "model.history.cnn:train",
    ),
    pick=pick_reading,
    was=("deeper", "pool", "said", "drawn", "network"),
)
def draw_read(choice: FiltersChoice) -> None:
    """Draw a digit on its way through the network as it learns, to each answer's probability."""
    say()
    draw_live(choice.training, cnn.REPORTS, partial(_draw_reading, choice), before=1)
    first, second = cnn.FILTERS
    text = _(
        "Nobody wrote its kernels: {first} step over the digit, {second} over what those found, "
        "patterns of patterns; what is negative becomes 0 (ReLU). Of each square of 2 × 2 only the "
        "largest number is kept (max pooling); a linear layer and a softmax give ten "
        "probabilities. It learns from {learn} digits. Draw one, large and in the middle."
    )
    say(text, first=first, second=second, learn=digits.LEARNED_FROM)


def _draw_reading(choice: FiltersChoice, so_far: Sequence[cnn.Learned]) -> None:
    network, sketch = so_far[-1], DRAWN.get()
    greys = data.drawn_greys(sketch) if sketch else choice.greys
    read = cnn.read(network.weights, greys)
    maps = np.concatenate([read.maps1, read.maps2])  # (24, 8, 8)
    left, middle, right = st.columns([0.2, 0.48, 0.32], gap="small")
    with left:
        pad(key="filters-pad", label=_("Draw a digit"), drawn=sketch, on_draw=DRAWN.set)
    with middle:
        title = _("Feature maps: the first layer's on top, the second's below")
        _draw_tiles(maps, "filters-maps", title, "weights", 50)
    with right:
        p = read.probabilities
        names, title = [str(i) for i in range(len(p))], _("probability")
        bars = distribution_bars(p, names, "output", value_title=title, marked=int(p.argmax()))
        alt = _("What the network says: the probability of each digit")
        show_chart(bars, "filters-said", alt)
    share = {"percent": number(100 * network.accuracy, 1), "n": digits.HELD_OUT}
    text = _("After {updates} updates it reads {percent} % of the {n} held-out digits.")
    st.markdown(f"{_verdict(choice, sketch, p)} {text.format(updates=network.update, **share)}")


@screens.drawer("kernels", N_("The digit, and the kernels that step over it"), was=("train",))
def draw_kernels(choice: FiltersChoice) -> None:
    """Draw the digit and the kernels of the first layer, as they are now."""
    say()
    kernels = choice.training.reports[-1].weights["conv1.weight"][:, 0].astype(float)  # (8, 3, 3)
    left, right = st.columns([0.25, 0.75], gap="small")
    with left:
        _draw_tiles(choice.greys[None], "filters-digit", _("The digit, 8 × 8 greys"), "greys", 120)
    with right:
        _draw_tiles(kernels, "filters-kernels", _("The learned kernels"), "signed", 64)


def _draw_tiles(pictures: np.ndarray, key: str, title: str, scale: Scale, tile: int) -> None:
    names = [str(i + 1) for i in range(len(pictures))]
    across = min(len(pictures), cnn.FILTERS[0])
    figure = tiles(pictures, names, across=across, scale=scale, tile=tile)
    show_chart(figure, key, title, lambda: columns_of(pictures, names))


def _verdict(choice: FiltersChoice, sketch: str, p: np.ndarray) -> str:
    answer, label = int(p.argmax()), choice.label
    if sketch:
        text = _("The network reads a **{said}**, with probability {p}.")
    elif answer == label:
        text = _("It is a {label}, and the network says {said}, with probability {p}.")
    else:
        text = _(
            "It is a {label}, but the network says {said}, with probability {p}. To the {label} "
            "it gives {q}."
        )
    shares = {"p": probability(p[answer]), "q": probability(p[label])}
    return text.format(label=label, said=answer, **shares)


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
    say()
    layers = alexnet()
    left, right = st.columns(2, gap="medium")
    with left:
        rates, title = np.array(list(RATES.values())), _("wrong, %")
        texts, scale = [number(rate, 1) for rate in RATES.values()], {"range": [0, 32], "nticks": 5}
        figure = named_bars(rates, list(RATES), "value", texts, title, scale, FIRST_LEARNED)
        columns: Columns = {_("winner"): list(RATES), title: list(RATES.values())}
        show_chart(figure, "filters-imagenet", _(RATES_NOTE), lambda: columns)
        st.caption(_(RATES_NOTE))
    with right:
        draw_parameters(layers, "alexnet", _("convolutions"))
    before, after = list(RATES.values())[FIRST_LEARNED - 1 : FIRST_LEARNED + 1]
    text = _(
        "ImageNet (2009) is millions of photographs with the names of what is in them: "
        "container ship, mushroom, cherry. Its yearly contest gave {training} million to train "
        "on, in {kinds} categories, and {test} to be tested on. In 2012 AlexNet won, with "
        "kernels that it had learned: its error fell from {before} % to {after} %."
    )
    large = _(
        "The same idea, large: five convolutions and three linear layers, for photographs of "
        "{side} × {side} pixels in three colours and {classes} categories. Built by our own "
        "code, it has **{total}** parameters."
    )
    sizes = {"training": number(MILLIONS, 1), "test": grouped(TEST), "kinds": grouped(KINDS)}
    sizes |= {"total": grouped(sum(layer.parameters for layer in layers))}
    sizes |= {"classes": grouped(layers[-1].shape[0])}
    say(f"{text} {large}", before=before, after=after, side=SIDE, **sizes)


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
