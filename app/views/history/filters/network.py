"""A network that learns its kernels and reads digits; then AlexNet."""

from collections.abc import Sequence
from functools import partial
from typing import Final

import numpy as np
import streamlit as st

from app.charts.bars import distribution_bars
from app.charts.curves import Curve, curves
from app.charts.parts import bars
from app.charts.theme import Figure, layout, names_axis, value_axis
from app.components.board import Grid, Op, array_grid
from app.components.pad import pad
from app.data.large_networks import alexnet
from app.data.walk import Block, Cell
from app.format import escape, grouped, number, probability
from app.i18n import N_, _
from app.inspector.arrays import draw_board
from app.page.declare import Code, Myth, Screens
from app.page.live_training import draw_live
from app.page.screens import everything
from app.state import Param, whole
from app.ui.chart import show_chart
from app.ui.layer_table import draw_parameters, draw_shapes
from app.ui.pickers import pick_from_list, pick_seed
from app.ui.section import say
from app.ui.table import Columns
from app.views.history.filters.data import cnn, convolution, digit, digits, drawn_greys, reading
from app.views.history.filters.kernels import DIGIT, DRAWN, SEED, Choice
from app.views.history.filters.tiles_chart import columns_of, tiles

RATES_NOTE: Final = N_(
    "Each year's winner, trained on the contest's pictures alone: category not among its five best "
    "guesses (AlexNet with more pictures: 15.3 %). Published figures (arXiv:1409.0575, "
    "1512.03385), not ours."
)
RATES_TITLE: Final = N_("wrong, %")
EDGES: Final = {"horizontal": N_("horizontal"), "vertical": N_("vertical")}
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
ACROSS: Final = (3, 6)  # of the maps of the first layer and of the second
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
SOBEL: Final = ("horizontal", "vertical")
MAP: Final = Param[int]("fmap", 0, whole(1, cnn.FILTERS[1]))  # 0: the one that responds most
SQUARE: Final = Param[int]("fpool", 0, whole(1, 16))  # 0: the one with the largest number


def myth(_choice: Choice) -> Myth:
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


def pick_digit(_choice: Choice) -> None:
    """Draw the choice of a digit."""
    label, tip = _("Digit"), _("One of the digits held out: the network has never learned from it.")
    st.slider(label, 1, digits.HELD_OUT, key=DIGIT.widget(), help=tip, width=320)


def pick_training(_choice: Choice) -> None:
    """Draw the choice of the seed."""
    pick_seed(SEED, _("Another number gives other random weights to begin with."))


screens = Screens[Choice]()


@screens(
    "train",
    N_("A network that learns its kernels"),
    pick=pick_training,
    code=(
        Code(
            N_("Its training"),
            r"\text{loss} = -\log p_{\text{right}}, \qquad"
            r" w \leftarrow \text{Adam}(w, \nabla_w \text{loss})",
            "model.history.cnn:train",
        ),
    ),
    was=("kernels",),
)
def draw_learning(choice: Choice) -> None:
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
    percent = number(100 * network.accuracy, 1)
    right_now = _(
        "After {updates} updates it reads {percent} % of the {n} held-out digits."
    ).format(percent=percent, n=digits.HELD_OUT, updates=network.update)
    st.markdown(f"{right_now} {alike}")


def _draw_kernels(network: cnn.Learned) -> str:
    """Draw the learned kernels beside Sobel's, and return which two are most alike."""
    own = network.weights["conv1.weight"][:, 0].astype(float)  # (8, 3, 3)
    by_hand = np.stack([convolution.KERNELS[name] for name in SOBEL])
    # Sobel's weights are whole numbers, so they are scaled to the size of the learned ones.
    reach = np.abs(own).max() / np.abs(by_hand).max()
    names = [*(str(i + 1) for i in range(len(own))), _("Sobel h"), _("Sobel v")]
    kernels = np.concatenate([own, by_hand * reach])
    alt = _("The learned kernels and the two Sobel kernels")
    cosines = cosines_of(own, by_hand)
    figure = tiles(kernels, names, across=5, scale="signed", tile=64)
    show_chart(figure, "filters-kernels", alt, partial(_learning_columns, own, cosines))
    k, edge = map(int, np.unravel_index(np.abs(cosines).argmax(), cosines.shape))
    name, cosine = _(EDGES[SOBEL[edge]]), number(cosines[k, edge])
    return _(
        "Most alike: learned kernel {k} and Sobel's for {name} edges, cosine {cosine}."
    ).format(k=k + 1, name=name, cosine=cosine)


