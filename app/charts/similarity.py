"""Bars for cosines: the nearest vectors, and how close random ones would come."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from app.charts.parts import bars, note, texts, upright_line
from app.charts.theme import INK, QUIET, Figure, layout, names_axis, value_axis
from app.format import label, number

ROW = 14  # pixels per bar
END = 1.02  # of the axis: the largest cosine is 1


def similarity_bars(
    cosines: NDArray[np.floating],
    labels: Sequence[str],
    *,
    chance: float,
    chance_title: str,
    value_title: str,
) -> Figure:
    """Draw cosines (N,), the first on top, on an axis from 0, or the smallest, to 1.

    A dashed line marks `chance`; bars that do not pass it are pale.
    """
    count = len(labels)
    figure = layout("", height=ROW * count + 84)
    lowest = min(0.0, float(cosines.min(initial=0.0)) - 0.05)
    figure["xaxis"] = value_axis(
        value_title, range=[lowest, END], tickvals=[-1, -0.5, 0, 0.25, 0.5, 0.75, 1]
    )
    figure["margin"]["r"] = 44  # the numbers stand here, clear of the dashed line
    figure["yaxis"] = names_axis(labels, down=True, range=[count - 0.5, -1.6])
    figure["bargap"] = 0.25
    figure["shapes"] = [upright_line(chance, width=2)]
    name = {"yref": "paper", "xanchor": "left", "yanchor": "top", "xshift": 4}
    figure["annotations"] = [note(label(chance_title), chance, 1, colour=QUIET, size=11, **name)]
    trace = bars(cosines, labels, "input")
    trace["marker"]["opacity"] = [0.8 if value > chance else 0.35 for value in cosines.tolist()]
    numbers = [number(value, 3) for value in cosines.tolist()]
    ends = texts([END] * count, list(range(count)), numbers, "middle right", INK, 12)
    return {"data": [trace, ends], "layout": figure}
