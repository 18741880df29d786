"""All heads of all layers in one picture to keep. (L layers, H heads, T queries, S keys)"""

from collections.abc import Sequence

import numpy as np

from app.charts.parts import cells, gaps
from app.charts.theme import Figure, Floats, layout, names_axis
from app.format import label

WIDE = 72  # pixels a head


def head_wall(
    heads: Floats, *, layer_names: Sequence[str], head_names: Sequence[str], hover: str
) -> Figure:
    """Draw weights (L, H, T, S), a line of heads for each layer; `hover` says what a cell is."""
    L, H, T, S = heads.shape
    # One tile a head, with an empty line and column after it.
    tiles = np.full((L, H, T + 1, S + 1), np.nan)
    tiles[:, :, :T, :S] = heads
    z = tiles.transpose(0, 2, 1, 3).reshape(L * (T + 1), H * (S + 1))  # (L, T, H, S)
    figure = layout("", height=int(WIDE * L * np.clip(T / S, 0.6, 2)) + 70)
    figure["margin"]["t"] = 40
    across, down = [-0.5, len(z[0]) - 1.5], [len(z) - 1.5, -0.5]
    columns = [h * (S + 1) + (S - 1) / 2 for h in range(H)]  # the middle of each head
    rows = [i * (T + 1) + (T - 1) / 2 for i in range(L)]
    figure["xaxis"] = names_axis(head_names, tickvals=columns, range=across)
    figure["yaxis"] = names_axis(layer_names, tickvals=rows, range=down)
    hover = f"{label(hover)}: %{{z}}<extra></extra>"
    trace = cells(gaps(np.round(z, 4)), "weights", hoverongaps=False, hovertemplate=hover)
    return {"data": [trace], "layout": figure}
