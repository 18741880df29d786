"""What each decoder layer's output would have said."""

from collections.abc import Sequence

import numpy as np
import streamlit as st

from app.format import listed, probability
from app.i18n import _
from app.inspector.naming import layer_names
from app.page.quiz import Task
from app.ui.chart import show_chart
from app.views.walk.output import texts
from app.views.walk.output.data import lens
from app.views.walk.output.lens_chart import lens_grid
from app.views.walk.output.piece import Piece

FIRST = 3  # how many tokens of each layer are named


def guess_lens(piece: Piece) -> Task:
    """Ask at which layer the token that is likeliest at the end comes to the front."""
    probabilities = lens(piece.walk, piece.at)  # (L, V)
    best = probabilities.argmax(-1)
    first = int((best == best[-1]).argmax())
    layers = layer_names(len(best))
    p = probability(probabilities[first, best[-1]])
    values = {"word": piece.walk.token(int(best[-1])).text, "layer": layers[first], "p": p}
    return Task.of(texts.LENS_ASK, layers, [first], texts.LENS_SAYS, texts.LENS_SAYS, **values)


def draw_lens(piece: Piece) -> None:
    """Draw the likeliest tokens of each decoder layer's output, and what it gives to one token."""
    probabilities = lens(piece.walk, piece.at)  # (L, V)
    best = np.argsort(-probabilities, axis=-1, kind="stable")[:, :FIRST]
    shown = np.concatenate([best, np.full((len(best), 1), piece.id)], axis=1)  # (L, 4)
    words = [[piece.walk.token(int(i)).text for i in row] for row in shown]
    layers = layer_names(len(shown))
    choices = [_("choice {n}").format(n=i + 1) for i in range(FIRST)] + [f"“{piece.token.text}”"]
    values = np.take_along_axis(probabilities, shown, axis=1)
    columns: dict[str, Sequence[str | float]] = {_("layer"): layers}
    for i, choice in enumerate(choices):
        columns[choice] = [row[i] for row in words]
        columns[f"p · {choice}"] = values[:, i].tolist()
    figure = lens_grid(values, words, layers, choices)
    show_chart(figure, "layers", _(texts.LENS_TITLE), lambda: columns)
    by_layer = listed(probability(p) for p in probabilities[:, piece.id])
    st.markdown(_(texts.LENS_SHARES).format(word=piece.word, list=by_layer))
