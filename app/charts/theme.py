"""Colours: one per role, a scale for weights, and one for signed numbers; in light and dark mode.

A chart only names its colours; `coloured` replaces the names with the colours of the page's mode.
"""

import base64
import re
from collections.abc import Mapping, Sequence
from functools import cache
from textwrap import wrap
from typing import Any, Final, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from app.format import label
from app.i18n import decimal_mark

Mode = Literal["light", "dark"]
Role = Literal["input", "query", "key", "value", "output", "residual"]
Scale = Literal["weights", "signed", "greys"]
Figure = dict[str, Any]
Floats = NDArray[np.floating]

# In light and in dark mode.
PAIRS: Final = {
    "input": ("#1B7A3D", "#5FCB82"),
    "query": ("#7A3DB8", "#BE96F5"),
    "key": ("#B85300", "#FFA24F"),
    "value": ("#1C69B8", "#72B7FF"),
    "output": ("#BD2877", "#FF8AC2"),
    "residual": ("#626A78", "#A3AAB8"),
    "ink": ("#1F2430", "#ECEDF2"),
    "quiet": ("#5A6170", "#A9AFBD"),
    "grid": ("#E3E5EC", "#303644"),
    "ground": ("#FFFFFF", "#14161C"),
}
COLOURS: Final[Mapping[Mode, Mapping[str, str]]] = {
    "light": {name: light for name, (light, _dark) in PAIRS.items()},
    "dark": {name: dark for name, (_light, dark) in PAIRS.items()},
}

# Weights: lightness changes in one direction only, so that the order is visible with every kind of
# colour vision and in grey; a weight of 0 is close to the page's background, and a weight of 1
# stands out most from it. Signed: from red through neutral to blue, two ends that people with
# red-green blindness can tell apart. A picture's own greys are the same in both modes.
STOPS: Final[Mapping[Mode, Mapping[Scale, str]]] = {
    "light": {
        "weights": "#F5F9F4 #D2EDD5 #A3DBBE #66C1C7 #319CC4 #1270AE #0A4A86 #07295C",
        "signed": "#9E1B32 #D9644F #F6B79B #F6F6F6 #A5CEE6 #4A93C6 #17528F",
        "greys": "#000000 #FFFFFF",
    },
    "dark": {
        "weights": "#1D222D #173A58 #105B82 #15809B #36A4A0 #74C69A #B7E3A0 #F4FBC9",
        "signed": "#FF9C8C #D95F56 #7F3338 #20242E #23517F #3F8FD0 #9AD4FF",
        "greys": "#000000 #FFFFFF",
    },
}

# The name of a colour or scale stands between NUL characters, which no visitor's text contains, as
# `label` writes them as U+0000.
INK, QUIET, GRID, GROUND = "\0ink\0", "\0quiet\0", "\0grid\0", "\0ground\0"
NAMED: Final = re.compile("\0\\w+\0")

# Captions above a saved picture: the height of a line, and its length in letters.
LINE: Final = 18
LONGEST: Final = 95


def both_modes(role: Role) -> str:
    """Return a role's colour for CSS, which follows the mode of the page around it."""
    return f"light-dark({', '.join(PAIRS[role])})"


def role_colour(role: Role) -> str:
    """Return the name of a role's colour."""
    return f"\0{role}\0"


def role_shade(role: Role) -> str:
    """Return the name of a role's translucent colour, for areas."""
    return f"\0{role}_shade\0"


def scale_colours(scale: Scale) -> str:
    """Return the name of a scale; the signed scale has 0 in its middle."""
    return f"\0{scale}\0"


def coloured(drawn: Any, mode: Mode | None) -> Any:
    """Return a figure, a part of one or a text with the mode's colours in place of their names.

    Arrays are packed, which takes a third of their length as text. Without a mode, the names stay.
    """
    if isinstance(drawn, np.ndarray):
        packed = {"dtype": "f4", "bdata": base64.b64encode(np.float32(drawn).tobytes()).decode()}
        return packed | {"shape": ", ".join(map(str, drawn.shape))}
    if isinstance(drawn, dict):
        return {key: coloured(value, mode) for key, value in drawn.items()}
    # All other lists hold numbers, often many, and need no colouring.
    if isinstance(drawn, list) and drawn and isinstance(drawn[0], dict | str):
        return [coloured(each, mode) for each in drawn]
    if mode is None or not isinstance(drawn, str) or "\0" not in drawn:
        return drawn
    colours = shown_colours(mode)
    return colours.get(drawn) or NAMED.sub(lambda name: colours.get(name[0], name[0]), drawn)


