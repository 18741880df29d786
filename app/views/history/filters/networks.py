"""Networks that learn their kernels: a small one that reads digits, and AlexNet."""

from collections.abc import Sequence
from functools import partial
from typing import Final

import numpy as np
import streamlit as st

from app.charts.bars import distribution_bars, named_bars
from app.charts.curves import Curve, curves
from app.components.board import Grid, Op, array_grid
from app.components.pad import drawing, pad
from app.data.images import alexnet
from app.data.walk import Cell, CellBlock
from app.format import grouped, number, probability
from app.i18n import N_, _
from app.inspector.arrays import draw_board
from app.page.kit import Code, Screens, everything, pick_from_list, pick_seed, say, show_chart
from app.page.live_training import draw_live
from app.state import Param, whole
from app.ui.layer_table import draw_parameters, draw_shapes
from app.ui.table import Columns
from app.views.history.filters import data
from app.views.history.filters.data import FiltersChoice, cnn, convolution, digits
from app.views.history.filters.tiles_chart import columns_of, tiles

DRAWN: Final = Param[str]("fdrawn", "", drawing)
EDGES: Final = {"horizontal": N_("horizontal"), "vertical": N_("vertical")}
ACROSS: Final = (3, 6)  # of the maps of the first layer and of the second
MAP: Final = Param[int]("fmap", 0, whole(1, cnn.FILTERS[1]))  # 0: the one that responds most
SQUARE: Final = Param[int]("fpool", 0, whole(1, 16))  # 0: the one with the largest number
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


def pick_digit(_choice: FiltersChoice) -> None:
    label, tip = _("Digit"), _("One of the digits held out: the network has never learned from it.")
    st.slider(label, 1, digits.HELD_OUT, key=data.DIGIT.widget(), help=tip, width=320)


def pick_training(_choice: FiltersChoice) -> None:
    pick_seed(data.SEED, _("Another number gives other random weights to begin with."))


screens = Screens[FiltersChoice]()


@screens(
    "train",
    N_("A network that learns its kernels"),
    Code(
        N_("Its training"),
        r"\text{loss} = -\log p_{\text{right}}, \qquad"
        r" w \leftarrow \text{Adam}(w, \nabla_w \text{loss})",
        "model.history.cnn:train",
    ),
    pick=pick_training,
    was=("kernels",),
)
def draw_learning(choice: FiltersChoice) -> None:
    """Draw the training of the network with its curves, and the kernels it has learned so far."""
    first, second = cnn.FILTERS
    sizes = {"learn": digits.LEARNED_FROM, "held_out": digits.HELD_OUT}
    network = _(
        "This network reads handwritten digits of 8 × 8 pixels: {first} kernels of 3 × 3, then "
        "{second}, then max pooling and one linear layer. All kernels begin at random. It learns "
        "from {learn} digits and is tested on {held_out} others that it never saw."
    ).format(first=first, second=second, **sizes)
    filters = _(
        "On the right, its first {n} kernels as they are now, and Sobel's two for horizontal and "
        "vertical edges (h, v). Nobody told it to look for edges."
    )
    say(f"{network} {filters.format(n=first)}")
    draw_live(choice.training, cnn.REPORTS, _draw_training, before=1)


def _draw_training(so_far: Sequence[cnn.Learned]) -> None:
    network = so_far[-1]
    at = np.array([report.update for report in so_far])
    losses, shares = np.array([(report.loss, report.accuracy) for report in so_far]).T
    draw = partial(curves, step_title=_("update"), value_title="", steps=cnn.UPDATES, height=230)
    left, middle, right = st.columns(3, gap="medium")
    with left:
        loss = Curve(_("loss"), at, losses, "residual")
        figure = draw([loss], title=_("Loss: −ln p of the right digit"))
        show_chart(figure, "filters-loss", _("Loss of each batch"))
    with middle:
        accuracy = Curve(_("accuracy"), at, shares, "output")
        figure = draw([accuracy], title=_("Accuracy on held-out digits"), span=(0, 1.05))
        show_chart(figure, "filters-accuracy", _("Share of the held-out digits that it reads"))
    with right:
        alike = _draw_kernels(network)
    share = {"percent": number(100 * network.accuracy, 1), "n": digits.HELD_OUT}
    text = _("After {updates} updates it reads {percent} % of the {n} held-out digits.")
    st.markdown(f"{text.format(updates=network.update, **share)} {alike}")


