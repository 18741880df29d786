"""What the network sees in one digit: its feature maps in both layers, and what it says."""

from typing import Final

import numpy as np
import streamlit as st

from app.charts.bars import distribution_bars
from app.components.pad import pad
from app.format import probability
from app.i18n import _
from app.ui.chart import show_chart
from app.ui.program import draw_program
from app.views.history.filters import texts
from app.views.history.filters.choice import DIGIT, DRAWN, Choice
from app.views.history.filters.data import cnn, digit, digits, drawn_greys, reading
from app.views.history.filters.tiles_chart import columns_of, tiles

ACROSS: Final = (4, 8)  # of the maps of the first layer and of the second


def pick_digit(_choice: Choice) -> None:
    """Draw the choice of a digit."""
    label, tip = _("Digit"), _(texts.DIGIT_HELP)
    st.slider(label, 1, digits.HELD_OUT, key=DIGIT.widget(), help=tip, width=320)


def first_text(choice: Choice) -> str:
    """Say what the first layer does, and how far the network is."""
    return _(texts.READ).format(first=cnn.FILTERS[0], updates=choice.network.update)


def draw_first(choice: Choice) -> None:
    """Draw a digit, and its feature maps in the first layer."""
    left, right = st.columns([0.3, 0.7], gap="medium", vertical_alignment="center")
    with left:
        _draw_digit(choice, "filters-digit")
    with right:
        _draw_maps(reading(choice.network, choice.digit).maps1, 1)


def second_text(_choice: Choice) -> str:
    """Say what the second layer does."""
    first, second = cnn.FILTERS
    return _(texts.DEEPER).format(first=first, second=second, weights=first * 9)


def draw_second(choice: Choice) -> None:
    """Draw the feature maps of the second layer."""
    _draw_maps(reading(choice.network, choice.digit).maps2, 2)


def said_text(choice: Choice) -> str:
    """Say what is made of the maps, and what the network says."""
    shown, read = digit(choice.digit), reading(choice.network, choice.digit)
    p, answer = read.probabilities, int(read.probabilities.argmax())
    verdict = _(texts.VERDICT_RIGHT if answer == shown.label else texts.VERDICT_WRONG)
    shares = {"p": probability(p[answer]), "q": probability(p[shown.label])}
    text = _(texts.SAID).format(pooled=read.pooled.size)
    return f"{text} {verdict.format(label=shown.label, said=answer, **shares)}"


def draw_said(choice: Choice) -> None:
    """Draw the digit, and the probability of each answer."""
    p = reading(choice.network, choice.digit).probabilities
    left, right = st.columns([0.35, 0.65], gap="medium", vertical_alignment="center")
    with left:
        _draw_digit(choice, "filters-said-digit")
    with right:
        _draw_answers(p, "filters-said")


def drawn_text(choice: Choice) -> str:
    """Say what becomes of a drawing, and how the network reads it."""
    text = _(texts.DRAWN)
    if not DRAWN.get():
        return text
    p = cnn.read(choice.network.weights, drawn_greys(DRAWN.get())).probabilities
    answer = int(p.argmax())
    said = _(texts.DRAWN_SAID)
    return f"{text} {said.format(said=answer, p=probability(p[answer]))}"


def draw_drawn(choice: Choice) -> None:
    """Draw the pad, the greys that the network gets, and the probability of each answer."""
    greys = drawn_greys(DRAWN.get())
    left, middle, right = st.columns([0.3, 0.25, 0.45], gap="medium")
    with left:
        pad(key="filters-pad", label=_("Draw a digit"), drawn=DRAWN.get(), on_draw=DRAWN.set)
    with middle:
        figure = tiles(greys[None], [_("8 × 8 greys")], across=1, scale="greys", tile=150)
        show_chart(figure, "filters-drawn-greys", _("The digit, 8 × 8 greys"))
    with right:
        if DRAWN.get():
            _draw_answers(cnn.read(choice.network.weights, greys).probabilities, "filters-drawn")


def _draw_answers(p: np.ndarray, key: str) -> None:
    names = [str(i) for i in range(len(p))]
    title, alt = _("probability"), _("What the network says: the probability of each digit")
    answer = int(p.argmax())
    bars = distribution_bars(p, names, "output", value_title=title, marked=answer)
    show_chart(bars, key, alt)


def draw_network(_choice: Choice) -> None:
    """Show the network's own code."""
    draw_program("model.history.cnn:Cnn")


def _draw_digit(choice: Choice, key: str) -> None:
    greys = digit(choice.digit).greys[None]
    figure = tiles(greys, [_("digit")], across=1, scale="greys", tile=150)
    show_chart(figure, key, _("The digit, 8 × 8 greys"))


def _draw_maps(maps: np.ndarray, layer: int) -> None:
    title = _("Feature maps of {layer}").format(layer=_("layer {n}").format(n=layer))
    names = [str(i + 1) for i in range(len(maps))]
    figure = tiles(maps, names, across=ACROSS[layer - 1], scale="weights")
    show_chart(figure, f"filters-maps{layer}", title, lambda: columns_of(maps, names))
