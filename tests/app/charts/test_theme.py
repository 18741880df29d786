"""Colours: readable on their background, ordered in lightness, and tokens made harmless."""

import itertools

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


@pytest.mark.parametrize("mode", MODES)
def test_every_role_and_ink_is_readable_as_text(mode: theme.Mode) -> None:
    for colour in (*theme.ROLES[mode].values(), theme.INK[mode], theme.QUIET[mode]):
        assert contrast(colour, BACKGROUND[mode]) >= 4.5, colour


def test_both_modes_know_the_same_roles() -> None:
    assert theme.ROLES["light"].keys() == theme.ROLES["dark"].keys()


@pytest.mark.parametrize("mode", MODES)
def test_weights_move_away_from_the_background_all_the_way(mode: theme.Mode) -> None:
    # Lightness in one direction alone is what keeps the order without any colour vision.
    steps = [contrast(str(colour), BACKGROUND[mode]) for _, colour in theme.weight_scale(mode)]
    assert steps == sorted(steps)
    assert steps[-1] / steps[0] > 8


@pytest.mark.parametrize("mode", MODES)
def test_signed_numbers_move_away_from_the_middle(mode: theme.Mode) -> None:
    scale = theme.signed_scale(mode)
    steps = [contrast(str(colour), BACKGROUND[mode]) for _, colour in scale]
    middle = len(steps) // 2
    assert scale[middle][0] == 0.5
    assert steps[middle:] == sorted(steps[middle:])
    assert steps[: middle + 1] == sorted(steps[: middle + 1], reverse=True)


@pytest.mark.parametrize("mode", MODES)
def test_scales_run_from_zero_to_one(mode: theme.Mode) -> None:
    for scale in (theme.weight_scale(mode), theme.signed_scale(mode)):
        places = [float(place) for place, _ in scale]
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


def test_anything_but_dark_is_light() -> None:
    assert [theme.as_mode(name) for name in ("dark", "light", None)] == ["dark", "light", "light"]
