"""The chapter's own charts."""

from collections.abc import Mapping, Sequence

import numpy as np

from app.charts import theme
from app.charts.parts import bars, marks, polyline, texts
from app.charts.theme import Figure, Floats, Role
from app.format import label, number, signed
from app.i18n import _


def normalising(steps: Mapping[str, Floats]) -> Figure:
    """Draw the numbers (D,) after each step as a row of ticks, with mean and deviation.

    A diamond is the mean, the bar on both sides of it the deviation.
    """
    count = len(steps)
    figure = theme.layout("", height=62 * count + 50)
    figure["xaxis"] = theme.value_axis(_("value"), zeroline=True, zerolinecolor=theme.QUIET)
    figure["yaxis"] = theme.axis(
        tickvals=list(range(count)),
        ticktext=[f"<b>{label(name)}</b>" for name in steps],
        range=[count - 0.4, -0.6],
    )
    ends = [float(end) for values in steps.values() for end in (values.min(), values.max())]
    room = 0.04 * (max(ends) - min(ends))
    figure["xaxis"]["range"] = [min(ends) - room, max(ends) + room]
    figure["shapes"] = [
        _ticks(row, np.round(values, 4)) for row, values in enumerate(steps.values())
    ]
    data = [_middle(row, values) for row, values in enumerate(steps.values())]
    return {"data": data, "layout": figure}


def _ticks(row: int, values: Floats) -> Figure:
    """Return a tick for each number, all as one path: markers, one a number, are slow to draw."""
    return {
        "type": "path",
        "path": "".join(f"M{x:g},{row - 0.15}L{x:g},{row + 0.15}" for x in values.tolist()),
        "opacity": 0.55,
        "line": {"width": 1, "color": theme.role_colour("residual")},
    }


def _middle(row: int, values: Floats) -> Figure:
    mean, deviation = float(values.mean()), float(values.std())
    bar = {"type": "data", "array": [deviation], "color": theme.INK, "thickness": 2}
    name = label(_("mean and deviation"))
    hover = f"{name}: {signed(mean, 4)}, {number(deviation, 4)}<extra></extra>"
    look = {"error_x": bar, "hovertemplate": hover}
    return marks([mean], [row + 0.33], theme.INK, "diamond", 9, **look)


HEIGHT = 260  # of the drawing of a layer, in pixels: the page does not scroll
STEP = 1.0
HALF = 1.5  # half the width of a box
HIGH = 0.35  # half its height
AROUND = 2.0  # where the way around a sub-layer runs


def norm_order(parts: Sequence[str], *, post: bool, lengths: Sequence[str] = ()) -> Figure:
    """Draw the sub-layers with post- or pre-norm.

    `lengths` are written beside what each step gives: the start, then three a sub-layer.
    """
    steps = [("start", _("x, from below"))]
    for part in parts:
        added, normed = [("part", part), ("add", _("add"))], [("norm", _("normalise"))]
        steps += added + normed if post else normed + added
    if not post:
        steps.append(("last", _("last norm, once")))
    top = (len(steps) - 1) * STEP + 0.6
    figure = theme.layout("", height=HEIGHT)
    figure["xaxis"] = theme.axis(visible=False, range=[-2.2, 2.6])
    figure["margin"] |= {"t": 8, "b": 4}
    figure["yaxis"] = theme.axis(visible=False, range=[-0.6, top])
    figure["shapes"] = _shapes([kind for kind, _name in steps], post)
    return {"data": [_signs(steps), _texts(steps, lengths)], "layout": figure}


def _shapes(kinds: Sequence[str], post: bool) -> list[Figure]:
    """Return all lines of a colour as one shape: many would be slow."""

    def boxes(of: str) -> str:
        return " ".join(
            f"M -{HALF} {y - HIGH} L {HALF} {y - HIGH} L {HALF} {y + HIGH} L -{HALF} {y + HIGH} Z"
            for y, kind in enumerate(kinds)
            if kind == of
        )

    below = 1.5 if post else 2.5  # below the sub-layer, and its norm if that comes first
    around = " ".join(
        f"M 0 {y - below} L -{AROUND} {y - below} L -{AROUND} {y} L -0.22 {y}"
        for y, kind in enumerate(kinds)
        if kind == "add"
    )
    up = " ".join(
        f"M 0 {y - STEP + _room(kinds[y - 1])} L 0 {y - _room(kinds[y])}"
        for y in range(1, len(kinds))
    )
    green = theme.role_colour("input")
    drawn = (
        (boxes("part"), theme.role_colour("output"), 2, "solid"),
        (boxes("norm"), green, 2, "solid"),
        (boxes("last"), green, 2, "dot"),
        (around, theme.role_colour("residual"), 3, "solid"),
        (up, theme.INK, 1.5, "solid"),
    )
    return [
        {"type": "path", "path": path, "line": {"color": colour, "width": width, "dash": dash}}
        for path, colour, width, dash in drawn
        if path
    ]