def cosines_of(some: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Return the cosine of every kernel with every other: (N, k, k) and (M, k, k) to (N, M)."""
    flat, other = (one.reshape(len(one), -1).astype(float) for one in (some, others))
    lengths = np.outer(np.linalg.norm(flat, axis=1), np.linalg.norm(other, axis=1))
    cosines: np.ndarray = flat @ other.T / lengths
    return cosines


def _learning_columns(own: np.ndarray, cosines: np.ndarray) -> Columns:
    columns = {_("kernel"): [str(i + 1) for i in range(len(own))]}
    weights = {f"[{r + 1}, {c + 1}]": own[:, r, c].tolist() for r, c in np.ndindex(3, 3)}
    alike = {
        _("cosine with Sobel {edges}").format(edges=_(EDGES[name])): cosines[:, i].tolist()
        for i, name in enumerate(SOBEL)
    }
    return columns | weights | alike


@screens("read", N_("What the two layers see"), pick=pick_digit, was=("deeper",))
def draw_read(choice: Choice) -> None:
    """Draw a digit, and its feature maps in both layers."""
    first, second = cnn.FILTERS
    one = _(
        "Each kernel of the first layer steps over the digit, and what is negative becomes 0 "
        "(ReLU): {first} **feature maps**. A map is high where its kernel finds its pattern. The "
        "network is as it stands after {updates} updates."
    ).format(first=first, updates=choice.network.update)
    two = _(
        "The kernels of the second layer step over all {first} maps together: each has {first} × "
        "3 × 3 = {weights} weights and makes one map. So its {second} maps find patterns of "
        "patterns, such as a corner where two edges meet."
    ).format(first=first, second=second, weights=first * 9)
    say(f"{one} {two}")
    read = reading(choice.network, choice.digit)
    left, middle, right = st.columns([0.2, 0.3, 0.5], gap="medium", vertical_alignment="center")
    with left:
        _draw_digit(digit(choice.digit).greys, "filters-digit")
    with middle:
        _draw_maps(read.maps1, 1)
    with right:
        _draw_maps(read.maps2, 2)


@screens.drawer("pool", N_("Max pooling"))
def draw_pool(choice: Choice) -> None:
    """Draw a feature map and its pooled numbers, with one square marked."""
    row, column = _place(choice)
    map_, pooled = _whole(choice), _pooled(choice)
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
    row, column = _place(choice)
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
        lit=[Block("map", (2 * row + i, 2 * column + j)) for i in range(2) for j in range(2)],
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


def pick_map(choice: Choice) -> None:
    """Draw the choice of a feature map."""
    maps = {i: str(i) for i in range(1, cnn.FILTERS[1] + 1)}
    label, tip = _("Feature map"), _("Which feature map of the second layer is pooled.")
    pick_from_list(MAP, label, maps, value=_map(choice) + 1, help=tip, width=140)


def _map(choice: Choice) -> int:
    """Return the chosen feature map, from 0; without a choice, the one with the largest number."""
    pooled = reading(choice.network, choice.digit).pooled
    return MAP.get() - 1 if MAP.get() else int(pooled.max((1, 2)).argmax())


def _place(choice: Choice) -> tuple[int, int]:
    pooled = _pooled(choice)
    at = SQUARE.get() - 1 if SQUARE.get() else int(pooled.argmax())
    row, column = divmod(at, pooled.shape[1])
    return row, column


def _pooled(choice: Choice) -> np.ndarray:
    return np.asarray(reading(choice.network, choice.digit).pooled[_map(choice)])


def _whole(choice: Choice) -> np.ndarray:
    return np.asarray(reading(choice.network, choice.digit).maps2[_map(choice)])


def _go(cell: Cell, across: int) -> None:
    row, column = cell.index if cell.name == "pooled" else (i // 2 for i in cell.index)
    SQUARE.set(row * across + column + 1)


@screens(
    "said",
    N_("What the network says"),
    pick=pick_digit,
    code=(
        Code(
            N_("The network that reads digits"),
            r"\text{conv} \to \text{ReLU} \to \text{conv} \to \text{ReLU} \to \max \to"
            r" \text{linear}",
            "model.history.cnn:Cnn",
        ),
    ),
    was=("drawn", "network"),
)
def draw_said(choice: Choice) -> None:
    """Draw the drawing pad, the greys that the network gets, and each answer's probability."""
    p, shown = _answers(choice), digit(choice.digit)
    answer = int(p.argmax())
    verdict = (
        _("It is a {label}, and the network says {said}, with probability {p}.")
        if answer == shown.label
        else _(
            "It is a {label}, but the network says {said}, with probability {p}. To the {label} "
            "it gives {q}."
        )
    )
    if DRAWN.get():
        verdict = _("The network reads a **{said}**, with probability {p}.")
    shares = {"p": probability(p[answer]), "q": probability(p[shown.label])}
    said = verdict.format(label=shown.label, said=answer, **shares)
    pooled = reading(choice.network, choice.digit).pooled.size
    drawn = _(
        "Draw a digit, large and in the middle. As in the pictures that the network learned from, "
        "each grey is the share of white pixels in a block of 4 × 4."
    )
    said_text = _(
        "The {pooled} numbers that are left go into one linear layer, and a softmax makes ten "
        "probabilities of its ten numbers."
    )
    say(f"{said_text.format(pooled=pooled)} {said} {drawn}")
    greys = drawn_greys(DRAWN.get()) if DRAWN.get() else digit(choice.digit).greys
    left, middle, right = st.columns([0.3, 0.25, 0.45], gap="medium")
    with left:
        pad(key="filters-pad", label=_("Draw a digit"), drawn=DRAWN.get(), on_draw=DRAWN.set)
    with middle:
        _draw_digit(greys, "filters-said-digit")
    with right:
        _draw_answers(_answers(choice), "filters-said")


def _answers(choice: Choice) -> np.ndarray:
    """Return each digit's probability, for the drawing or else for the held-out digit."""
    if not DRAWN.get():
        return reading(choice.network, choice.digit).probabilities
    return cnn.read(choice.network.weights, drawn_greys(DRAWN.get())).probabilities


def _draw_answers(p: np.ndarray, key: str) -> None:
    names = [str(i) for i in range(len(p))]
    title, alt = _("probability"), _("What the network says: the probability of each digit")
    answer = int(p.argmax())
    bars = distribution_bars(p, names, "output", value_title=title, marked=answer)
    show_chart(bars, key, alt)


@screens(
    "alexnet",
    N_("ImageNet, and AlexNet (2012)"),
    pick=False,
    code=(
        Code(
            N_("AlexNet"),
            r"\text{parameters} = k^2 \cdot c_{\text{in}} \cdot c_{\text{out}} +"
            r" c_{\text{out}}",
            "model.history.alexnet:AlexNet",
        ),
    ),
    was=("imagenet", "alexnet-code"),
)
def draw_imagenet(_choice: Choice) -> None:
    """Draw the errors of the winners as bars."""
    before, after = list(RATES.values())[FIRST_LEARNED - 1 : FIRST_LEARNED + 1]
    sizes = {"training": number(MILLIONS, 1), "test": grouped(TEST), "kinds": grouped(KINDS)}
    text = _(
        "ImageNet (2009) is millions of photographs with the names of what is on them: container "
        "ship, mushroom, cherry. Its yearly contest gave {training} million to train on, in "
        "{kinds} categories, and {test} to be tested on. In 2012 AlexNet won, with kernels that "
        "it had learned: its error fell from {before} % to {after} %."
    )
    say(text.format(before=before, after=after, **sizes))
    left, right = st.columns(2, gap="medium")
    with left:
        show_chart(_rates(), "filters-imagenet", _(RATES_NOTE), _columns)
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
        draw_parameters(alexnet(), "alexnet", _("convolutions"))


@screens.drawer("layers", N_("AlexNet, layer by layer"))
def draw_alexnet_shapes(_choice: Choice) -> None:
    """Draw the output shape of each layer."""
    grids = [layer.shape for layer in alexnet() if len(layer.shape) > 1]
    most, last = max(shape[0] for shape in grids), grids[-1][1]
    grow = _(
        "The grids shrink, from {side} × {side} pixels to {last} × {last}, and their number "
        "grows, from 3 colours to {most} channels: less and less where, more and more what."
    ).format(side=SIDE, last=last, most=most)
    alexnet_code = _(
        "**Adaptive average pooling** makes 6 × 6 places of any photograph. In training, "
        "**dropout** sets half of what goes into the first two linear layers to 0, against "
        "overfitting."
    )
    say(f"{grow} {alexnet_code}")
    draw_shapes(alexnet(), LAYERS, "alexnet-layers")
    st.caption(
        _(
            "The network of 2012 was cut in two halves for two graphics cards. This is the "
            "version in one piece that its author published in 2014 and that is widely used."
        )
    )


def _total() -> int:
    return sum(layer.parameters for layer in alexnet())


def _rates() -> Figure:
    names, rates = list(RATES), np.array(list(RATES.values()))
    text = [number(rate, 1) for rate in RATES.values()]
    figure = layout("", height=22 * len(names) + 62)
    figure["xaxis"] = value_axis(_(RATES_TITLE), range=[0, 32], nticks=5)
    figure["yaxis"] = names_axis(names, down=True, marked=FIRST_LEARNED)
    figure["bargap"] = 0.25
    return {
        "data": [bars(rates, names, "value", marked=FIRST_LEARNED, text=text)],
        "layout": figure,
    }


def _columns() -> Columns:
    return {_("winner"): list(RATES), _(RATES_TITLE): list(RATES.values())}


def multiplications(shape: tuple[int, ...], parameters: int) -> int:
    """Return how many multiplications a layer takes: its weights times its output's places."""
    channels, *sides = shape
    places = sides[0] * sides[1] if sides else 1
    return (parameters - channels) * places
