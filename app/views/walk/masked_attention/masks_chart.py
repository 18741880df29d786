"""A mask as squares: filled where one may look, crossed where not. (T queries, S keys)"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from app.charts.parts import cells
from app.charts.theme import QUIET, Figure, axis, layout
from app.format import label

MOST_NAMED = 20  # more words than this cannot be written along so small a picture
SIZE = 250  # pixels


def mask_squares(
    mask: NDArray[np.bool_],
    queries: Sequence[str],
    keys: Sequence[str],
    *,
    title: str,
    hover: tuple[str, str],
) -> Figure:
    """Draw a mask (T, S), True where one may look; `hover` says it of an open and a shut cell."""
    T, S = mask.shape
    if (len(queries), len(keys)) != (T, S):
        raise ValueError(f"A mask of {T} x {S} needs as many labels.")
    figure = layout(title, height=SIZE + 40)
    # The same margin, however long the words are: masks side by side have cells of one size.
    figure["margin"] |= {"l": 44, "b": 44}
    font = {"color": QUIET, "size": 10}
    alike: Figure = {"tickfont": font, "automargin": False}
    across, down = _ticks(keys) | {"tickangle": -90}, _ticks(queries)
    figure["xaxis"] = axis(range=[-0.5, S - 0.5], **alike, **across)
    figure["yaxis"] = axis(range=[T - 0.5, -0.5], **alike, **down)
    says = [[label(hover[0 if mask[t, s] else 1]) for s in range(S)] for t in range(T)]
    named = [[f"{label(query)} → {label(key)}" for key in keys] for query in queries]
    squares = cells(
        mask.astype(int).tolist(),
        "weights",
        7 / 6,  # the crosses stand out most if an open square is not as dark as the scale's end
        x=list(range(S)),
        y=list(range(T)),
        xgap=1,
        ygap=1,
        customdata=says,
        hovertext=named,
        hovertemplate="%{hovertext}: %{customdata}<extra></extra>",
    )
    shut = np.argwhere(~mask)
    cross = {"symbol": "x-thin", "size": min(5, 70 / max(T, S))}
    crosses: Figure = {
        "type": "scatter",
        "mode": "markers",
        "x": shut[:, 1].tolist(),
        "y": shut[:, 0].tolist(),
        "hoverinfo": "skip",
        "showlegend": False,
        "marker": {**cross, "line": {"width": 1, "color": QUIET}},
    }
    return {"data": [squares, crosses], "layout": figure}


def _ticks(names: Sequence[str]) -> Figure:
    if len(names) > MOST_NAMED:
        return {"tickvals": []}
    # The cells are small: a long word is cut here, and whole in what pointing at a cell tells.
    short = [name if len(name) <= 6 else f"{name[:5]}…" for name in names]
    return {"tickvals": list(range(len(names))), "ticktext": [label(name) for name in short]}
