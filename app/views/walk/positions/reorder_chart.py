"""How far each token's output moves when the words change places, on a logarithmic scale."""

from collections.abc import Sequence

import numpy as np

from app.charts.parts import marks
from app.charts.theme import (
    QUIET,
    Figure,
    Floats,
    Role,
    layout,
    legend_above,
    names_axis,
    role_colour,
    value_axis,
)
from app.format import label, power, short
from app.i18n import _

LEAST = 1e-8  # an exact 0 has no place on the scale: it stands at its left end
LOOKS: tuple[tuple[Role, str], ...] = (("residual", "circle"), ("input", "diamond"))


def reorder_chart(without: Floats, moved: Floats, words: Sequence[str], chosen: int) -> Figure:
    """Draw two distances (S,) for each word: without positions, and `moved` with them."""
    S = len(words)
    figure = layout("", height=22 * S + 110)
    figure["xaxis"] = value_axis(
        _("largest difference between the token's two outputs"),
        type="log",
        range=[-8.3, 1.6],
        tickvals=[10.0**n for n in range(-8, 2, 2)],
        ticktext=["0", "10⁻⁶", "10⁻⁴", short(0.01), "1"],
    )
    figure["yaxis"] = names_axis(words, down=True, marked=chosen)
    legend_above(figure)
    thin = {"type": "line", "line": {"color": QUIET, "width": 1}, "layer": "below"}
    figure["shapes"] = [
        {**thin, "x0": max(a, LEAST), "x1": max(b, LEAST), "y0": i, "y1": i}
        for i, (a, b) in enumerate(zip(without.tolist(), moved.tolist(), strict=True))
    ]
    names = _("without positions"), _("with positions")
    data = [
        marks(
            np.maximum(values, LEAST).tolist(),
            list(range(S)),
            role_colour(role),
            symbol,
            11,
            outline=1,
            name=name,
            customdata=[[label(word), power(v, 2)] for word, v in zip(words, values, strict=True)],
            hovertemplate="%{customdata[0]}: %{customdata[1]}<extra></extra>",
        )
        for name, values, (role, symbol) in zip(names, (without, moved), LOOKS, strict=True)
    ]
    return {"data": data, "layout": figure}
