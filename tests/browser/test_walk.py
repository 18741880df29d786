"""The teaching pages as visitors meet them who have no mouse, a small screen, or weak eyes."""

from collections.abc import Iterator
from itertools import zip_longest
from typing import Any, Final

import pytest
from playwright.sync_api import ConsoleMessage, Page, expect

from app.registry import HISTORY, VIEWS, WALK, View
from tests.browser.accessibility import complaints
from tests.browser.conftest import Open

SECTIONS: Final = (WALK, HISTORY)
PATIENCE: Final = 120_000  # milliseconds, on a machine that is busy with training
SETTLED: Final = """() => !document.querySelector(
    '[data-testid=stStatusWidget], [data-testid=stSkeleton], [data-stale=true]')"""
WIDER: Final = """() => [document.documentElement, document.querySelector('.stMain')]
    .some((element) => element.scrollWidth > element.clientWidth)"""
Complaints = dict[str, list[str]]


def settle(page: Page, view: View) -> None:
    """Wait until a chapter is there, down to its task, and say that nothing went wrong."""
    expect(page.locator("h1")).to_have_text(view.title, timeout=PATIENCE)
    expect(page.locator(".st-key-task")).to_be_visible(timeout=PATIENCE)
    page.wait_for_function(SETTLED, timeout=PATIENCE)
    expect(page.get_by_test_id("stException")).to_have_count(0)
    expect(page.get_by_test_id("stAlertContentError")).to_have_count(0)


def walk_through(page: Page, section: str) -> Iterator[View]:
    """Go from a section's first page, which is open, to each that follows, by the right arrow."""
    chapters = [view for view in VIEWS if view.section == section]
    errors: list[str] = []

    def listen(message: ConsoleMessage) -> None:
        if message.type == "error":
            errors.append(message.text)

    # Opening a chapter's own address makes Streamlit look for its server in two wrong places
    # first, which the browser logs; the way from there does not.
    settle(page, chapters[0])
    page.on("console", listen)
    for view, after in zip_longest(chapters, chapters[1:]):
        settle(page, view)
        yield view
        if after is not None:
            page.keyboard.press("ArrowRight")
    assert not errors


@pytest.mark.parametrize("section", SECTIONS)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_all_screens_of_all_pages(open_page: Open, scheme: str, section: str) -> None:
    """Drawn all on one page, by keyboard alone, for who sees weakly or has a narrow screen."""
    # So high that all of a page is in sight: axe leaves out the colours of what is not, and
    # takes those in the middle of a fade for weak ones. Drawn at half the resolution, it is laid
    # out the same.
    viewport = {"width": 1440, "height": 8000}
    look = {"viewport": viewport, "device_scale_factor": 0.5, "reduced_motion": "reduce"}
    first = next(view.slug for view in VIEWS if view.section == section)
    page = open_page(f"{first}?all=1", color_scheme=scheme, **look)
    wrong: Complaints = {}
    for view in walk_through(page, section):
        assert page.url.split("?")[0].endswith(f"/{view.slug}")
        if found := complaints(page):
            wrong[view.slug] = found
        if scheme == "light" and is_wider(page, 390):
            wrong[view.slug] = [*found, "scrolls sideways"]
    assert not wrong


def is_wider(page: Page, width: int) -> bool:
    """Whether a page is wider than a window of this width, which is then as it was."""
    size = page.viewport_size
    assert size is not None
    page.set_viewport_size({"width": width, "height": size["height"]})
    page.wait_for_timeout(300)  # charts are drawn again
    wider = bool(page.evaluate(WIDER))
    page.set_viewport_size(size)
    return wider


def test_any_number_is_opened_and_left_by_keyboard(open_page: Open) -> None:
    page = open_page("self_attention?part=score")
    board = page.get_by_role("application").first
    expect(board).to_be_visible(timeout=PATIENCE)
    board.focus()
    for key in ("ArrowRight", "ArrowRight", "Enter"):
        page.keyboard.press(key)
    opened = page.locator(".st-key-ask-open")
    expect(opened.get_by_test_id("asked")).to_be_visible(timeout=PATIENCE)
    number = opened.get_by_test_id("asked").text_content() or ""
    opened.locator("[class*=st-key-ask-up-] button").first.press("Enter")
    expect(opened.get_by_test_id("asked")).not_to_have_text(number, timeout=PATIENCE)
    opened.locator(".st-key-ask-back button").press("Enter")
    expect(opened.get_by_test_id("asked")).to_have_text(number, timeout=PATIENCE)
    opened.locator(".st-key-ask-close button").press("Enter")
    expect(opened).to_have_count(0, timeout=PATIENCE)


