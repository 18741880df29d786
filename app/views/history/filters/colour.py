"""A picture in colour: its three channels, and the grey that they add up to. (H rows, W columns)"""

from typing import Final

import numpy as np
import streamlit as st

from app.charts.theme import Figure, axis, layout
from app.data.house import Greys, house
from app.format import number
from app.i18n import _
from app.ui.chart import show_chart
from app.views.history.filters import texts
from app.views.history.filters.choice import Choice
from app.views.history.filters.tiles_chart import columns_of, tiles

# How bright red, green and blue look to the eye: the rule of television (ITU-R BT.601), and PIL's.
BRIGHTNESS: Final = np.array([0.299, 0.587, 0.114])
# How much redder and bluer than its grey each part of the house is, by its grey.
TINTS: Final = {
    0.35: (-0.2, -0.2),  # the ground
    0.95: (0.04, -0.15),  # the wall
    0.15: (0.3, -0.05),  # the roof
    0.4: (-0.2, 0.3),  # the windows
    0.2: (0.15, -0.1),  # the door
}
SKY: Final = (-0.25, 0.2)


def coloured_house() -> Greys:
    """Return the house in colour, (3, H, W), from 0 to 1; its greys are those of the grey house."""
    greys = house()
    red, blue = np.moveaxis(np.array([[TINTS.get(x, SKY) for x in row] for row in greys]), -1, 0)
    r, g, b = BRIGHTNESS
    green = -(r * red + b * blue) / g  # so that the grey stays
    return np.stack([greys + red, greys + green, greys + blue])


def colour_text(_choice: Choice) -> str:
    """Say how much of each colour goes into the grey."""
    red, green, blue = (number(share, 3) for share in BRIGHTNESS)
    return _(texts.COLOUR).format(red=red, green=green, blue=blue)


def draw_colour(_choice: Choice) -> None:
    """Draw the picture, its channels, and the grey picture."""
    channels = coloured_house()
    left, right = st.columns([0.22, 0.78], gap="small", vertical_alignment="center")
    with left:
        show_chart(_picture(channels), "filters-colour", _(texts.COLOURED))
    grids = np.stack([*channels, np.tensordot(BRIGHTNESS, channels, 1)])
    names = [_(name) for name in (*texts.CHANNELS, texts.MIXED)]
    with right:
        figure = tiles(grids, names, across=4, scale="greys", tile=150)
        show_chart(
            figure, "filters-channels", _(texts.CHANNELS_ALT), lambda: columns_of(grids, names)
        )


def _picture(channels: Greys) -> Figure:
    figure = layout("", height=140)
    figure["margin"] = {"l": 0, "r": 0, "t": 0, "b": 0}
    figure["xaxis"] = axis(visible=False)
    figure["yaxis"] = axis(visible=False, scaleanchor="x", autorange="reversed")
    pixels = np.round(255 * np.moveaxis(channels, 0, -1)).astype(int).tolist()
    return {"data": [{"type": "image", "z": pixels}], "layout": figure}
