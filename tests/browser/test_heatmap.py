"""Translate shows its heatmap first: in the window, and where it was when something is changed.

It stood below a scroll at 1440 × 900 (y 678 to 1229 for ten tokens), and any change pushed it 400
pixels further down, away from under the pointer that had made it.
"""

from typing import Final, NamedTuple
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import box_of, settle

# By how many tokens the shipped model makes of them.
SENTENCES: Final = {
    7: "Mi hermana vive en una casa vieja",
    10: "Mi hermana vive en una casa vieja cerca del mar",
    25: "Mi hermana vive en una casa vieja cerca del mar y su hermano trabaja en la ciudad "
    "porque no quiere vivir con ella en casa",
}
HIGHEST: Final = 360  # where it begins at the latest
HIGHEST_OF_PHONE: Final = 600
GRID: Final = ".st-key-matrix [role=grid]"


class Place(NamedTuple):
    """Where the heatmap begins and ends in the window, its frame, its rows and a cell's height."""

    top: float
    bottom: float
    frame: float
    cell: float
    rows: int


def place(page: Page) -> Place:
    """Return where the heatmap is, once nothing moves any more."""
    settle(page)
    grid, frame, cell = (
        box_of(page.locator(f".st-key-matrix {part}").first)
        for part in ("[role=grid]", ".frame", ".cell")
    )
    ends = frame["y"] + frame["height"]
    rows = page.locator(GRID).get_attribute("aria-rowcount")
    return Place(grid["y"], grid["y"] + grid["height"], ends, cell["height"], int(rows or 0))


def mute(page: Page) -> None:
    """Mute the head that is looked at."""
    page.get_by_role("button", name="What if").first.click()
    page.get_by_role("button", name="Make this change").click()
    expect(page.get_by_test_id("both-runs")).to_be_visible()
    page.keyboard.press("Escape")


@pytest.mark.parametrize(
    ("width", "height", "sentences"),
    [
        (1280, 720, [7, 25]),
        (390, 844, [10]),
        pytest.param(1440, 900, [*SENTENCES], marks=pytest.mark.slow),
        pytest.param(1920, 1080, [*SENTENCES], marks=pytest.mark.slow),
    ],
)
def test_the_heatmap_is_in_the_window_and_stays_where_it_is(
    own_page: Page, own_models: str, width: int, height: int, sentences: list[int]
) -> None:
    page = own_page
    page.set_viewport_size({"width": width, "height": height})
    for tokens in sentences:
        page.goto(f"{own_models}/translate?text={quote(SENTENCES[tokens])}")
        expect(page.locator(GRID)).to_be_visible()
        expect(page.locator(GRID)).to_have_attribute("aria-colcount", str(tokens + 2))
        before = place(page)
        mute(page)
        after = place(page)
        print(f"{width} x {height}, {tokens} tokens: {before} {after}")
        assert page.evaluate("document.querySelector('.stMain').scrollTop") == 0
        assert after.top == pytest.approx(before.top, abs=1)
        if after.rows == before.rows:  # else the changed run writes another translation
            assert after.cell == before.cell
        assert before.top <= (HIGHEST if width > 640 else HIGHEST_OF_PHONE)
        assert before.bottom <= before.frame + 1  # nothing of it is behind a scroll of its own
        if width > 640 or tokens < 25:
            assert before.bottom <= height, (tokens, before)
