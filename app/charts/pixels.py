"""A picture as the numbers it is made of: one grey a pixel. (H rows, W columns)"""

import numpy as np
from numpy.typing import NDArray

from app.charts.theme import Figure, Mode, axis, label, layout


def pixels(greys: NDArray[np.uint8], *, hover: str, mode: Mode = "light") -> Figure:
    """Draw greys (H, W), 0 black to 255 white, with their numbers where they fit.

    `hover` is a text with the marks {row}, {column} and {grey}.
    """
    H, W = greys.shape
    marks = {"{row}": "%{y}", "{column}": "%{x}", "{grey}": "%{z}"}
    template = label(hover)
    for ours, plotlys in marks.items():
        template = template.replace(ours, plotlys)
    figure = layout("", mode, height=17 * H + 64)
    figure["margin"]["t"] = 36  # Plotly's own buttons lie here
    figure["xaxis"] = axis(mode, visible=False, range=[-0.5, W - 0.5], constrain="domain")
    figure["yaxis"] = axis(
        mode,
        visible=False,
        range=[H - 0.5, -0.5],
        scaleanchor="x",
        constrain="domain",
        constraintoward="bottom",
    )
    cells: Figure = {
        "type": "heatmap",
        "z": greys.tolist(),
        "zmin": 0,
        "zmax": 255,
        "colorscale": [[0, "#000000"], [1, "#FFFFFF"]],
        "showscale": False,
        "xgap": 1,
        "ygap": 1,
        "texttemplate": "%{z}",  # left out by Plotly where it does not fit
        "hovertemplate": template + "<extra></extra>",
    }
    return {"data": [cells], "layout": figure}
