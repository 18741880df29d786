"""The chapter's own charts."""

from collections.abc import Mapping, Sequence

import numpy as np

from app.charts import theme
from app.charts.parts import cells, frame, gaps, note
from app.charts.theme import Figure, Floats, Role, Scale
from app.format import label

HEAD = 23  # pixels a head
WORD = (0.0, 13.0)  # where things stand, in hundredths of the width
X = (14.0, 28.0)
HEADS: tuple[tuple[str, tuple[float, float], Role, Scale], ...] = (
    ("q", (34, 41), "query", "signed"),
    ("k", (42, 49), "key", "signed"),
    ("v", (50, 57), "value", "signed"),
    ("weights", (61, 67), "residual", "weights"),
    ("context", (71, 79), "output", "signed"),
)
LEFT, RIGHT = HEADS[0][1][0], HEADS[-1][1][1]  # of a head's line
CONCAT, OUT = (83.0, 89.0), (94.0, 100.0)
TALL = (20.0, 80.0)  # of the arrays of all heads


def recap_figure(
    x: Floats,
    stages: Mapping[str, Floats],
    words: Sequence[str],
    names: Sequence[str],
    *,
    chosen: int,
) -> Figure:
    """Draw the five steps from left to right, one line a head; `names` say what each step makes.

    x, concat and out are (T, D); q, k, v and context (H, T, d_k); weights (H, T, T).
    """
    heads = len(stages["q"])
    figure = theme.layout("", height=max(HEAD * heads, 180) + 44)
    hidden = {"visible": False}
    figure |= {"xaxis": hidden | {"range": [0, 100.6]}, "yaxis": hidden | {"range": [0, 112]}}
    tiles = [_tile(x, X, TALL, "signed")]
    shapes = [frame(*X, *TALL, colour=theme.role_colour("residual"))]
    for h in range(heads):
        band = _band(h, heads)
        middle, centre = sum(band) / 2, sum(TALL) / 2
        shapes += [_line(X[1], centre, LEFT, middle), _line(RIGHT, middle, CONCAT[0], centre)]
        for name, place, role, scale in HEADS:
            tiles.append(_tile(stages[name][h], place, band, scale, stages[name]))
            shapes.append(frame(*place, *band, colour=theme.role_colour(role)))
    for name, place in (("concat", CONCAT), ("out", OUT)):
        tiles.append(_tile(stages[name], place, TALL, "signed"))
        shapes.append(frame(*place, *TALL, colour=theme.role_colour("output")))
    if heads > 1:
        low, high = _band(chosen, heads)
        around = (LEFT - 1.5, RIGHT + 1.5, low - 1.5, high + 1.5)
        shapes.append(frame(*around, width=1.5, dash="dot"))
    figure["shapes"] = shapes
    figure["annotations"] = [*_words(words), *_captions(names)]
    return {"data": tiles, "layout": figure}


def _band(head: int, heads: int) -> tuple[float, float]:
    """Return where a head's line begins and ends, from below."""
    step = 100 / heads
    return 100 - (head + 0.9) * step, 100 - (head + 0.1) * step


def _tile(
    values: Floats,
    across: tuple[float, float],
    up: tuple[float, float],
    scale: Scale,
    alike: Floats | None = None,
) -> Figure:
    """Draw an array into a rectangle, its first row on top, on the scale of those `alike`."""
    rows, cols = values.shape
    reach = 1.0 if scale == "weights" else float(np.abs(values if alike is None else alike).max())
    dx, dy = (across[1] - across[0]) / cols, (up[1] - up[0]) / rows
    return cells(
        values.astype("f4"),
        scale,
        reach or 1.0,
        x0=across[0] + dx / 2,
        dx=dx,
        y0=up[1] - dy / 2,
        dy=-dy,
        hovertemplate="%{z}<extra></extra>",
    )


def _line(x0: float, y0: float, x1: float, y1: float) -> Figure:
    ends = {"x0": x0, "y0": y0, "x1": x1, "y1": y1}
    return {"type": "line", **ends, "layer": "below", "line": {"color": theme.GRID, "width": 1.5}}


def _words(words: Sequence[str]) -> list[Figure]:
    step = (TALL[1] - TALL[0]) / len(words)
    size = 12 if len(words) <= 10 else 9 if len(words) <= 18 else 7
    return [
        note(label(word), WORD[1], TALL[1] - (i + 0.5) * step, size=size, xanchor="right")
        for i, word in enumerate(words)
    ]


def _captions(names: Sequence[str]) -> list[Figure]:
    """Number the steps: the sentence, X, the heads' vectors, their attention, the output."""
    places = (WORD[1] / 2, sum(X) / 2, 45.5, 70.0, 91.5)
    steps = [
        note(f"<b>{n}</b> {label(name)}", x, 107)
        for n, (name, x) in enumerate(zip(names, places, strict=True), start=1)
    ]
    middle = (CONCAT[1] + OUT[0]) / 2
    return [*steps, note("×W<sub>O</sub>", middle, 50, colour=theme.QUIET, size=11, textangle=-90)]


WIDE = 72  # pixels a head


def head_wall(
    heads: Floats, *, layer_names: Sequence[str], head_names: Sequence[str], hover: str
) -> Figure:
    """Draw weights (L, H, T, S), a line of heads for each layer; `hover` says what a cell is."""
    L, H, T, S = heads.shape
    # One tile a head, with an empty line and column after it.
    tiles = np.full((L, H, T + 1, S + 1), np.nan)
    tiles[:, :, :T, :S] = heads
    z = tiles.transpose(0, 2, 1, 3).reshape(L * (T + 1), H * (S + 1))  # (L, T, H, S)
    figure = theme.layout("", height=int(WIDE * L * np.clip(T / S, 0.6, 2)) + 70)
    figure["margin"]["t"] = 40
    across, down = [-0.5, len(z[0]) - 1.5], [len(z) - 1.5, -0.5]
    columns = [h * (S + 1) + (S - 1) / 2 for h in range(H)]  # the middle of each head
    rows = [i * (T + 1) + (T - 1) / 2 for i in range(L)]
    figure["xaxis"] = theme.names_axis(head_names, tickvals=columns, range=across)
    figure["yaxis"] = theme.names_axis(layer_names, tickvals=rows, range=down)
    hover = f"{label(hover)}: %{{z}}<extra></extra>"
    trace = cells(gaps(np.round(z, 4)), "weights", hovertemplate=hover)
    return {"data": [trace], "layout": figure}
