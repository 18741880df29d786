"""Two layers without thresholds: a product of their weights, so that one neuron does the same."""

import numpy as np
import streamlit as st

from app.components.board import Grid, Op, array_grid, board
from app.format import short
from app.i18n import _
from app.views.history.perceptron import texts
from app.views.history.perceptron.choice import Choice
from app.views.history.perceptron.data import INPUTS, collapsed


def draw_linear(choice: Choice) -> None:
    """Draw the product of both layers, and the four rows through the one neuron that it is."""
    network = choice.network
    x = np.array(INPUTS, float)  # (4, 2)
    hidden = np.array([neuron.weights for neuron in network.hidden], float).T  # (2, H)
    out = np.array(network.out.weights, float)[:, None]  # (H, 1)
    one = collapsed(network)[:, None]  # (2, 1)
    rows, names = ["{} {}".format(*row) for row in INPUTS], ["x₁", "x₂"]
    items: list[Grid | Op] = [
        array_grid(hidden, _("hidden weights"), "query", row_labels=names, col_labels=["h₁", "h₂"]),
        Op("×"),
        array_grid(out, _("output weights"), "key"),
        Op("="),
        array_grid(one, _("one neuron"), "value", row_labels=names),
        Op("→"),
        array_grid(x @ one, "w·x", "output", row_labels=rows),
    ]
    board(items, key="linear-product")
    w1, w2 = map(short, collapsed(network))
    text = _(texts.LINEAR_ONE).format(w1=w1, w2=w2)
    st.markdown(f"{text} {_(texts.LINEAR_SAME)}" if (w1, w2) == ("0", "0") else text)
