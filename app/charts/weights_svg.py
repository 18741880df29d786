"""Attention as SVG: the cells of one head, T queries and S keys."""

from itertools import groupby
from typing import Final

import numpy as np
from numpy.typing import NDArray

from app.charts.theme import STOPS, Mode

LEVELS: Final = 32  # colours from 0 to 1


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