def _draw_kernels(network: cnn.Learned) -> str:
    """Draw the learned kernels beside Sobel's, and return which two are most alike."""
    own = network.weights["conv1.weight"][:, 0].astype(float)  # (8, 3, 3)
    by_hand = np.stack([convolution.KERNELS[name] for name in EDGES])
    # Sobel's weights are whole numbers, so they are scaled to the size of the learned ones.
    reach = np.abs(own).max() / np.abs(by_hand).max()
    names = [*(str(i + 1) for i in range(len(own))), _("Sobel h"), _("Sobel v")]
    kernels = np.concatenate([own, by_hand * reach])
    alt = _("The learned kernels and the two Sobel kernels")
    cosines = data.cosines_of(own, by_hand)
    figure = tiles(kernels, names, across=5, scale="signed", tile=64)
    show_chart(figure, "filters-kernels", alt, partial(_learning_columns, own, cosines))
    k, edge = map(int, np.unravel_index(np.abs(cosines).argmax(), cosines.shape))
    name, cosine = _(list(EDGES.values())[edge]), number(cosines[k, edge])
    return _(
        "Most alike: learned kernel {k} and Sobel's for {name} edges, cosine {cosine}."
    ).format(k=k + 1, name=name, cosine=cosine)


def _learning_columns(own: np.ndarray, cosines: np.ndarray) -> Columns:
    columns = {_("kernel"): [str(i + 1) for i in range(len(own))]}
    weights = {f"[{r + 1}, {c + 1}]": own[:, r, c].tolist() for r, c in np.ndindex(3, 3)}
    alike = {
        _("cosine with Sobel {edges}").format(edges=_(edges)): cosines[:, i].tolist()
        for i, edges in enumerate(EDGES.values())
    }
    return columns | weights | alike


@screens("read", N_("What the two layers see"), pick=pick_digit, was=("deeper",))
def draw_read(choice: FiltersChoice) -> None:
    """Draw a digit, and its feature maps in both layers."""
    first, second = cnn.FILTERS
    one = _(
        "Each kernel of the first layer steps over the digit, and what is negative becomes 0 "
        "(ReLU): {first} **feature maps**. A map is high where its kernel finds its pattern. "
        "You see the network after {updates} updates."
    ).format(first=first, updates=choice.network.update)
    two = _(
        "The kernels of the second layer step over all {first} maps together: each has {first} × "
        "3 × 3 = {weights} weights and makes one map. So its {second} maps find patterns of "
        "patterns, such as a corner where two edges meet."
    ).format(first=first, second=second, weights=first * 9)
    say(f"{one} {two}")
    read = choice.reading
    left, middle, right = st.columns([0.2, 0.3, 0.5], gap="medium", vertical_alignment="center")
    with left:
        _draw_digit(choice.greys, "filters-digit")
    with middle:
        _draw_maps(read.maps1, 1)
    with right:
        _draw_maps(read.maps2, 2)


@screens.drawer("pool", N_("Max pooling"))
def draw_pool(choice: FiltersChoice) -> None:
    """Draw a feature map and its pooled numbers, with one square marked."""
    read, k = choice.reading, _map(choice)
    map_, pooled = read.maps2[k], read.pooled[k]
    at = SQUARE.get() - 1 if SQUARE.get() else int(pooled.argmax())
    row, column = divmod(at, pooled.shape[1])
    square = map_[2 * row : 2 * row + 2, 2 * column : 2 * column + 2]
    numbers = "; ".join(number(float(x)) for x in square.ravel())
    sizes = {"before": map_.size, "after": pooled.size}
    largest = number(float(pooled[row, column]))
    text = _(
        "Of each square of 2 × 2 numbers, only the largest is kept: {before} numbers become "
        "{after}, and it matters less where exactly a pattern lies. Here: max({numbers}) = "
        "**{largest}**. Click a number to see its square."
    )
    say(text.format(numbers=numbers, largest=largest, **sizes))
    if not everything():
        pick_map(choice)
    look = {"square": True, "height": 224, "reach": float(map_.max()) or 1.0}
    items: list[Grid | Op] = [
        array_grid(map_, _("feature map"), "value", name="map", **look),
        Op("max →"),
        array_grid(pooled, _("pooled"), "output", name="pooled", **look),
    ]
    draw_board(
        items,
        "filters-pool",
        asked=Cell("pooled", (row, column)),
        lit=[CellBlock("map", (2 * row + i, 2 * column + j)) for i in range(2) for j in range(2)],
        on_ask=lambda cell: _go(cell, pooled.shape[1]),
    )


