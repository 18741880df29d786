"""How wrong a model is: its distribution beside the target, the loss by word, by moment, by score.

T target tokens, K pieces, M moments, N values of one score.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from app.charts.theme import (
    INK,
    QUIET,
    Figure,
    Mode,
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
    mode: Mode = "light",
) -> Figure:
    """Draw the target (K,) above the prediction (K,) for each piece, always from 0 to 1."""
    if not target.shape == predicted.shape == (len(labels),):
        raise ValueError(f"{target.shape} and {predicted.shape} need as many labels.")
    count = len(labels)
    figure = layout(title, mode, height=ROW * count + (130 if title else 96))
    figure["xaxis"] = value_axis(
        value_title, mode, range=[0, LARGEST], tickvals=[0, 0.25, 0.5, 0.75, 1]
    )
    figure["yaxis"] = names_axis(labels, mode, down=True)
    figure |= {"bargap": 0.25, "bargroupgap": 0.05, "barmode": "group"}
    legend_above(figure)
    shown = ((names[0], target, "residual", "/"), (names[1], predicted, "output", ""))
    bars: list[Figure] = [
        {
            "type": "bar",
            "orientation": "h",
            "name": label(name),
            "x": values.tolist(),
            "y": list(range(count)),
            "text": [share(value) for value in values.tolist()],
            "textposition": "outside",
            "textangle": 0,
            "cliponaxis": False,
            "hovertemplate": "%{y}: %{x:.6f}<extra>" + label(name) + "</extra>",
            "marker": {"color": role_colour(role, mode), "pattern": {"shape": shape}},  # type: ignore[arg-type]
        }
        for name, values, role, shape in shown
    ]
    return {"data": bars, "layout": figure}


def loss_bars(
    surprises: NDArray[np.floating],
    losses: NDArray[np.floating],
    labels: Sequence[str],
    *,
    names: tuple[str, str],
    value_title: str,
    title: str = "",
    mode: Mode = "light",
    chosen: int | None = None,
) -> Figure:
    """Draw −log p (T,) as a bar for each word, and its loss (T,) with smoothing as a mark."""
    if not surprises.shape == losses.shape == (len(labels),):
        raise ValueError(f"{surprises.shape} and {losses.shape} need as many labels.")
    count = len(labels)
    short = count <= 10
    # Beside the bars, the numbers would run into the marks.
    ticks = [
        (f"<b>{label(text)}</b>" if i == chosen else label(text))
        + (f"<br>{surprises[i]:.2f}" if short else "")
        for i, text in enumerate(labels)
    ]
    largest = max(float(surprises.max()), float(losses.max()), 0.1)
    figure = layout(title, mode, height=330)
    figure["xaxis"] = axis(
        mode, tickvals=list(range(count)), ticktext=ticks, range=[-0.6, count - 0.4],
        tickangle=0 if short else -90,
    )  # fmt: skip
    figure["yaxis"] = value_axis(value_title, mode, range=[0, largest * 1.15])
    figure["bargap"] = 0.3
    legend_above(figure)
    bars: Figure = {
        "type": "bar",
        "name": label(names[0]),
        "x": list(range(count)),
        "y": surprises.tolist(),
        "customdata": np.exp(-surprises).tolist(),
        "hovertemplate": "−log %{customdata:.4f} = %{y:.4f}<extra></extra>",
        "marker": {
            "color": role_colour("output", mode),
            "line": {
                "color": INK[mode],
                "width": [2.5 if i == chosen else 0 for i in range(count)],
            },
        },
    }
    marks: Figure = {
        "type": "scatter",
        "mode": "markers",
        "name": label(names[1]),
        "x": list(range(count)),
        "y": losses.tolist(),
        "hovertemplate": "%{y:.4f}<extra></extra>",
        "marker": {
            "symbol": "diamond", "size": 9, "color": role_colour("residual", mode),
            "line": {"color": INK[mode], "width": 1},
        },
    }  # fmt: skip
    return {"data": [bars, marks], "layout": figure}


def moment_bars(
    losses: NDArray[np.floating],
    labels: Sequence[str],
    *,
    value_title: str,
    title: str = "",
    mode: Mode = "light",
    chosen: int | None = None,
) -> Figure:
    """Draw the loss (M,) at each moment of training, the earliest on top."""
    if losses.shape != (len(labels),):
        raise ValueError(f"{losses.shape} losses need as many labels, not {len(labels)}.")
    count = len(labels)
    # What a model is, above the moment of its training.
    names = [label(text).replace(" (", "<br>(") for text in labels]
    figure = layout(title, mode, height=ROW * count + (105 if title else 72))
    figure["xaxis"] = value_axis(value_title, mode, range=[0, float(losses.max()) * 1.25 or 1])
    figure["yaxis"] = names_axis(labels, mode, down=True, ticktext=names)
    figure["bargap"] = 0.3
    bars: Figure = {
        "type": "bar",
        "orientation": "h",
        "x": losses.tolist(),
        "y": list(range(count)),
        "text": [f"{value:.3f}" for value in losses.tolist()],
        "textposition": "outside",
        "cliponaxis": False,
        "hovertemplate": "%{y}: %{x:.4f}<extra></extra>",
        "marker": {
            "color": role_colour("output", mode),
            "line": {
                "color": INK[mode],
                "width": [2.5 if i == chosen else 0 for i in range(count)],
            },
        },
    }
    return {"data": [bars], "layout": figure}


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
    mode: Mode = "light",
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
    figure = layout(title, mode, height=380)
    figure["xaxis"] = value_axis(x_title, mode)
    figure["yaxis"] = value_axis(y_title, mode, range=[low - room, high + room], tickformat=".6~g")
    # Its names are long: below, they may take more than one line.
    figure |= {"showlegend": True, "legend": {"orientation": "h", "x": 0, "y": -0.28}}
    hover = "%{x:+.3f}: %{y:.6f}<extra></extra>"
    curve = {
        "type": "scatter", "mode": "lines", "name": label(names[0]), "x": changes.tolist(),
        "y": losses.tolist(), "hovertemplate": hover,
        "line": {"color": role_colour("output", mode), "width": 3, "shape": "spline"},
    }  # fmt: skip
    tangent = {
        "type": "scatter", "mode": "lines", "name": label(names[1]), "x": ends.tolist(),
        "y": (now + slope * ends).tolist(), "hoverinfo": "skip",
        "line": {"color": QUIET[mode], "width": 2, "dash": "dash"},
    }  # fmt: skip
    points = {
        "type": "scatter", "mode": "markers", "name": label(names[2]),
        "x": changes[list(pair)].tolist(), "y": losses[list(pair)].tolist(),
        "hovertemplate": hover,
        "marker": {"size": 10, "color": INK[mode], "symbol": "circle-open", "line": {"width": 2}},
    }  # fmt: skip
    return {"data": [curve, tangent, points], "layout": figure}
