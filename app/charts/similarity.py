"""Bars for cosines: what is nearest, and how near one would come by chance."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from app.charts.theme import INK, QUIET, Figure, Mode, layout, names_axis, role_colour, value_axis
from app.format import label

ROW = 24  # pixels a bar
END = 1.02  # of the axis: the largest cosine is 1


def similarity_bars(
    cosines: NDArray[np.floating],
    labels: Sequence[str],
    *,
    chance: float,
    chance_title: str,
    value_title: str,
    mode: Mode = "light",
) -> Figure:
    """Draw cosines (N,), the first on top, from 0 or the smallest to 1; chance as a dashed line.

    Bars that do not pass the line are pale.
    """
    if cosines.shape != (len(labels),):
        raise ValueError(f"{cosines.shape} cosines need as many labels, not {len(labels)}.")
    count = len(labels)
    figure = layout("", mode, height=ROW * count + 84)
    lowest = min(0.0, float(cosines.min(initial=0.0)) - 0.05)
    figure["xaxis"] = value_axis(
        value_title, mode, range=[lowest, END], tickvals=[-1, -0.5, 0, 0.25, 0.5, 0.75, 1]
    )
    figure["margin"]["r"] = 44  # the numbers stand here, clear of the dashed line
    figure["yaxis"] = names_axis(labels, mode, down=True, range=[count - 0.5, -0.95])
    figure["bargap"] = 0.25
    figure["shapes"] = [_line(chance, mode)]
    figure["annotations"] = [_name_of_line(chance, chance_title, mode)]
    bars: Figure = {
        "type": "bar",
        "orientation": "h",
        "x": np.round(cosines, 4).tolist(),
        "y": list(range(count)),
        "customdata": [label(text) for text in labels],
        "hovertemplate": "%{customdata}: %{x:.4f}<extra></extra>",
        "marker": {
            "color": role_colour("input", mode),
            "opacity": [0.8 if value > chance else 0.35 for value in cosines.tolist()],
        },
    }
    return {"data": [bars, _numbers(cosines, mode)], "layout": figure}


def _line(x: float, mode: Mode) -> Figure:
    dashed = {"color": INK[mode], "width": 2, "dash": "dash"}
    return {"type": "line", "x0": x, "x1": x, "y0": 0, "y1": 1, "yref": "paper", "line": dashed}


def _numbers(cosines: NDArray[np.floating], mode: Mode) -> Figure:
    return {
        "type": "scatter",
        "mode": "text",
        "x": [END] * len(cosines),
        "y": list(range(len(cosines))),
        "text": [f"{value:.3f}".replace("-", "−") for value in cosines.tolist()],
        "textposition": "middle right",
        "textfont": {"color": INK[mode], "size": 12},
        "cliponaxis": False,
        "hoverinfo": "skip",
        "showlegend": False,
    }


def _name_of_line(x: float, text: str, mode: Mode) -> Figure:
    return {
        "x": x, "y": 1, "yref": "paper", "xanchor": "left", "yanchor": "top", "xshift": 4,
        "text": label(text), "showarrow": False, "font": {"color": QUIET[mode], "size": 11},
    }  # fmt: skip
