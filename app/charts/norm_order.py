"""The order of one layer, drawn from below upwards: where it adds and where it normalises."""

from collections.abc import Sequence

from app.charts.theme import INK, QUIET, Figure, Mode, axis, label, layout, role_colour

STEP = 1.0
HALF = 1.5  # half the width of a box
AROUND = 2.0  # where the way around a sub-layer runs


def norm_order(
    parts: Sequence[str],
    *,
    post: bool,
    names: tuple[str, str, str, str],
    lengths: Sequence[str] = (),
    mode: Mode = "light",
) -> Figure:
    """Draw the sub-layers with post- or pre-norm; `names`: start, add, norm, and the last norm.

    `lengths` are written beside what each step gives: the start, then three a sub-layer.
    """
    start, add, norm, last = names
    steps: list[tuple[str, str]] = [("start", start)]
    for part in parts:
        steps += (
            [("part", part), ("add", add), ("norm", norm)]
            if post
            else [("norm", norm), ("part", part), ("add", add)]
        )
    if not post:
        steps.append(("last", last))
    top = (len(steps) - 1) * STEP + 0.6
    figure = layout("", mode, height=52 * len(steps) + 30)
    figure["xaxis"] = axis(mode, visible=False, range=[-2.2, 2.6])
    figure["yaxis"] = axis(mode, visible=False, range=[-0.6, top])
    figure["shapes"] = _shapes(steps, post, mode)
    figure["annotations"] = _texts(steps, lengths, mode)
    # A figure needs a trace to be one; this one is not seen.
    trace = {"type": "scatter", "x": [0], "y": [0], "mode": "markers", "opacity": 0}
    return {"data": [{**trace, "hoverinfo": "skip"}], "layout": figure}


def _shapes(steps: Sequence[tuple[str, str]], post: bool, mode: Mode) -> list[Figure]:
    shapes: list[Figure] = []
    for i, (kind, _) in enumerate(steps):
        y = i * STEP
        if kind == "add":
            x0, x1 = -0.22, 0.22
            shapes.append(_shape("circle", x0, y - 0.24, x1, y + 0.24, INK[mode]))
            # The way around: from below the sub-layer (and its norm, if that comes first).
            below = y - (1.5 if post else 2.5) * STEP
            shapes.append(_way(below, y, role_colour("residual", mode)))
        elif kind != "start":
            colour = role_colour("output" if kind == "part" else "input", mode)
            shape = _shape("rect", -HALF, y - 0.27, HALF, y + 0.27, colour)
            if kind == "last":
                shape["line"]["dash"] = "dot"
            shapes.append(shape)
    return shapes


def _shape(kind: str, x0: float, y0: float, x1: float, y1: float, colour: str) -> Figure:
    ends = {"x0": x0, "y0": y0, "x1": x1, "y1": y1}
    return {"type": kind, **ends, "line": {"color": colour, "width": 2}}


def _way(y0: float, y1: float, colour: str) -> Figure:
    path = f"M 0 {y0} L -{AROUND} {y0} L -{AROUND} {y1} L -0.22 {y1}"
    return {"type": "path", "path": path, "line": {"color": colour, "width": 3}}


def _texts(steps: Sequence[tuple[str, str]], lengths: Sequence[str], mode: Mode) -> list[Figure]:
    texts: list[Figure] = []
    for i, (kind, name) in enumerate(steps):
        y = i * STEP
        if i:
            texts.append(_arrow(y, kind, steps[i - 1][0], mode))
        shown = "+" if kind == "add" else label(name)
        texts.append(_text(0, y, shown, INK[mode], "center", 18 if kind == "add" else 13))
        if kind == "add":
            texts.append(_text(0.34, y, label(name), QUIET[mode], "left", 11))
        if i < len(lengths):
            texts.append(_text(HALF + 0.1, y + 0.5, label(lengths[i]), QUIET[mode], "left", 12))
    return texts


def _arrow(y: float, kind: str, before: str, mode: Mode) -> Figure:
    rooms = {"add": 0.24, "start": 0.2}
    return {
        "x": 0, "y": y - rooms.get(kind, 0.27), "ax": 0, "ay": y - STEP + rooms.get(before, 0.27),
        "axref": "x", "ayref": "y", "text": "", "showarrow": True, "arrowhead": 2,
        "arrowwidth": 1.5, "arrowcolor": INK[mode],
    }  # fmt: skip


def _text(x: float, y: float, text: str, colour: str, side: str, size: int) -> Figure:
    return {
        "x": x, "y": y, "text": text, "showarrow": False, "xanchor": side,
        "font": {"color": colour, "size": size},
    }  # fmt: skip
