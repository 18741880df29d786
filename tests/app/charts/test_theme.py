"""Colours: readable on their background, ordered in lightness, and tokens made harmless."""

import itertools
from typing import Any, get_args

import pytest

from app.charts import theme
from app.format import label, visible

BACKGROUND: dict[theme.Mode, str] = {"light": "#FFFFFF", "dark": "#14161C"}
MODES: tuple[theme.Mode, ...] = ("light", "dark")


def luminance(colour: str) -> float:
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def scale_of(scale: theme.Scale, mode: theme.Mode) -> list[list[Any]]:
    colours: list[list[Any]] = theme.coloured(theme.scale_colours(scale), mode)
    return colours


@pytest.mark.parametrize("mode", MODES)
def test_colours_are_readable_and_scales_move_away_from_the_ground(mode: theme.Mode) -> None:
    """Lightness in one direction alone is what keeps the order without any colour vision."""
    roles = [theme.role_colour(role) for role in get_args(theme.Role)]
    for colour in theme.coloured([*roles, theme.INK, theme.QUIET], mode):
        assert contrast(colour, BACKGROUND[mode]) >= 4.5, colour
    steps: dict[str, list[float]] = {}
    for scale in get_args(theme.Scale):
        places = [float(place) for place, _ in scale_of(scale, mode)]
        assert (places[0], places[-1]) == (0, 1)
        assert all(low < high for low, high in itertools.pairwise(places))
        steps[scale] = [contrast(str(one), BACKGROUND[mode]) for _, one in scale_of(scale, mode)]
    weights, signed, middle = steps["weights"], steps["signed"], len(steps["signed"]) // 2
    assert weights == sorted(weights)
    assert weights[-1] / weights[0] > 8
    assert scale_of("signed", mode)[middle][0] == 0.5
    assert signed[middle:] == sorted(signed[middle:])
    assert signed[: middle + 1] == sorted(signed[: middle + 1], reverse=True)


def test_what_cannot_be_seen_gets_a_sign() -> None:
    shown = {
        "chat": "chat", "": "∅", " ": "␣", "\n": "↵", "a\tb": "a⇥b", "\u200b": "U+200B",
        "a\u202eb": "aU+202Eb", "😀": "😀", "سلام": "سلام",
    }  # fmt: skip
    assert {text: visible(text) for text in shown} == shown


@pytest.mark.parametrize("mode", MODES)
def test_names_of_colours_become_the_colours_of_the_mode(mode: theme.Mode) -> None:
    numbers, colours = [[1.0, None]], theme.COLOURS[mode]
    figure = {
        "marker": {"color": [theme.INK, theme.role_colour("key")]},
        "text": [f"<b style='color:{theme.QUIET}'>a</b>"],
        "fillcolor": theme.role_shade("key"),
        "z": numbers,
    }
    drawn = theme.coloured(figure, mode)
    assert drawn["marker"]["color"] == [colours["ink"], colours["key"]]
    assert drawn["text"] == [f"<b style='color:{colours['quiet']}'>a</b>"]
    rgb = [str(int(colours["key"][i : i + 2], 16)) for i in (1, 3, 5)]
    assert drawn["fillcolor"] == f"rgba({','.join(rgb)},0.14)"
    assert drawn["z"] is numbers
    saved = theme.coloured(theme.layout("", 100), mode)
    assert saved["paper_bgcolor"] == BACKGROUND[mode], "not transparent"
    assert figure["fillcolor"] == theme.role_shade("key")


def test_nobody_can_type_the_name_of_a_colour() -> None:
    for text in ("ink", "key", "weights", theme.INK, theme.scale_colours("signed")):
        assert theme.coloured([label(text)], "dark") == [label(text)]
