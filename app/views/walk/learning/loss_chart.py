"""How wrong a model is: its loss by token, by moment of training, and by one score.

T target tokens, M moments, N values of one score.
"""

from collections.abc import Callable, Sequence

import numpy as np

from app.charts import theme
from app.charts.parts import bars, marks, polyline, texts
from app.charts.theme import Figure, Floats
from app.format import label, number, share
from app.i18n import _

ROW = 34  # pixels for two lines


def surprise_curve(
    cost: Callable[[Floats], Floats], p: float, size: int, word: str, title: str
) -> Figure:
    """Draw the cost −log p over p, with the right token's p, one half, and an equal share."""
    uniform = 1 / size
    x = np.geomspace(min(p, uniform), 1, 200)
    paid = cost(x)
    top = 1.15 * float(paid[0])
    figure = theme.layout(title, height=300)
    figure["xaxis"] = theme.value_axis(_("p of the right token"), range=[-0.03, 1.05])
    figure["yaxis"] = theme.value_axis(_("nats"), range=[-0.03 * top, top])
    look = {"color": theme.role_colour("residual"), "width": 2}
    hover = {"hovertemplate": "−log %{x} = %{y}<extra></extra>"}
    curve = polyline(x.tolist(), paid.tolist(), look, **hover)
    known = {uniform: f"1 / {size}", 0.5: "1 / 2", 1.0: "1"}
    others = [(value, name) for value, name in known.items() if abs(value - p) > 0.03]
    named = [*others, (p, f"<b>{label(word)}</b>")]
    places = [value for value, _name in named]
    heights = np.abs(cost(np.array(places))).tolist()
    colours = [*([theme.QUIET] * len(others)), theme.role_colour("output")]
    points = marks(places, heights, colours, "circle", 10, **hover)
    names = [
        f"{name}: {number(height)}" for (_value, name), height in zip(named, heights, strict=True)
    ]
    where = ["top left" if value > 0.9 else "top right" for value in places]
    return {
        "data": [curve, points, texts(places, heights, names, where, theme.INK, 13)],
        "layout": figure,
    }


def loss_bars(
    p: Floats, surprises: Floats, losses: Floats, labels: Sequence[str], chosen: int, title: str
) -> Figure:
    """Draw −log p (T,) as a bar for each token, and its loss (T,) with smoothing as a mark."""
    count = len(labels)
    short = count <= 10
    # Beside the bars, the numbers would run into the marks.
    ticks = [
        (f"<b>{label(text)}</b>" if i == chosen else label(text))
        + (f"<br>{number(surprises[i])}" if short else "")
        for i, text in enumerate(labels)
    ]
    largest = max(float(surprises.max()), float(losses.max()), 0.1)
    places = list(range(count))
    figure = theme.layout(title, height=300)
    angle = 0 if short else -90
    ends = [-0.6, count - 0.4]
    figure["xaxis"] = theme.axis(tickvals=places, ticktext=ticks, range=ends, tickangle=angle)
    figure["yaxis"] = theme.value_axis(_("nats"), range=[0, largest * 1.15])
    figure["bargap"] = 0.3
    theme.legend_above(figure)
    trace = bars(
        surprises,
        labels,
        "output",
        upright=True,
        marked=chosen,
        name="−log p",
        customdata=[share(each, 4) for each in p.tolist()],
        hovertemplate="−log %{customdata} = %{y}<extra></extra>",
    )
    name, hover = {"name": label(_("loss, smoothed"))}, "%{y}<extra></extra>"
    look = theme.role_colour("residual"), "diamond", 9
    smoothed = marks(places, losses.tolist(), *look, outline=1, hovertemplate=hover, **name)
    return {"data": [trace, smoothed], "layout": figure}


def moment_bars(losses: Floats, labels: Sequence[str], chosen: int | None, title: str) -> Figure:
    """Draw the loss by character (M,) at each moment of training, the earliest on top."""
    # What a model is, above the moment of its training.
    names = [label(text).replace(" (", "<br>(") for text in labels]
    figure = theme.layout(title, height=ROW * len(labels) + 105)
    figure["xaxis"] = theme.value_axis(
        _("nats a character"), range=[0, float(losses.max()) * 1.25 or 1]
    )
    figure["yaxis"] = theme.names_axis(labels, down=True, ticktext=names)
    figure["bargap"] = 0.3
    text = [number(value, 3) for value in losses.tolist()]
    hover = "%{y}: %{x}<extra></extra>"
    trace = bars(losses, labels, "output", marked=chosen, text=text, hovertemplate=hover)
    return {"data": [trace], "layout": figure}


def loss_curve(
    changes: Floats, losses: Floats, slope: float, pair: tuple[int, int], title: str
) -> Figure:
    """Draw the loss (N,) after changing a score by each of `changes` (N,), and the line that has
    the gradient's slope; `pair` says which two changes the slope is compared with.
    """
    unchanged = float(np.interp(0.0, changes, losses))
    low, high = float(losses.min()), float(losses.max())
    room = max(0.25 * (high - low), 1e-6 * max(abs(unchanged), 1.0))
    # Half of the way is enough for a tangent; beyond, it would flatten the curve.
    ends = np.array([changes[0], changes[-1]]) / 2
    figure = theme.layout(title, height=230)
    figure["xaxis"] = theme.value_axis(_("added to the score"))
    figure["yaxis"] = theme.value_axis(
        _("loss"), range=[low - room, high + room], tickformat=".6~g"
    )
    # Its names are long: below, they may take more than one line.
    figure |= {"showlegend": True, "legend": {"orientation": "h", "x": 0, "y": -0.28}}
    hover = {"hovertemplate": "%{x}: %{y}<extra></extra>"}
    look = {"color": theme.role_colour("output"), "width": 3, "shape": "spline"}
    name = label(_("the model, run again"))
    curve = polyline(changes.tolist(), losses.tolist(), look, name=name, **hover)
    look, name = {"color": theme.QUIET, "width": 2, "dash": "dash"}, label(_("slope = gradient"))
    heights = (unchanged + slope * ends).tolist()
    tangent = polyline(ends.tolist(), heights, look, name=name, hoverinfo="skip")
    x, y = (values[list(pair)].tolist() for values in (changes, losses))
    points = marks(x, y, theme.INK, "circle-open", 10, outline=2, name="±δ", **hover)
    return {"data": [curve, tangent, points], "layout": figure}