def _room(kind: str) -> float:
    """Return how far from the middle of a step an arrow keeps away."""
    return {"add": 0.3, "start": 0.3}.get(kind, HIGH)


def _signs(steps: Sequence[tuple[str, str]]) -> Figure:
    """Return the circles around the plus signs, and the heads of the arrows."""
    circles = [y for y, (kind, _name) in enumerate(steps) if kind == "add"]
    heads = [y - _room(kind) - 0.06 for y, (kind, _name) in enumerate(steps) if y]
    n, m = len(circles), len(heads)
    symbols, sizes = ["circle-open"] * n + ["triangle-up"] * m, [20] * n + [8] * m
    look = {"outline": [2] * n + [0] * m, "hoverinfo": "skip"}
    signs = marks([0] * (n + m), circles + heads, theme.INK, symbols, sizes, **look)
    signs["marker"]["opacity"] = 1
    return signs


def _texts(steps: Sequence[tuple[str, str]], lengths: Sequence[str]) -> Figure:
    drawn: list[tuple[float, float, str, str, str, int]] = []
    for y, (kind, name) in enumerate(steps):
        if kind == "add":
            drawn.append((0, y, "+", "middle center", theme.INK, 15))
            drawn.append((0.3, y, label(name), "middle right", theme.QUIET, 11))
        else:
            drawn.append((0, y, label(name), "middle center", theme.INK, 12))
        if y < len(lengths):
            drawn.append((HALF + 0.06, y + 0.5, label(lengths[y]), "middle right", theme.QUIET, 12))
    return texts(*map(list, zip(*drawn, strict=True)))


MOST_UPRIGHT = 12  # names of more steps are turned


def stream_lines(
    lengths: Floats,
    added: Floats,
    cosines: Floats,
    steps: Sequence[str],
    *,
    names: tuple[str, str, str],
) -> Figure:
    """Draw the stream's length (N,) over the added vectors' (N - 1,), and below the cosine to the
    step before (N - 1,).
    """
    N = len(steps)
    turned = N > MOST_UPRIGHT
    figure = theme.layout("", height=400 if turned else 296)
    theme.legend_above(figure)
    figure["xaxis"] = theme.names_axis(steps, tickangle=-90 if turned else 0, anchor="y2")
    if not turned:
        figure["xaxis"]["tickfont"] = {"size": 11 if N > 8 else 12}
        figure["xaxis"]["ticktext"] = [_broken(step) for step in steps]
    top = float(max(lengths.max(), added.max(initial=0.0))) * 1.15
    figure["yaxis"] = theme.value_axis("", range=[0, top], domain=[0.48, 1])
    low = min(0.0, float(cosines.min(initial=0.0)) - 0.1)
    figure["yaxis2"] = theme.value_axis("", range=[low, 1.15], domain=[0, 0.38])
    later = list(range(1, N))
    return {
        "data": [
            _bars(added, steps[1:], names[1]),
            _line(list(range(N)), lengths, names[0], "circle", "residual", "y"),
            _line(later, cosines, names[2], "diamond", "input", "y2"),
        ],
        "layout": figure,
    }


def _broken(step: str) -> str:
    """Write a step's name in lines: the layer, then each part of the sub-layer's words."""
    layer, _dot, part = label(step).partition(" · ")
    return "<br>".join([layer, *part.replace("-", "- ").split()])


def _bars(added: Floats, steps: Sequence[str], name: str) -> Figure:
    trace = bars(np.round(added, 4), steps, "output", upright=True, marker={"opacity": 0.8})
    text, hover = [number(value, 1) for value in added], "%{x}: %{y}<extra></extra>"
    look = {"width": 0.5, "text": text, "name": label(name), "hovertemplate": hover}
    return trace | look | {"x": list(range(1, len(steps) + 1))}  # the first step adds nothing


def _line(x: list[int], y: Floats, name: str, symbol: str, role: Role, y_axis: str) -> Figure:
    above, colour = y_axis == "y", theme.role_colour(role)
    return polyline(
        x,
        np.round(y, 4).tolist(),
        {"color": colour, "width": 2, "dash": "solid" if above else "dash"},
        mode="lines+markers+text" if len(x) <= 12 else "lines+markers",
        name=label(name),
        yaxis=y_axis,
        text=[number(value, 1 if above else 2) for value in y],
        textposition="top center" if above else "bottom center",
        textfont={"color": theme.INK},
        cliponaxis=False,
        marker={"color": colour, "symbol": symbol, "size": 9},
        hovertemplate="%{y}<extra></extra>",
    )