def test_boards_line_up_on_their_cells(open_page: Open) -> None:
    """Words above the columns, or a scale below, once pushed the rows of a board off its equals.

    Where a board breaks into lines, its operators have a column of their own.
    """
    page = open_page("self_attention?part=z")
    weights, v, z = boxes(page, ".stack", 3)
    assert weights["y"] == pytest.approx(v["y"], abs=1)
    assert v["y"] == z["y"]
    assert weights["height"] == pytest.approx(v["height"], abs=1)
    times, equals = boxes(page, ".op", 2)
    for operator in (times, equals):
        middle = weights["y"] + weights["height"] / 2
        assert operator["y"] + operator["height"] / 2 == pytest.approx(middle, abs=1.5)
    for wide, lefts in ((1440, 2), (390, 1)):
        page = open_page("self_attention?part=score", viewport={"width": wide, "height": 900})
        q, k, scores = boxes(page, ".array", 3)
        dot, _equals = boxes(page, ".op", 2)
        assert q["x"] == k["x"]
        assert len({q["x"], k["x"], scores["x"]}) == lefts
        assert dot["x"] + dot["width"] < k["x"]


def boxes(page: Page, parts: str, count: int) -> list[Any]:
    """Where these parts of the page's first board are."""
    found = page.locator(".board").first.locator(parts)
    expect(found).to_have_count(count, timeout=PATIENCE)
    page.wait_for_function(SETTLED, timeout=PATIENCE)
    return [one.bounding_box() for one in found.all()]


def test_a_boards_numbers_are_a_table_for_who_opens_its_fold(open_page: Open) -> None:
    page = open_page("self_attention?part=score")
    fold = page.get_by_role("button", name="Table, CSV and picture").first
    expect(fold).to_have_attribute("aria-expanded", "false", timeout=PATIENCE)
    fold.press("Enter")
    table = page.get_by_test_id("stDataFrame").first
    expect(table).to_be_visible(timeout=PATIENCE)
    page.locator(".st-key-head-en button").last.click()
    page.wait_for_function(SETTLED, timeout=PATIENCE)
    expect(fold).to_have_attribute("aria-expanded", "true", timeout=PATIENCE)
    expect(table).to_be_visible()
    fold.press("Enter")
    expect(page.get_by_test_id("stDataFrame")).to_have_count(0, timeout=PATIENCE)
    expect(fold).to_have_attribute("aria-expanded", "false")


def test_faint_text_and_nameless_buttons_are_found(open_page: Open) -> None:
    """Of all texts of one look, one is measured: the look is that of the ground too."""
    page = open_page("translate")
    page.set_content(
        """<div class="stMain" style="background: white; color: #111">
        <p>clear</p> <p>clear</p> <p style="background: #333">dark on dark</p>
        <div style="opacity: 0.3"><p>faded</p></div> <p style="color: #ccc">light on light</p>
        <button></button> <div id="host"></div></div>"""
    )
    page.evaluate(
        """() => document.getElementById('host').attachShadow({ mode: 'open' })
            .append(Object.assign(document.createElement('p'),
                { textContent: 'in a component', style: 'color: #eee' }))"""
    )
    found = complaints(page)
    assert len(found) == 5
    for text in ("button-name", "dark on dark", "faded", "light on light", "in a component"):
        assert any(text in complaint for complaint in found), text


def test_arrow_keys_have_one_meaning_at_a_time(open_page: Open) -> None:
    """In a board, →→→ moved the step of decoding, and outside of it step and screen at once."""
    page = open_page("decoding?part=over&step=2")
    board = page.get_by_role("application").first
    expect(board).to_be_visible(timeout=PATIENCE)
    page.wait_for_function(SETTLED, timeout=PATIENCE)
    board.focus()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    page.wait_for_timeout(1000)
    expect(board).to_be_focused()
    assert "part=over" in page.url
    assert "step=2" in page.url
    scrubber = page.get_by_role("slider", name="Step")
    scrubber.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_url("**step=3*", timeout=PATIENCE)
    assert "part=over" in page.url
    scrubber.blur()
    page.keyboard.press("ArrowRight")
    page.wait_for_url("**part=out*", timeout=PATIENCE)
    assert "step=3" in page.url
