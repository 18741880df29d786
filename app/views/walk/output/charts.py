"""The chapter's own charts."""

from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np

from app.charts.parts import cells
from app.charts.theme import INK, Figure, Floats, axis, layout, names_axis, role_colour, value_axis
from app.format import label, number, probability
from app.i18n import _

BINS = 60
STEP = 20  # pixels between the names of marked words, one above the other


def logit_histogram(logits: Floats, marked: Mapping[str, float]) -> Figure:
    """Draw how many logits (V,) are how large; the count is logarithmic, so one token is seen."""
    counts, edges = np.histogram(logits, bins=BINS)
    high = float(np.log10(counts.max())) + 0.1
    figure = layout("", height=260 + STEP * len(marked))
    figure["margin"]["t"] = 16 + STEP * len(marked)
    figure["xaxis"] = axis(_("logit"))
    scale = {"type": "log", "range": [-0.5, high], "tickvals": [1, 10, 100, 1000, 10_000]}
    figure["yaxis"] = value_axis(_("how many tokens"), **scale)
    figure["bargap"] = 0.05
    figure["annotations"] = [_name(*each, i) for i, each in enumerate(marked.items())]
    middles, width = (edges[:-1] + edges[1:]) / 2, edges[1] - edges[0]
    bars: Figure = {
        "type": "bar",
        "x": np.round(middles, 3).tolist(),
        "y": counts.tolist(),
        "width": float(width),
        "customdata": [[number(a), number(b)] for a, b in pairwise(edges)],
        "hovertemplate": "%{customdata[0]} … %{customdata[1]}: %{y}<extra></extra>",
        "marker": {"color": role_colour("residual"), "opacity": 0.65},
    }
    return {"data": [bars], "layout": figure}


def _name(word: str, logit: float, place: int) -> Figure:
    """Name a word above its logit; a line leads down to it, so that neighbours do not collide."""
    return {
        "text": f"<b>{label(word)}</b>",
        "x": logit,
        "y": 0,
        "yref": "y",
        "ax": 0,
        "ayref": "pixel",
        "ay": -(175 + STEP * (place + 1)),
        "xanchor": "right",
        "arrowcolor": role_colour("output"),
        "arrowwidth": 1.5,
        "font": {"color": INK},
    }


ROW = 44  # pixels a layer: a word and its probability below it


def lens_grid(
    probabilities: Floats,
    words: Sequence[Sequence[str]],
    layers: Sequence[str],
    columns: Sequence[str],
) -> Figure:
    """Draw probabilities (L, K) with their words, the last layer on top as in the diagram."""
    L, K = probabilities.shape
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
