"""Every screen of the walk fits into the windows that people have, and fills half of the column.

`python -m tests.browser.test_fits [address] [page …]` prints what sticks out of which window.
"""

import sys
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import pytest
from playwright.sync_api import Page, ViewportSize, sync_playwright

from app.registry import HISTORY, VIEWS, WALK
from tests.browser.conftest import LONGEST, settle
from tests.chromium import find_chromium


class Window(NamedTuple):
    """A window in pixels; in Present mode, or on a phone, where the picture is what counts."""

    name: str
    width: int
    height: int
    presents: bool = False
    most: int = 0  # where the picture has to begin, if the page may scroll
    fills: bool = False  # where no more than half of the main column may be blank


WINDOWS: Final = (
    Window("1440 × 900", 1440, 900, fills=True),
    Window("1280 × 720", 1280, 720),
    Window("Present, 1440 × 900", 1440, 900, presents=True),
    Window("Present, 1920 × 1080", 1920, 1080, presents=True),
    Window("a phone", 390, 844, most=600),
    Window("1440 × 900 at 200 %", 720, 450, most=100_000),
)
LARGE: Final = ViewportSize(width=1440, height=900)
MODELS: Final = ("es-en", "fr-en", "en-es")
PAGES: Final = [view.slug for view in VIEWS if view.section in (WALK, HISTORY)]
# Boards in one line, heatmaps, a player; of every kind with `-m slow`.
QUICK: Final = (
    "self_attention?part=score", "heads", "decoding?part=step", "evolution?part=map",
    "vectors?part=tokens",
)  # fmt: skip
HALF: Final = 0.5
# What is wrong, by window and screen.
Faults = dict[str, dict[str, list[str]]]
# By how much the open screen sticks out of its window at the right and below, where its picture
# begins, whether the dots lie over Back or Next, and how much of the main column is blank: the
# share of its visible window, a point each ten pixels, that lies in no drawn element's box.
MEASURE: Final = """() => {
    const main = document.querySelector('.stMain');
    const steps = [...document.querySelectorAll('.st-key-steps *')].find((it) => it.shadowRoot);
    const box = (name) => [...steps.shadowRoot.querySelectorAll(name)]
        .map((it) => it.getBoundingClientRect());
    const over = (a, b) => a.right > b.left + 1 && a.left < b.right - 1
        && a.bottom > b.top + 1 && a.top < b.bottom - 1;
    const dots = box('.step'), ways = box('.way');
    const texts = '[data-testid=stHeading], [data-testid=stMarkdown], [data-testid=stCaption]';
    const screen = document.querySelector('[class*=st-key-screen]');
    const parts = [...screen?.querySelectorAll('[data-testid=stElementContainer]') ?? []];
    const drawn = (it) => it.offsetHeight > 60
        || (it.offsetHeight > 20 && it.querySelector(':scope > [data-testid=stHtml]'));
    const picture = parts.find((it) => drawn(it) && !it.closest('.st-key-task')
        && !it.querySelector(`:scope > :is(${texts})`));
    const content = document.querySelector('.stMainBlockContainer');
    const [column, seen] = [content, main].map((it) => it.getBoundingClientRect());
    const padding = (side) => parseFloat(getComputedStyle(content)[`padding${side}`]);
    const [left, right] = [column.left + padding('Left') + 5, column.right - padding('Right')];
    const elements = [...content.querySelectorAll('[data-testid=stElementContainer]')]
        .map((it) => it.getBoundingClientRect());
    let [points, blank] = [0, 0];
    for (let y = seen.top + 5; y < seen.bottom; y += 10) {
        const here = elements.filter((it) => it.top <= y && y <= it.bottom);
        for (let x = left; x < right; x += 10) {
            points += 1;
            blank += here.some((it) => it.left <= x && x <= it.right) ? 0 : 1;
        }
    }
    return {
        blank: blank / points,
        right: main.scrollWidth - main.clientWidth,
        below: main.scrollHeight - main.clientHeight,
        top: picture ? picture.getBoundingClientRect().top + main.scrollTop : null,
        dots: dots.some((dot) => ways.some((way) => over(dot, way))),
    };
}"""
PRESENT: Final = """(on) => {
    document.documentElement.classList.toggle('presenting', on);
    dispatchEvent(new Event('resize'));
}"""