def _draw_digit(greys: np.ndarray, key: str) -> None:
    figure = tiles(greys[None], [_("8 × 8 greys")], across=1, scale="greys", tile=150)
    show_chart(figure, key, _("The digit, 8 × 8 greys"))


def _draw_maps(maps: np.ndarray, layer: int) -> None:
    title = _("Feature maps of {layer}").format(layer=_("layer {n}").format(n=layer))
    names = [str(i + 1) for i in range(len(maps))]
    figure = tiles(maps, names, across=ACROSS[layer - 1], scale="weights")
    show_chart(figure, f"filters-maps{layer}", title, lambda: columns_of(maps, names))


def pick_map(choice: FiltersChoice) -> None:
    maps = {i: str(i) for i in range(1, cnn.FILTERS[1] + 1)}
    label, tip = _("Feature map"), _("Which feature map of the second layer is pooled.")
    pick_from_list(MAP, label, maps, value=_map(choice) + 1, help=tip, width=140)


def _map(choice: FiltersChoice) -> int:
    """Return the chosen feature map, from 0; without a choice, the one with the largest number."""
    return MAP.get() - 1 if MAP.get() else int(choice.reading.pooled.max((1, 2)).argmax())


def _go(cell: Cell, across: int) -> None:
    row, column = cell.index if cell.name == "pooled" else (i // 2 for i in cell.index)
    SQUARE.set(row * across + column + 1)


@screens(
    "said",
    N_("What the network says"),
    Code(
        N_("The network that reads digits"),
        r"\text{conv} \to \text{ReLU} \to \text{conv} \to \text{ReLU} \to \max \to"
        r" \text{linear}",
        "model.history.cnn:Cnn",
    ),
    pick=pick_digit,
    was=("drawn", "network"),
)
def draw_said(choice: FiltersChoice) -> None:
    """Draw the drawing pad, the greys that the network gets, and each answer's probability."""
    label, sketch = choice.label, DRAWN.get()
    greys = data.drawn_greys(sketch) if sketch else choice.greys
    p = cnn.read(choice.network.weights, greys).probabilities
    answer = int(p.argmax())
    if sketch:
        verdict = _("The network reads a **{said}**, with probability {p}.")
    elif answer == label:
        verdict = _("It is a {label}, and the network says {said}, with probability {p}.")
    else:
        verdict = _(
            "It is a {label}, but the network says {said}, with probability {p}. To the {label} "
            "it gives {q}."
        )
    shares = {"p": probability(p[answer]), "q": probability(p[label])}
    said = verdict.format(label=label, said=answer, **shares)
    drawn = _(
        "Draw a digit, large and in the middle. As in the pictures that the network learned from, "
        "each grey is the share of white pixels in a block of 4 × 4."
    )
    said_text = _(
        "The {pooled} numbers that are left go into one linear layer, and a softmax turns its "
        "ten numbers into ten probabilities."
    )
    say(f"{said_text.format(pooled=choice.reading.pooled.size)} {said} {drawn}")
    left, middle, right = st.columns([0.3, 0.25, 0.45], gap="medium")
    with left:
        pad(key="filters-pad", label=_("Draw a digit"), drawn=sketch, on_draw=DRAWN.set)
    with middle:
        _draw_digit(greys, "filters-said-digit")
    with right:
        names, title = [str(i) for i in range(len(p))], _("probability")
        bars = distribution_bars(p, names, "output", value_title=title, marked=answer)
        alt = _("What the network says: the probability of each digit")
        show_chart(bars, "filters-said", alt)


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
        total = grouped(sum(layer.parameters for layer in layers))
        text = _(
            "The same idea, large: five convolutions and three linear layers, for photographs of "
            "{side} × {side} pixels in three colours and {classes} categories. Built by our own "
            "code, it has **{total}** parameters."
        )
        say(text.format(total=total, side=SIDE, classes=grouped(layers[-1].shape[0])))
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
