"""The order of one layer, drawn from below upwards: where it adds and where it normalises."""

from collections.abc import Sequence

from app.charts.parts import marks, texts
from app.charts.theme import INK, QUIET, Figure, axis, layout, role_colour
from app.format import label

STEP = 1.0
HALF = 1.5  # half the width of a box
HIGH = 0.35  # half its height
AROUND = 2.0  # where the way around a sub-layer runs


def norm_order(
    parts: Sequence[str],
    *,
    post: bool,
    names: tuple[str, str, str, str],
    lengths: Sequence[str] = (),
    height: int,
) -> Figure:
    """Draw the sub-layers with post- or pre-norm; `names`: start, add, norm, and the last norm.

    `lengths` are written beside what each step gives: the start, then three a sub-layer.
    """
    start, add, norm, last = names
    steps = [("start", start)]
    for part in parts:
        added, normed = [("part", part), ("add", add)], [("norm", norm)]
        steps += added + normed if post else normed + added
    if not post:
        steps.append(("last", last))
    top = (len(steps) - 1) * STEP + 0.6
    figure = layout("", height=height)
    figure["xaxis"] = axis(visible=False, range=[-2.2, 2.6])
    figure["margin"] |= {"t": 8, "b": 4}
    figure["yaxis"] = axis(visible=False, range=[-0.6, top])
    figure["shapes"] = _shapes([kind for kind, _name in steps], post)
    return {"data": [_signs(steps), _texts(steps, lengths)], "layout": figure}


def _shapes(kinds: Sequence[str], post: bool) -> list[Figure]:
    """Return all lines of a colour as one shape: Plotly is slow with many."""

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
    green = role_colour("input")
    drawn = (
        (boxes("part"), role_colour("output"), 2, "solid"),
        (boxes("norm"), green, 2, "solid"),
        (boxes("last"), green, 2, "dot"),
        (around, role_colour("residual"), 3, "solid"),
        (up, INK, 1.5, "solid"),
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
    signs = marks([0] * (n + m), circles + heads, INK, symbols, sizes, **look)
    signs["marker"]["opacity"] = 1
    return signs


def _texts(steps: Sequence[tuple[str, str]], lengths: Sequence[str]) -> Figure:
    drawn: list[tuple[float, float, str, str, str, int]] = []
    for y, (kind, name) in enumerate(steps):
        if kind == "add":
            drawn.append((0, y, "+", "middle center", INK, 15))
            drawn.append((0.3, y, label(name), "middle right", QUIET, 11))
        else:
            drawn.append((0, y, label(name), "middle center", INK, 12))
        if y < len(lengths):
            drawn.append((HALF + 0.06, y + 0.5, label(lengths[y]), "middle right", QUIET, 12))
    return texts(*map(list, zip(*drawn, strict=True)))
