"""Vectors as strips of cells, the way the slides draw q, k and v. (d_k numbers each)"""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from app.charts.theme import QUIET, Figure, Mode, Role, axis, layout, role_colour, signed_scale
from app.format import label


def vector_strip(
    vectors: Mapping[str, tuple[Role, NDArray[np.floating]]],
    *,
    title: str = "",
    mode: Mode = "light",
) -> Figure:
    """Draw named vectors one below the other, on one scale that is symmetric about 0.

    All have d_k numbers in a Transformer; the values of an RNNsearch have more than its keys.
    """
    if not vectors:
        raise ValueError("A strip needs at least one vector.")
    rows = [np.round(vector, 4).tolist() for _, vector in vectors.values()]
    reach = max(float(np.abs(vector).max()) for _, vector in vectors.values()) or 1.0
    colours = [role_colour(role, mode) for role, _ in vectors.values()]
    names = [label(name) for name in vectors]
    ticks = [
        f'<span style="color:{colour}"><b>{name}</b></span>'
        for name, colour in zip(names, colours, strict=True)
    ]
    count, widths = len(rows), [len(row) for row in rows]
    width = max(widths)
    figure = layout(title, mode, height=34 * count + (105 if title else 100))
    figure["margin"]["t"] = 40 if title else 36  # Plotly's own buttons lie here
    figure["xaxis"] = axis(mode, range=[-0.5, width - 0.5], tickfont={"color": QUIET[mode]})
    figure["yaxis"] = axis(
        mode, tickvals=list(range(count)), ticktext=ticks, range=[count - 0.5, -0.5]
    )
    figure["shapes"] = [_frame(i, widths[i], colour) for i, colour in enumerate(colours)]
    cells: Figure = {
        "type": "heatmap",
        "x": list(range(width)),
        "y": list(range(count)),
        "z": [row + [None] * (width - len(row)) for row in rows],
        "zmin": -reach,
        "zmid": 0,
        "zmax": reach,
        "colorscale": signed_scale(mode),
        "ygap": 10,
        "customdata": [[name] * width for name in names],
        "hovertemplate": "%{customdata} [%{x}] = %{z:+.4f}<extra></extra>",
        "colorbar": {
            "orientation": "h",
            "thickness": 8,
            "len": 0.5,
            "x": 0,
            "xanchor": "left",
            "y": -1 / count,  # below the numbers of the axis, one strip deep
            "yanchor": "top",
            "outlinewidth": 0,
            "tickvals": [-reach, 0, reach],
            "ticktext": [f"−{reach:.2f}", "0", f"+{reach:.2f}"],
            "tickfont": {"color": QUIET[mode]},
        },
    }
    return {"data": [cells], "layout": figure}


def _frame(row: int, width: int, colour: str) -> Figure:
    edges = {"x0": -0.5, "x1": width - 0.5, "y0": row - 0.36, "y1": row + 0.36}
    return {"type": "rect", **edges, "line": {"color": colour, "width": 2}}
