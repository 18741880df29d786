"""A network that learns its kernels and reads digits."""

from collections.abc import Sequence
from functools import partial
from typing import Final

import numpy as np
import streamlit as st

from app.charts.bars import distribution_bars
from app.charts.curves import Curve, curves
from app.components.board import Grid, Op, array_grid
from app.components.pad import drawing, pad
from app.data.walk import Cell, CellBlock
from app.format import number, probability
from app.i18n import N_, _
from app.inspector.arrays import draw_board
from app.page.kit import Code, Screens, everything, pick_from_list, pick_seed, say, show_chart
from app.page.live_training import draw_live
from app.state import Param, whole
from app.ui.table import Columns
from app.views.history.filters.data import (
    DIGIT,
    SEED,
    FiltersChoice,
    cnn,
    convolution,
    cosines_of,
    digit,
    digits,
    drawn_greys,
    reading,
)
from app.views.history.filters.tiles_chart import columns_of, tiles

DRAWN: Final = Param[str]("fdrawn", "", drawing)
EDGES: Final = {"horizontal": N_("horizontal"), "vertical": N_("vertical")}
ACROSS: Final = (3, 6)  # of the maps of the first layer and of the second
MAP: Final = Param[int]("fmap", 0, whole(1, cnn.FILTERS[1]))  # 0: the one that responds most
SQUARE: Final = Param[int]("fpool", 0, whole(1, 16))  # 0: the one with the largest number


def pick_digit(_choice: FiltersChoice) -> None:
    label, tip = _("Digit"), _("One of the digits held out: the network has never learned from it.")
    st.slider(label, 1, digits.HELD_OUT, key=DIGIT.widget(), help=tip, width=320)


def pick_training(_choice: FiltersChoice) -> None:
    pick_seed(SEED, _("Another number gives other random weights to begin with."))


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
    cosines = cosines_of(own, by_hand)
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
    read = reading(choice.network, choice.digit)
    left, middle, right = st.columns([0.2, 0.3, 0.5], gap="medium", vertical_alignment="center")
    with left:
        _draw_digit(digit(choice.digit).greys, "filters-digit")
    with middle:
        _draw_maps(read.maps1, 1)
    with right:
        _draw_maps(read.maps2, 2)


@screens.drawer("pool", N_("Max pooling"))
def draw_pool(choice: FiltersChoice) -> None:
    """Draw a feature map and its pooled numbers, with one square marked."""
    read, k = reading(choice.network, choice.digit), _map(choice)
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
    pooled = reading(choice.network, choice.digit).pooled
    return MAP.get() - 1 if MAP.get() else int(pooled.max((1, 2)).argmax())


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
    shown, sketch = digit(choice.digit), DRAWN.get()
    greys = drawn_greys(sketch) if sketch else shown.greys
    p = cnn.read(choice.network.weights, greys).probabilities
    answer = int(p.argmax())
    if sketch:
        verdict = _("The network reads a **{said}**, with probability {p}.")
    elif answer == shown.label:
        verdict = _("It is a {label}, and the network says {said}, with probability {p}.")
    else:
        verdict = _(
            "It is a {label}, but the network says {said}, with probability {p}. To the {label} "
            "it gives {q}."
        )
    shares = {"p": probability(p[answer]), "q": probability(p[shown.label])}
    said = verdict.format(label=shown.label, said=answer, **shares)
    pooled = reading(choice.network, choice.digit).pooled.size
    drawn = _(
        "Draw a digit, large and in the middle. As in the pictures that the network learned from, "
        "each grey is the share of white pixels in a block of 4 × 4."
    )
    said_text = _(
        "The {pooled} numbers that are left go into one linear layer, and a softmax turns its "
        "ten numbers into ten probabilities."
    )
    say(f"{said_text.format(pooled=pooled)} {said} {drawn}")
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
