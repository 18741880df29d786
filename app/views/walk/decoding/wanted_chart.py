"""The sums of log p of a wanted translation, beside what the beam asks for at each step."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from app.charts import theme
from app.charts.parts import frame, polyline
from app.charts.theme import Figure
from app.format import label


def fate_lines(
    own: NDArray[np.floating],
    last: NDArray[np.floating],
    ranks: Sequence[int],
    words: Sequence[str],
    lost: int | None,
    names: tuple[str, str],
    value_title: str,
) -> Figure:
    """Draw the sums of the wanted one and of the last that goes on, (T,) each, with the ranks.

    The step that loses it is framed.
    """
    low, high = float(min(own.min(), last.min())), float(max(own.max(), last.max()))
    room = 0.18 * (high - low) + 0.1
    figure = theme.layout("", 225)
    figure["xaxis"] = theme.names_axis(words, marked=lost)
    figure["yaxis"] = theme.value_axis(value_title, range=[low - room, high + room])
    theme.legend_above(figure)
    if lost is not None:
        ends = (lost - 0.45, lost + 0.45, low - room, high + room)
        figure["shapes"] = [frame(*ends, colour=theme.INK)]
    places = ["top center" if ahead else "bottom center" for ahead in (own >= last).tolist()]
    text = {"text": [str(rank) for rank in ranks], "textposition": places, "cliponaxis": False}
    wanted = _line(own, names[0], theme.role_colour("output"), "solid", "circle") | text
    wanted["mode"] += "+text"
    return {"data": [wanted, _line(last, names[1], theme.QUIET, "dot", "square")], "layout": figure}


def _line(sums: NDArray[np.floating], name: str, colour: str, dash: str, sign: str) -> Figure:
    return polyline(
        list(range(len(sums))),
        sums.tolist(),
        {"color": colour, "width": 2, "dash": dash},
        mode="lines+markers",
        marker={"color": colour, "size": 8, "symbol": sign},
        name=label(name),
        hovertemplate="%{y}<extra>" + label(name) + "</extra>",
    )