def palette() -> dict[Mode, dict[str, Any]]:
    """Return every colour of both modes in the form that the browser's components need."""
    return {
        mode: {
            "roles": {role: COLOURS[mode][role] for role in get_args(Role)},
            "page": {name: COLOURS[mode][name] for name in ("ink", "quiet", "grid", "ground")},
            **{scale: stops.split() for scale, stops in STOPS[mode].items()},
        }
        for mode in COLOURS
    }


def layout(title: str, height: int) -> Figure:
    """Return the layout that all figures share: the page's background, no overflow, one font.

    The background is opaque, because a transparent saved picture would be unreadable on a page of
    the other mode.
    """
    shared: Figure = {
        "height": height,
        "margin": {"l": 8, "r": 8, "t": 40 if title else 8, "b": 8},
        "paper_bgcolor": GROUND,
        "font": {"color": INK, "size": 12},
        "showlegend": False,
        "separators": f"{decimal_mark()} ",  # groups the digits of whole numbers, as texts do
    }
    if title:
        shared["title"] = {"text": label(title), "font": {"size": 14}}
    return shared


def captioned(figure: Figure, lines: Sequence[str]) -> Figure:
    """Return a figure to save, with lines of text above it."""
    shared, title = figure["layout"], figure["layout"].get("title", {})
    rows = [row for line in lines for row in wrap(line, LONGEST)]
    room = LINE * len(rows) + 16
    small = "<br>".join(f"<span style='font-size:12px'>{label(row)}</span>" for row in rows)
    texts = filter(None, [small, title.get("text")])
    own: Figure = {
        "title": {"text": "<br>".join(texts), "font": {"size": 14}},
        "height": shared["height"] + room,
        "width": None,
        "margin": shared["margin"] | {"t": shared["margin"]["t"] + room},
    }
    return figure | {"layout": shared | own}


def axis(title: str = "", standoff: int | None = None, **settings: Any) -> Figure:
    """Return an axis without zero line or grid, which takes the room that its labels need.

    `standoff` is the distance between its title and its numbers, in pixels.
    """
    bare: Figure = {
        "showgrid": False,
        "zeroline": False,
        "automargin": True,
        "exponentformat": "power",
        "tickfont": {"color": INK},
    }
    if title:
        bare["title"] = {"text": label(title)}
    if standoff is not None:
        bare["title"]["standoff"] = standoff
    return bare | settings


def value_axis(title: str, **settings: Any) -> Figure:
    """Return an axis of numbers, with its title and a grid."""
    grid: Figure = {"showgrid": True, "gridcolor": GRID}
    return axis(title, **(grid | settings))


def names_axis(
    names: Sequence[str], *, down: bool = False, marked: int | None = None, **settings: Any
) -> Figure:
    """Return an axis with one name per place, the marked one bold; `down` puts the first on top."""
    count = len(names)
    texts = [label(name) for name in names]
    if marked is not None:
        texts[marked] = f"<b>{texts[marked]}</b>"
    ends = [count - 0.5, -0.5] if down else [-0.5, count - 0.5]
    places: Figure = {"tickvals": list(range(count)), "ticktext": texts, "range": ends}
    return axis(**(places | settings))


def legend_above(figure: Figure) -> None:
    """Give a figure a legend in one line, between its title and the picture."""
    figure["showlegend"] = True
    figure["legend"] = {"orientation": "h", "x": 0, "y": 1, "yanchor": "bottom", "xanchor": "left"}
    figure["margin"]["t"] = 68 if "title" in figure else 30


@cache
def shown_colours(mode: Mode) -> dict[str, Any]:
    """Return what each name stands for: a colour, a translucent one, or a scale with its stops."""
    scales = {scale_colours(scale): _scale(stops.split()) for scale, stops in STOPS[mode].items()}
    roles: tuple[Role, ...] = get_args(Role)
    parts = {role: bytes.fromhex(COLOURS[mode][role][1:]) for role in roles}
    shades = {role_shade(r): f"rgba({','.join(map(str, parts[r]))},0.14)" for r in roles}
    return {f"\0{name}\0": colour for name, colour in COLOURS[mode].items()} | shades | scales


def _scale(stops: Sequence[str]) -> list[list[float | str]]:
    return [[i / (len(stops) - 1), stop] for i, stop in enumerate(stops)]
