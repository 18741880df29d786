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
def test_every_role_and_ink_is_readable_as_text(mode: theme.Mode) -> None:
    roles = [theme.role_colour(role) for role in get_args(theme.Role)]
    for colour in theme.coloured([*roles, theme.INK, theme.QUIET], mode):
        assert contrast(colour, BACKGROUND[mode]) >= 4.5, colour


def test_both_modes_know_the_same_colours() -> None:
    assert theme.COLOURS["light"].keys() == theme.COLOURS["dark"].keys()
    assert theme.STOPS["light"].keys() == theme.STOPS["dark"].keys()


@pytest.mark.parametrize("mode", MODES)
def test_weights_move_away_from_the_background_all_the_way(mode: theme.Mode) -> None:
    # Lightness in one direction alone is what keeps the order without any colour vision.
    steps = [contrast(str(colour), BACKGROUND[mode]) for _, colour in scale_of("weights", mode)]
    assert steps == sorted(steps)
    assert steps[-1] / steps[0] > 8


@pytest.mark.parametrize("mode", MODES)
def test_signed_numbers_move_away_from_the_middle(mode: theme.Mode) -> None:
    scale = scale_of("signed", mode)
    steps = [contrast(str(colour), BACKGROUND[mode]) for _, colour in scale]
    middle = len(steps) // 2
    assert scale[middle][0] == 0.5
    assert steps[middle:] == sorted(steps[middle:])
    assert steps[: middle + 1] == sorted(steps[: middle + 1], reverse=True)


@pytest.mark.parametrize("mode", MODES)
def test_scales_run_from_zero_to_one(mode: theme.Mode) -> None:
    for scale in get_args(theme.Scale):
        places = [float(place) for place, _ in scale_of(scale, mode)]
        assert (places[0], places[-1]) == (0, 1)
        assert all(low < high for low, high in itertools.pairwise(places))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("chat", "chat"),
        ("", "∅"),
        (" ", "␣"),
        ("\n", "↵"),
        ("a\tb", "a⇥b"),
        ("\u200b", "U+200B"),
        ("a\u202eb", "aU+202Eb"),
        ("😀", "😀"),
        ("سلام", "سلام"),
    ],
)
def test_what_cannot_be_seen_gets_a_sign(text: str, shown: str) -> None:
    assert visible(text) == shown


def test_labels_are_neither_html_nor_tex() -> None:
    assert label("<script>$x$</script>") == "&lt;script&gt;&#36;x&#36;&lt;/script&gt;"


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
    assert figure["fillcolor"] == theme.role_shade("key")


def test_nobody_can_type_the_name_of_a_colour() -> None:
    for text in ("ink", "key", "weights", theme.INK, theme.scale_colours("signed")):
        assert theme.coloured([label(text)], "dark") == [label(text)]


def test_anything_but_dark_is_light() -> None:
    assert [theme.as_mode(name) for name in ("dark", "light", None)] == ["dark", "light", "light"]


@pytest.mark.parametrize("mode", MODES)
def test_a_saved_picture_has_the_ground_it_was_drawn_for(mode: theme.Mode) -> None:
    """Pictures were transparent: saved from a dark page, they were white on white."""
    drawn = theme.coloured(theme.layout("", 100), mode)
    assert drawn["paper_bgcolor"] == drawn["plot_bgcolor"] == BACKGROUND[mode]
