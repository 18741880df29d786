"""A mask as squares: filled where one may look, crossed where not. (T words)"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from app.charts.parts import cells
from app.charts.theme import QUIET, Figure, axis, layout
from app.format import label
from app.i18n import _

MOST_NAMED = 20  # more words than this cannot be written along so small a picture
SIZE = 250  # pixels


def mask_squares(mask: NDArray[np.bool_], words: Sequence[str], title: str) -> Figure:
    """Draw a mask (T, T), True where one may look."""
    T = len(words)
    figure = layout(title, height=SIZE + 40) | {"width": SIZE + 80}
    # The same margin, however long the words are: masks side by side have cells of one size.
    figure["margin"] |= {"l": 44, "b": 44}
    alike: Figure = {"tickfont": {"color": QUIET, "size": 10}, "automargin": False, **_ticks(words)}
    figure["xaxis"] = axis(range=[-0.5, T - 0.5], tickangle=-90, **alike)
    figure["yaxis"] = axis(range=[T - 0.5, -0.5], **alike)
    names = [label(word) for word in words]
    squares = cells(
        mask.astype(int).tolist(),
        "weights",
        7 / 6,  # the crosses stand out most if an open square is not as dark as the scale's end
        x=list(range(T)),
        y=list(range(T)),
        xgap=1,
        ygap=1,
        customdata=np.where(mask, label(_("may look")), label(_("may not look"))).tolist(),
        hovertext=[[f"{query} → {key}" for key in names] for query in names],
        hovertemplate="%{hovertext}: %{customdata}<extra></extra>",
    )
    shut, line = np.argwhere(~mask), {"width": 1, "color": QUIET}
    crosses: Figure = {
        "type": "scatter",
        "mode": "markers",
        "x": shut[:, 1].tolist(),
        "y": shut[:, 0].tolist(),
        "hoverinfo": "skip",
        "showlegend": False,
        "marker": {"symbol": "x-thin", "size": min(5, 70 / T), "line": line},
    }
    return {"data": [squares, crosses], "layout": figure}


def _ticks(words: Sequence[str]) -> Figure:
    if len(words) > MOST_NAMED:
        return {"tickvals": []}
    # The cells are small: a long word is truncated here, and whole in a cell's hover text.
    short = [word if len(word) <= 6 else f"{word[:5]}…" for word in words]
    return {"tickvals": list(range(len(words))), "ticktext": [label(word) for word in short]}
