"""How wrong a model is: its distribution beside the target, the loss by word, by moment, by score.

T target tokens, K pieces, M moments, N values of one score.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from app.charts.parts import bars, marks, polyline
from app.charts.theme import (
    INK,
    QUIET,
    Figure,
    Role,
    axis,
    layout,
    legend_above,
    names_axis,
    role_colour,
    share,
    value_axis,
)
from app.format import label

ROW = 34  # pixels for two bars or two lines
LARGEST = 1.18  # so that the number beside a full bar is still inside


def target_bars(
    target: NDArray[np.floating],
    predicted: NDArray[np.floating],
    labels: Sequence[str],
    *,
    names: tuple[str, str],
    value_title: str,
    title: str = "",
) -> Figure:
    """Draw the target (K,) above the prediction (K,) for each piece, always from 0 to 1."""
    count = len(labels)
    figure = layout(title, height=ROW * count + (130 if title else 96))
    figure["xaxis"] = value_axis(value_title, range=[0, LARGEST], tickvals=[0, 0.25, 0.5, 0.75, 1])
    figure["yaxis"] = names_axis(labels, down=True)
    figure |= {"bargap": 0.25, "bargroupgap": 0.05, "barmode": "group"}
    legend_above(figure)
    shown: tuple[tuple[str, NDArray[np.floating], Role, str], ...] = (
        (names[0], target, "residual", "/"),
        (names[1], predicted, "output", ""),
    )
    data = [
        bars(
            values,
            labels,
            role,
            name=label(name),
            text=[share(value) for value in values.tolist()],
            textangle=0,
            hovertemplate="%{y}: %{x:.6f}<extra>" + label(name) + "</extra>",
            marker={"pattern": {"shape": pattern}},
        )
        for name, values, role, pattern in shown
    ]
    return {"data": data, "layout": figure}


def loss_bars(
    surprises: NDArray[np.floating],
    losses: NDArray[np.floating],
    labels: Sequence[str],
    *,
    names: tuple[str, str],
    value_title: str,
    title: str = "",
    chosen: int | None = None,
) -> Figure:
    """Draw −log p (T,) as a bar for each word, and its loss (T,) with smoothing as a mark."""
    count = len(labels)
    short = count <= 10
    # Beside the bars, the numbers would run into the marks.
    ticks = [
        (f"<b>{label(text)}</b>" if i == chosen else label(text))
        + (f"<br>{surprises[i]:.2f}" if short else "")
        for i, text in enumerate(labels)
    ]
    largest = max(float(surprises.max()), float(losses.max()), 0.1)
    figure = layout(title, height=330)
    figure["xaxis"] = axis(
        tickvals=list(range(count)),
        ticktext=ticks,
        range=[-0.6, count - 0.4],
        tickangle=0 if short else -90,
    )
    figure["yaxis"] = value_axis(value_title, range=[0, largest * 1.15])
    figure["bargap"] = 0.3
    legend_above(figure)
    trace = bars(
        surprises,
        labels,
        "output",
        upright=True,
        marked=chosen,
        name=label(names[0]),
        customdata=np.exp(-surprises).tolist(),
        hovertemplate="−log %{customdata:.4f} = %{y:.4f}<extra></extra>",
    )
    x, grey = list(range(count)), role_colour("residual")
    look = {"outline": 1, "name": label(names[1]), "hovertemplate": "%{y:.4f}<extra></extra>"}
    smoothed = marks(x, losses.tolist(), grey, "diamond", 9, **look)
    return {"data": [trace, smoothed], "layout": figure}


def moment_bars(
    losses: NDArray[np.floating],
    labels: Sequence[str],
    *,
    value_title: str,
    title: str = "",
    chosen: int | None = None,
) -> Figure:
    """Draw the loss (M,) at each moment of training, the earliest on top."""
    count = len(labels)
    # What a model is, above the moment of its training.
    names = [label(text).replace(" (", "<br>(") for text in labels]
    figure = layout(title, height=ROW * count + (105 if title else 72))
    figure["xaxis"] = value_axis(value_title, range=[0, float(losses.max()) * 1.25 or 1])
    figure["yaxis"] = names_axis(labels, down=True, ticktext=names)
    figure["bargap"] = 0.3
    text = [f"{value:.3f}" for value in losses.tolist()]
    hover = "%{y}: %{x:.4f}<extra></extra>"
    trace = bars(losses, labels, "output", marked=chosen, text=text, hovertemplate=hover)
    return {"data": [trace], "layout": figure}


def loss_curve(
    changes: NDArray[np.floating],
    losses: NDArray[np.floating],
    slope: float,
    pair: tuple[int, int],
    *,
    names: tuple[str, str, str],
    x_title: str,
    y_title: str,
    title: str = "",
) -> Figure:
    """Draw the loss (N,) after changing a score by each of `changes` (N,), and the line that has
    the gradient's slope; `pair` says which two changes the slope is compared with.
    """
    if changes.shape != losses.shape:
        raise ValueError(f"{changes.shape} changes need as many losses, not {losses.shape}.")
    now = float(np.interp(0.0, changes, losses))
    low, high = float(losses.min()), float(losses.max())
    room = max(0.25 * (high - low), 1e-6 * max(abs(now), 1.0))
    # Half of the way is enough for a tangent; beyond, it would flatten the curve.
    ends = np.array([changes[0], changes[-1]]) / 2
    figure = layout(title, height=380)
    figure["xaxis"] = value_axis(x_title)
    figure["yaxis"] = value_axis(y_title, range=[low - room, high + room], tickformat=".6~g")
    # Its names are long: below, they may take more than one line.
    figure |= {"showlegend": True, "legend": {"orientation": "h", "x": 0, "y": -0.28}}
    hover = "%{x:+.3f}: %{y:.6f}<extra></extra>"
    model, gradient, compared = map(label, names)
    solid = {"color": role_colour("output"), "width": 3, "shape": "spline"}
    dashed = {"color": QUIET, "width": 2, "dash": "dash"}
    line_y = (now + slope * ends).tolist()
    x, y = (values[list(pair)].tolist() for values in (changes, losses))
    ring = {"outline": 2, "name": compared, "hovertemplate": hover}
    data = [
        polyline(changes.tolist(), losses.tolist(), solid, name=model, hovertemplate=hover),
        polyline(ends.tolist(), line_y, dashed, name=gradient, hoverinfo="skip"),
        marks(x, y, INK, "circle-open", 10, **ring),
    ]
    return {"data": data, "layout": figure}