def faults(page: Page, window: Window) -> list[str]:
    """What is wrong with the open screen in a window; what is gone a little later is not.

    On a busy machine that is seconds later.
    """
    page.set_viewport_size({"width": window.width, "height": window.height})
    page.evaluate(PRESENT, window.presents)
    found: list[str] = []
    for wait in (150, 350, 700, 1500, 3000):
        page.wait_for_timeout(wait)
        at = page.evaluate(MEASURE)
        found = [f"{at['right']} px to the right"] if at["right"] > 0 else []
        if not window.most and at["below"] > 0:
            found.append(f"{at['below']} px below")
        if window.most and (at["top"] or 0) > window.most:
            found.append(f"picture begins at {at['top']:.0f} px")
        if window.fills and at["blank"] > HALF:
            found.append(f"{at['blank']:.0%} blank")
        if at["dots"]:
            found.append("dots over Back or Next")
        if not found:
            break
    return found


def opened(page: Page) -> tuple[int, int]:
    """Wait until a screen is drawn; return its number on the page, and how many there are."""
    page.locator(".st-key-steps .step.here").wait_for()
    settle(page)
    if (skip := page.locator("[class*=st-key-guess-] button")).count():  # before its picture
        skip.last.click()
        skip.wait_for(state="detached")
        settle(page)
    label = str(page.locator(".st-key-steps .step.here").get_attribute("aria-label"))
    return int(label.partition(".")[0]), page.locator(".st-key-steps .step").count()


def screens(page: Page, address: str, slug: str, query: str) -> Iterator[str]:
    """Open each screen of a page in turn."""
    page.goto(f"{address}/{slug}?{query}")
    while True:
        number, count = opened(page)
        yield str(page.locator(".st-key-steps .step.here").get_attribute("aria-label"))
        if number == count:
            return
        page.set_viewport_size(LARGE)
        page.evaluate(PRESENT, False)
        page.locator(".st-key-steps .way.next").click()
        here = page.locator(f".st-key-steps .step.here[aria-label^='{number + 1}. ']")
        here.wait_for()
        page.wait_for_timeout(100)


def report(page: Page, address: str, slugs: Sequence[str], query: str) -> Faults:
    """Walk the screens of pages, and return what is wrong by window and screen."""
    wrong: Faults = {window.name: {} for window in WINDOWS}
    for slug in slugs:
        for label in screens(page, address, slug, query):
            for window in WINDOWS:
                if found := faults(page, window):
                    wrong[window.name][f"{slug} {label}"] = found
                    print(f"{window.name:22} {slug} {label}: {', '.join(found)}", flush=True)
    return wrong


@pytest.mark.parametrize("screen", QUICK)
def test_a_screen_fits_into_every_window(own_page: Page, own_models: str, screen: str) -> None:
    """Of 120 screens, 92 stuck out at 1280 × 720, and 21 of 36 in Present mode."""
    own_page.set_viewport_size(LARGE)
    own_page.goto(f"{own_models}/{screen}")
    opened(own_page)
    assert own_page.evaluate(MEASURE)["top"] is not None
    assert {window.name: found for window in WINDOWS if (found := faults(own_page, window))} == {}


@pytest.mark.slow
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("model", MODELS)
def test_every_screen_fits_into_every_window(own_page: Page, own_models: str, model: str) -> None:
    own_page.set_viewport_size(LARGE)
    found = report(own_page, own_models, PAGES, f"model={model}")
    assert {name: screens for name, screens in found.items() if screens} == {}


def main(base: str, *asked: str) -> None:
    """Print what sticks out on the pages that are asked for, or all, of one model or both."""
    models = [name.removeprefix("model=") for name in asked if name.startswith("model=")]
    pages = [name for name in asked if "=" not in name] or PAGES
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=find_chromium(), args=["--no-sandbox"]
        )
        page = chromium.new_page(locale="en-US", reduced_motion="reduce", viewport=LARGE)
        page.set_default_timeout(LONGEST)
        for model in models or MODELS:
            for name, found in report(page, base, pages, f"model={model}").items():
                print(f"{model} {name}: {len(found)} screens", flush=True)
        chromium.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
