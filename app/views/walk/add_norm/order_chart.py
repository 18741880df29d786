"""The order of one layer, drawn from below upwards: where it adds and where it normalises."""

from collections.abc import Sequence
from typing import NamedTuple

from app.charts.theme import INK, QUIET, Figure, Mode, axis, layout, role_colour
from app.format import label

STEP = 1.0
HALF = 1.5  # half the width of a box
HIGH = 0.27  # half its height
AROUND = 2.0  # where the way around a sub-layer runs


class Text(NamedTuple):
    """What stands at a place."""

    x: float
    y: float
    text: str
    colour: str
    position: str
    size: int


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
    figure["shapes"] = _shapes([kind for kind, _name in steps], post, mode)
    return {"data": [_signs(steps, mode), _texts(steps, lengths, mode)], "layout": figure}


def _shapes(kinds: Sequence[str], post: bool, mode: Mode) -> list[Figure]:
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
    green = role_colour("input", mode)
    drawn = (
        (boxes("part"), role_colour("output", mode), 2, "solid"),
        (boxes("norm"), green, 2, "solid"),
        (boxes("last"), green, 2, "dot"),
        (around, role_colour("residual", mode), 3, "solid"),
        (up, INK[mode], 1.5, "solid"),
    )
    return [
        {"type": "path", "path": path, "line": {"color": colour, "width": width, "dash": dash}}
        for path, colour, width, dash in drawn
        if path
    ]


def _room(kind: str) -> float:
    """Return how far from the middle of a step an arrow keeps away."""
    return {"add": 0.24, "start": 0.2}.get(kind, HIGH)


def _signs(steps: Sequence[tuple[str, str]], mode: Mode) -> Figure:
    """Return the circles around the plus signs, and the heads of the arrows."""
    circles = [y for y, (kind, _name) in enumerate(steps) if kind == "add"]
    heads = [y - _room(kind) - 0.06 for y, (kind, _name) in enumerate(steps) if y]
    return {
        "type": "scatter",
        "mode": "markers",
        "x": [0] * (len(circles) + len(heads)),
        "y": [*circles, *heads],
        "marker": {
            "symbol": ["circle-open"] * len(circles) + ["triangle-up"] * len(heads),
            "size": [25] * len(circles) + [8] * len(heads),
            "color": INK[mode],
            "opacity": 1,
            "line": {"width": [2] * len(circles) + [0] * len(heads), "color": INK[mode]},
        },
        "hoverinfo": "skip",
    }


def _texts(steps: Sequence[tuple[str, str]], lengths: Sequence[str], mode: Mode) -> Figure:
    texts: list[Text] = []
    for y, (kind, name) in enumerate(steps):
        if kind == "add":
            texts.append(Text(0, y, "+", INK[mode], "middle center", 18))
            texts.append(Text(0.3, y, label(name), QUIET[mode], "middle right", 11))
        else:
            texts.append(Text(0, y, label(name), INK[mode], "middle center", 13))
        if y < len(lengths):
            length = label(lengths[y])
            texts.append(Text(HALF + 0.06, y + 0.5, length, QUIET[mode], "middle right", 12))
    return {
        "type": "scatter",
        "mode": "text",
        "x": [text.x for text in texts],
        "y": [text.y for text in texts],
        "text": [text.text for text in texts],
        "textposition": [text.position for text in texts],
        "textfont": {
            "color": [text.colour for text in texts],
            "size": [text.size for text in texts],
        },
        "cliponaxis": False,
        "hoverinfo": "skip",
    }
