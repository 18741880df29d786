"""What the network sees in one digit: its feature maps in both layers, and what it says."""

from typing import Final

import numpy as np
import streamlit as st

from app.charts.bars import distribution_bars
from app.components.pad import pad
from app.format import probability
from app.i18n import _
from app.ui.chart import show_chart
from app.views.history.filters import texts
from app.views.history.filters.choice import DIGIT, DRAWN, Choice
from app.views.history.filters.data import cnn, digit, digits, drawn_greys, reading
from app.views.history.filters.tiles_chart import columns_of, tiles

ACROSS: Final = (3, 6)  # of the maps of the first layer and of the second


def pick_digit(_choice: Choice) -> None:
    """Draw the choice of a digit."""
    label, tip = _("Digit"), _(texts.DIGIT_HELP)
    st.slider(label, 1, digits.HELD_OUT, key=DIGIT.widget(), help=tip, width=320)


def read_text(choice: Choice) -> str:
    """Say what each layer does, and how far the network is."""
    first, second = cnn.FILTERS
    one = _(texts.READ).format(first=first, updates=choice.network.update)
    two = _(texts.DEEPER).format(first=first, second=second, weights=first * 9)
    return f"{one} {two}"


def draw_read(choice: Choice) -> None:
    """Draw a digit, and its feature maps in both layers."""
    read = reading(choice.network, choice.digit)
    left, middle, right = st.columns([0.2, 0.3, 0.5], gap="medium", vertical_alignment="center")
    with left:
        _draw_digit(digit(choice.digit).greys, "filters-digit")
    with middle:
        _draw_maps(read.maps1, 1)
    with right:
        _draw_maps(read.maps2, 2)


def said_text(choice: Choice) -> str:
    """Say what is made of the maps, and what the network says of the digit, or of a drawing."""
    p, shown = _answers(choice), digit(choice.digit)
    answer = int(p.argmax())
    verdict = _(texts.VERDICT_RIGHT if answer == shown.label else texts.VERDICT_WRONG)
    if DRAWN.get():
        verdict = _(texts.DRAWN_SAID)
    shares = {"p": probability(p[answer]), "q": probability(p[shown.label])}
    said = verdict.format(label=shown.label, said=answer, **shares)
    pooled = reading(choice.network, choice.digit).pooled.size
    return f"{_(texts.SAID).format(pooled=pooled)} {said} {_(texts.DRAWN)}"


def draw_said(choice: Choice) -> None:
    """Draw the pad, the greys that the network gets, and the probability of each answer."""
    greys = drawn_greys(DRAWN.get()) if DRAWN.get() else digit(choice.digit).greys
    left, middle, right = st.columns([0.3, 0.25, 0.45], gap="medium")
    with left:
        pad(key="filters-pad", label=_("Draw a digit"), drawn=DRAWN.get(), on_draw=DRAWN.set)
    with middle:
        _draw_digit(greys, "filters-said-digit")
    with right:
        _draw_answers(_answers(choice), "filters-said")


def _answers(choice: Choice) -> np.ndarray:
    """Return the probability of each digit: for what was drawn, else for the held-out one."""
    if not DRAWN.get():
        return reading(choice.network, choice.digit).probabilities
    return cnn.read(choice.network.weights, drawn_greys(DRAWN.get())).probabilities


def _draw_digit(greys: np.ndarray, key: str) -> None:
    figure = tiles(greys[None], [_("8 × 8 greys")], across=1, scale="greys", tile=150)
    show_chart(figure, key, _("The digit, 8 × 8 greys"))


def _draw_answers(p: np.ndarray, key: str) -> None:
    names = [str(i) for i in range(len(p))]
    title, alt = _("probability"), _("What the network says: the probability of each digit")
    answer = int(p.argmax())
    bars = distribution_bars(p, names, "output", value_title=title, marked=answer)
    show_chart(bars, key, alt)


def _draw_maps(maps: np.ndarray, layer: int) -> None:
    title = _("Feature maps of {layer}").format(layer=_("layer {n}").format(n=layer))
    names = [str(i + 1) for i in range(len(maps))]
    figure = tiles(maps, names, across=ACROSS[layer - 1], scale="weights")
    show_chart(figure, f"filters-maps{layer}", title, lambda: columns_of(maps, names))
