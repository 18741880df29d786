"""What each layer would say: its likeliest words and one chosen word. (L layers, K columns)"""

from collections.abc import Sequence

import numpy as np

from app.charts.parts import cells
from app.charts.theme import Figure, Floats, layout, names_axis
from app.format import label, probability

ROW = 44  # pixels a layer: a word and its probability below it


def lens_grid(
    probabilities: Floats,
    words: Sequence[Sequence[str]],
    layers: Sequence[str],
    columns: Sequence[str],
) -> Figure:
    """Draw probabilities (L, K) with their words, the last layer on top as in the diagram."""
    L, K = probabilities.shape
    if (len(words), len(layers), len(columns)) != (L, L, K) or any(len(row) != K for row in words):
        raise ValueError(f"{L} x {K} probabilities need as many words, layers and columns.")
    figure = layout("", height=ROW * L + 44)
    figure["margin"]["t"] = 28  # the names of the columns
    figure["xaxis"] = names_axis(columns, side="top")
    figure["yaxis"] = names_axis(layers)
    trace = cells(
        np.round(probabilities, 4).tolist(),
        "weights",
        x=list(range(K)),
        y=list(range(L)),
        xgap=3,
        ygap=3,
        text=[
            [f"{label(word)}<br>{probability(p)}" for word, p in zip(row, ps, strict=True)]
            for row, ps in zip(words, probabilities.tolist(), strict=True)
        ],
        texttemplate="%{text}",
        hovertemplate="%{y}: %{text}<extra></extra>",
    )
    return {"data": [trace], "layout": figure}
