"""Vectors as strips of cells, as the slides draw q, k and v. (d_k numbers each)"""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from app.charts.parts import cells, colour_bar, frame
from app.charts.theme import QUIET, Figure, Role, Scale, axis, layout, role_colour
from app.format import label, number, short


def vector_strip(
    vectors: Mapping[str, tuple[Role, NDArray[np.floating]]],
    *,
    title: str = "",
    scale: Scale = "signed",
) -> Figure:
    """Draw named vectors one below the other, on one scale: symmetric about 0, or starting at 0.

    Their numbers are counted from 1. In a Transformer all vectors have d_k numbers; in an RNNsearch
    the values have more than the keys.
    """
    if not vectors:
        raise ValueError("A strip needs at least one vector.")
    rows = [np.round(vector, 4).tolist() for _, vector in vectors.values()]
    reach = max(float(np.abs(vector).max()) for _, vector in vectors.values()) or 1.0
    colours = [role_colour(role) for role, _ in vectors.values()]
    names = [label(name) for name in vectors]
    ticks = [
        f'<span style="color:{colour}"><b>{name}</b></span>'
        for name, colour in zip(names, colours, strict=True)
    ]
    count, widths = len(rows), [len(row) for row in rows]
    width = max(widths)
    figure = layout(title, height=34 * count + (105 if title else 72))
    figure["xaxis"] = axis(range=[0.5, width + 0.5], tickfont={"color": QUIET})
    figure["yaxis"] = axis(tickvals=list(range(count)), ticktext=ticks, range=[count - 0.5, -0.5])
    figure["shapes"] = [
        frame(0.5, wide + 0.5, i - 0.36, i + 0.36, colour=colour)
        for i, (wide, colour) in enumerate(zip(widths, colours, strict=True))
    ]
    ends = {-reach: f"−{number(reach)}", 0: "0", reach: f"+{number(reach)}"}
    if scale != "signed":
        ends = {0: "0", reach: short(reach)}
    # The colour bar stands below the axis numbers, at a depth of one strip.
    place = {"len": 0.5, "x": 0, "xanchor": "left", "y": -1 / count, "yanchor": "top"}
    trace = cells(
        [row + [None] * (width - len(row)) for row in rows],
        scale,
        reach,
        x=list(range(1, width + 1)),
        y=list(range(count)),
        ygap=10,
        customdata=[[name] * width for name in names],
        hovertemplate="%{customdata} [%{x}] = %{z}<extra></extra>",
        colorbar=colour_bar(
            orientation="h", **place, tickvals=list(ends), ticktext=list(ends.values())
        ),
    )
    return {"data": [trace], "layout": figure}
