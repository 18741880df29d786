"""Attention as SVG, for printing: one head with its numbers, and all heads of all layers.

L layers, H heads, T queries, S keys.
"""

import html
from collections.abc import Sequence
from itertools import groupby
from typing import Final

import numpy as np
from numpy.typing import NDArray

from app.charts.theme import COLOURS, STOPS, Mode
from app.format import in_cell, visible

INK, QUIET = COLOURS["light"]["ink"], COLOURS["light"]["quiet"]
LEVELS: Final = 32  # colours from 0 to 1
WIDE, HIGH, LETTER = 30, 20, 7  # pixels: width and height of a cell, width of a label's letter
THUMB, GAP, SIDE, TOP = 84, 8, 64, 20  # pixels: a head, between heads, and for their names
MOST_NUMBERED: Final = 30  # more columns than this are too narrow on paper for their numbers
DARK: Final = 0.65  # white letters stand out from weights above this
MASKED: Final = "×"


def map_svg(
    weights: NDArray[np.floating],
    queries: Sequence[str],
    keys: Sequence[str],
    mask: NDArray[np.bool_] | None,
    name: str,
) -> str:
    """Draw one head (T, S) with its numbers; `mask` (T, S) is True where attention is allowed."""
    T, S = weights.shape
    left = LETTER * max(len(visible(text)) for text in queries) + 12
    top = LETTER * max(len(visible(text)) for text in keys) + 12
    parts = [cells_svg(weights, left, top, WIDE, HIGH)]
    for j, text in enumerate(keys):
        x = left + (j + 0.5) * WIDE + 4
        parts.append(_text(text, x, top - 6, "start", turned=True))
    for i, text in enumerate(queries):
        y = top + (i + 0.5) * HIGH + 4
        parts.append(_text(text, left - 6, y, "end"))
        if S > MOST_NUMBERED:
            continue
        for j, weight in enumerate(weights[i].tolist()):
            shut = mask is not None and not mask[i, j]
            colour = QUIET if shut else "#FFFFFF" if weight > DARK else INK
            said = MASKED if shut else in_cell(weight)
            parts.append(_text(said, left + (j + 0.5) * WIDE, y, "middle", colour, size=11))
    return _svg(parts, left + S * WIDE + 2, top + T * HIGH + 2, name)


def wall_svg(
    heads: NDArray[np.floating], layer_names: Sequence[str], head_names: Sequence[str], name: str
) -> str:
    """Draw all heads (L, H, T, S) as small pictures, one row per layer."""
    L, H, T, S = heads.shape
    high = THUMB * min(max(T / S, 0.5), 1.5)
    parts = []
    for h, text in enumerate(head_names):
        parts.append(_text(text, SIDE + h * (THUMB + GAP) + THUMB / 2, TOP - 6, "middle"))
    for layer, text in enumerate(layer_names):
        y = TOP + layer * (high + GAP) + high / 2
        parts.append(_text(text, SIDE - 6, y, "end"))
        for h in range(H):
            x, y0 = SIDE + h * (THUMB + GAP), TOP + layer * (high + GAP)
            parts.append(cells_svg(heads[layer, h], x, y0, THUMB / S, high / T))
            frame = f'width="{THUMB}" height="{high:g}" fill="none" stroke="{QUIET}"'
            parts.append(f'<rect x="{x:g}" y="{y0:g}" {frame} stroke-width="0.5"/>')
    return _svg(parts, SIDE + H * (THUMB + GAP), TOP + L * (high + GAP), name)


def cells_svg(
    weights: NDArray[np.floating],
    left: float = 0,
    top: float = 0,
    wide: float = 1,
    high: float = 1,
    mode: Mode = "light",
) -> str:
    """Draw the cells of one head (T, S): adjacent cells of one colour are joined into one box.

    All boxes of a colour are one path.
    """
    colours = _colours(mode)
    T, S = weights.shape
    levels = np.rint(np.clip(weights, 0, 1) * (LEVELS - 1)).astype(int)
    paths: dict[int, list[str]] = {}
    for i, row in enumerate(levels.tolist()):
        for level, run in groupby(range(S), key=row.__getitem__):
            first, *others = run
            if level:
                box = f"M{first} {i}h{1 + len(others)}v1h-{1 + len(others)}z"
                paths.setdefault(level, []).append(box)
    drawn = (f'<path fill="{colours[k]}" d="{"".join(d)}"/>' for k, d in paths.items())
    return (
        f'<g transform="translate({left:g} {top:g}) scale({wide:.4g} {high:.4g})">'
        f'<rect width="{S}" height="{T}" fill="{colours[0]}"/>{"".join(drawn)}</g>'
    )


def _colours(mode: Mode) -> list[str]:
    """Return the colours of the weights' scale."""
    stops = [[*bytes.fromhex(stop[1:])] for stop in STOPS[mode]["weights"].split()]
    at, places = np.linspace(0, len(stops) - 1, LEVELS), range(len(stops))
    parts = [np.interp(at, places, part).round().astype(np.uint8) for part in np.transpose(stops)]
    return [f"#{bytes(rgb).hex()}" for rgb in np.transpose(parts)]


def _text(
    text: str,
    x: float,
    y: float,
    anchor: str,
    colour: str = INK,
    *,
    size: int = 12,
    turned: bool = False,
) -> str:
    turn = f' transform="rotate(-90 {x:g} {y:g})"' if turned else ""
    look = f'text-anchor="{anchor}" fill="{colour}" font-size="{size}"'
    return f'<text x="{x:g}" y="{y:g}" {look}{turn}>{html.escape(visible(text))}</text>'


def _svg(parts: Sequence[str], width: float, height: float, name: str) -> str:
    """Return a picture that shrinks to fit the paper's width."""
    return (
        f'<svg role="img" aria-label="{html.escape(name)}" viewBox="0 0 {width:g} {height:g}" '
        f'width="{width:g}">{"".join(parts)}</svg>'
    )
