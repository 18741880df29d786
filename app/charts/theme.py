"""Colours: one a role, one scale for weights, one for signed numbers; light and dark."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from app.format import label

Mode = Literal["light", "dark"]
Role = Literal["input", "query", "key", "value", "output", "residual"]
Figure = dict[str, Any]

ROLES: Mapping[Mode, Mapping[Role, str]] = {
    "light": {
        "input": "#1B7A3D",
        "query": "#7A3DB8",
        "key": "#B85300",
        "value": "#1C69B8",
        "output": "#BD2877",
        "residual": "#626A78",
    },
    "dark": {
        "input": "#5FCB82",
        "query": "#BE96F5",
        "key": "#FFA24F",
        "value": "#72B7FF",
        "output": "#FF8AC2",
        "residual": "#A3AAB8",
    },
}

# Lightness runs one way only, so that the order is kept for every kind of colour vision and in
# grey; nothing is close to the page's background, all of the attention stands out most from it.
WEIGHT_STOPS: Mapping[Mode, tuple[str, ...]] = {
    "light": (
        "#F5F9F4",
        "#D2EDD5",
        "#A3DBBE",
        "#66C1C7",
        "#319CC4",
        "#1270AE",
        "#0A4A86",
        "#07295C",
    ),
    "dark": (
        "#1D222D",
        "#173A58",
        "#105B82",
        "#15809B",
        "#36A4A0",
        "#74C69A",
        "#B7E3A0",
        "#F4FBC9",
    ),
}

# Red to blue by way of the neutral: red-green blindness leaves the two ends apart.
SIGNED_STOPS: Mapping[Mode, tuple[str, ...]] = {
    "light": ("#9E1B32", "#D9644F", "#F6B79B", "#F6F6F6", "#A5CEE6", "#4A93C6", "#17528F"),
    "dark": ("#FF9C8C", "#D95F56", "#7F3338", "#20242E", "#23517F", "#3F8FD0", "#9AD4FF"),
}

# A picture's own greys, the same in both modes.
GREY_STOPS: tuple[str, ...] = ("#000000", "#FFFFFF")

INK: Mapping[Mode, str] = {"light": "#1F2430", "dark": "#ECEDF2"}
QUIET: Mapping[Mode, str] = {"light": "#5A6170", "dark": "#A9AFBD"}
GRID: Mapping[Mode, str] = {"light": "#E3E5EC", "dark": "#303644"}


def as_mode(value: str | None) -> Mode:
    """Read Streamlit's theme type: anything but "dark" is light."""
    return "dark" if value == "dark" else "light"


def role_colour(role: Role, mode: Mode = "light") -> str:
    """Return the colour of a role as "#rrggbb"."""
    return ROLES[mode][role]


def weight_scale(mode: Mode = "light") -> list[list[float | str]]:
    """Return the sequential colour scale of weights, to be used with 0 and 1 at its ends."""
    return _scale(WEIGHT_STOPS[mode])


def signed_scale(mode: Mode = "light") -> list[list[float | str]]:
    """Return the diverging colour scale of signed numbers, to be used with 0 in its middle."""
    return _scale(SIGNED_STOPS[mode])


def grey_scale(_mode: Mode = "light") -> list[list[float | str]]:
    """Return the scale of a picture's greys: black to white in both modes."""
    return _scale(GREY_STOPS)


def palette() -> dict[Mode, dict[str, Any]]:
    """Return every colour of both modes, as the components in the browser need them."""
    return {mode: _palette(mode) for mode in ROLES}


def layout(title: str, mode: Mode, height: int) -> Figure:
    """Return the layout that all figures share: transparent, no overflow, one font."""
    shared: Figure = {
        "height": height,
        "autosize": True,
        "margin": {"l": 8, "r": 8, "t": 40 if title else 8, "b": 8, "pad": 2},
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "font": {"color": INK[mode], "size": 12, "family": "Source Sans, sans-serif"},
        "modebar": {"bgcolor": "rgba(0,0,0,0)", "color": QUIET[mode], "activecolor": INK[mode]},
        "hoverlabel": {"font": {"size": 13}, "align": "left"},
        "showlegend": False,
    }
    if title:
        shared["title"] = {"text": label(title), "font": {"size": 14}, "x": 0, "pad": {"l": 8}}
    return shared


def axis(mode: Mode, **settings: Any) -> Figure:
    """Return an axis without zero line or grid, which takes the room its labels need."""
    bare: Figure = {
        "showgrid": False,
        "zeroline": False,
        "automargin": True,
        # The margin makes room for every label: to look for those that stick out would only lay
        # out the page once more for each of them.
        "ticklabeloverflow": "allow",
        "fixedrange": True,
        "ticks": "",
        "tickfont": {"color": INK[mode]},
    }
    return {**bare, **settings}


def value_axis(title: str, mode: Mode, **settings: Any) -> Figure:
    """Return an axis of numbers, with its title and a grid."""
    named = {"title": {"text": label(title)}} if title else {}
    return axis(mode, **({"showgrid": True, "gridcolor": GRID[mode]} | named | settings))


def names_axis(
    names: Sequence[str], mode: Mode, *, down: bool = False, marked: int | None = None,
    **settings: Any,
) -> Figure:  # fmt: skip
    """Return an axis with one name a place; `down`: the first on top; the marked one is bold."""
    count = len(names)
    texts = [label(name) for name in names]
    if marked is not None:
        texts[marked] = f"<b>{texts[marked]}</b>"
    ends = [count - 0.5, -0.5] if down else [-0.5, count - 0.5]
    given = {"tickvals": list(range(count)), "ticktext": texts, "range": ends}
    return axis(mode, **(given | settings))


def legend_above(figure: Figure) -> None:
    """Give a figure a legend in one line, between its title or Plotly's buttons and the picture."""
    figure["showlegend"] = True
    figure["legend"] = {"orientation": "h", "x": 0, "y": 1, "yanchor": "bottom", "xanchor": "left"}
    figure["margin"]["t"] = 68 if "title" in figure else 58


def share(value: float) -> str:
    """Return a probability as text; one that is not zero never reads as zero."""
    if value == 0 or value >= 0.0005:
        return f"{value:.3f}" if value else "0"
    mantissa, exponent = f"{value:.1e}".split("e")
    return f"{mantissa}·10<sup>{int(exponent)}</sup>"


def _scale(stops: tuple[str, ...]) -> list[list[float | str]]:
    return [[i / (len(stops) - 1), stop] for i, stop in enumerate(stops)]


def _palette(mode: Mode) -> dict[str, Any]:
    return {
        "roles": dict(ROLES[mode]),
        "weights": list(WEIGHT_STOPS[mode]),
        "signed": list(SIGNED_STOPS[mode]),
        "greys": list(GREY_STOPS),
    }
