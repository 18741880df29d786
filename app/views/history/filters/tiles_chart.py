"""Small pictures side by side: filters and feature maps. (N pictures of H × W)"""

import math
from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.charts.parts import cells, colour_bar, gaps, note
from app.charts.theme import Figure, Scale, axis, layout
from app.format import label, number
from app.i18n import _
from app.ui.table import Columns

TILE = 66  # pixels, so that four tiles fit side by side on a phone
BAR = 160  # the length of the colour bar, in pixels
UNDER = 40  # the room for the colour bar
NAME = 0.45  # the room above a picture for its name, as a part of its height: enough on a phone


def tiles(
    pictures: NDArray[np.floating[Any]],
    names: Sequence[str],
    *,
    across: int,
    scale: Scale,
    tile: int = TILE,
) -> Figure:
    """Draw pictures (N, H, W), `across` of them per line, on one scale; `tile` is in pixels."""
    N, H, W = pictures.shape
    lines = -(-N // across)
    gap, head = max(1, W // 8), math.ceil(NAME * H)
    z = np.full((lines * (H + head), across * (W + gap) - gap), np.nan)
    words = np.full(z.shape, "", object)
    figure = layout("", height=int(lines * tile * (H + head) / H) + UNDER)
    figure["annotations"] = []
    for i, (picture, name) in enumerate(zip(pictures, names, strict=True)):
        top, left = i // across * (H + head) + head, i % across * (W + gap)
        z[top : top + H, left : left + W] = picture
        words[top : top + H, left : left + W] = _words(picture, name)
        figure["annotations"].append(
            note(label(name), left + W / 2 - 0.5, top - 0.6, size=11, yanchor="bottom")
        )
    look: Figure = {"visible": False}
    across_ends, down_ends = [-0.5, z.shape[1] - 0.5], [len(z) - 0.5, -0.5]
    figure["xaxis"] = axis(range=across_ends, constraintoward="left", **look)
    figure["yaxis"] = axis(range=down_ends, constraintoward="top", scaleanchor="x", **look)
    return {"data": [_cells(z, words, scale)], "layout": figure}


def columns_of(pictures: NDArray[np.floating[Any]], names: Sequence[str]) -> Columns:
    """Return pictures (N, H, W) as columns, with one row per pixel."""
    places = [f"{r + 1}, {c + 1}" for r, c in np.ndindex(pictures.shape[1:])]
    values = zip(names, pictures, strict=True)
    return {_("row, column"): places} | {
        name: each.ravel().astype(float).tolist() for name, each in values
    }


def _cells(z: NDArray[Any], words: NDArray[Any], scale: Scale) -> Figure:
    return cells(
        gaps(np.round(z, 4)),
        scale,
        float(np.nanmax(np.abs(z))) or 1.0,
        customdata=words.tolist(),
        hovertemplate="%{customdata}<extra></extra>",
        # Right below the pictures: beside them, it would be at the far end of a wide screen.
        colorbar=colour_bar(
            orientation="h", x=0, xanchor="left", y=0, yanchor="top", lenmode="pixels", len=BAR
        ),
    )


def _words(picture: NDArray[Any], name: str) -> list[list[str]]:
    text = partial(_("{name}, row {row}, column {column}: {value}").format, name=name)
    return [
        [label(text(row=i, column=j, value=number(value, 4))) for j, value in enumerate(row, 1)]
        for i, row in enumerate(picture, 1)
    ]
