"""A model's target distribution beside its prediction. (K pieces)"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from app.charts.parts import bars
from app.charts.theme import Figure, Role, layout, legend_above, names_axis, value_axis
from app.format import label, probability
from app.i18n import _

ROW = 34  # pixels for two bars
LARGEST = 1.18  # leaves room for the number beside a full bar


def target_bars(
    target: NDArray[np.floating], predicted: NDArray[np.floating], labels: Sequence[str], title: str
) -> Figure:
    """Draw the target (K,) above the prediction (K,) for each piece, always from 0 to 1."""
    figure = layout(title, height=ROW * len(labels) + 130)
    span = {"range": [0, LARGEST], "tickvals": [0, 0.25, 0.5, 0.75, 1]}
    figure["xaxis"] = value_axis(_("probability"), **span)
    figure["yaxis"] = names_axis(labels, down=True)
    figure |= {"bargap": 0.25, "bargroupgap": 0.05, "barmode": "group"}
    legend_above(figure)
    shown: tuple[tuple[str, NDArray[np.floating], Role, str], ...] = (
        (_("the target"), target, "residual", "/"),
        (_("the model"), predicted, "output", ""),
    )
    data = [
        bars(
            values,
            labels,
            role,
            name=label(name),
            text=[probability(value) for value in values.tolist()],
            textangle=0,
            hovertemplate="%{y}: %{x}<extra>" + label(name) + "</extra>",
            marker={"pattern": {"shape": pattern}},
        )
        for name, values, role, pattern in shown
    ]
    return {"data": data, "layout": figure}
