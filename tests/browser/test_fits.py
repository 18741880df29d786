"""Every screen of the walk fits into the windows that people have, and in front of a class.

`python -m tests.browser.test_fits [address] [page …]` prints what sticks out of which window.
"""

import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from playwright.sync_api import Page, sync_playwright

from app.registry import HISTORY, VIEWS, WALK
from tests.browser.test_walk import PATIENCE, SETTLED


class Window(NamedTuple):
    """A window in pixels; in Present mode, or on a phone, where the picture is what counts."""

    name: str
    width: int
    height: int
    presents: bool = False
    most: int = 0  # where the picture has to begin, if the page may scroll


WINDOWS: Final = (
    Window("1440 × 900", 1440, 900),
    Window("1280 × 720", 1280, 720),
    Window("Present, 1440 × 900", 1440, 900, presents=True),
    Window("Present, 1920 × 1080", 1920, 1080, presents=True),
    Window("a phone", 390, 844, most=600),
    Window("1440 × 900 at 200 %", 720, 450, most=100_000),
)
# By how much the open screen sticks out of its window at the right and below, where its picture
# begins, and whether the dots lie over Back or Next.
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
    const picture = parts.find((it) => it.offsetHeight > 60
        && !it.querySelector(`:scope > :is(${texts})`)) ?? parts.find((it) => it.offsetHeight > 60);
    return {
        right: main.scrollWidth - main.clientWidth,
        below: main.scrollHeight - main.clientHeight,
        top: picture ? picture.getBoundingClientRect().top + main.scrollTop : 0,
        dots: dots.some((dot) => ways.some((way) => over(dot, way))),
    };
}"""
PRESENT: Final = """(on) => {
    document.documentElement.classList.toggle('presenting', on);
    dispatchEvent(new Event('resize'));
}"""


def faults(page: Page, window: Window) -> list[str]:
    """What is wrong with the open screen in a window; what is gone a little later is not."""
    page.set_viewport_size({"width": window.width, "height": window.height})
    page.evaluate(PRESENT, window.presents)
    found: list[str] = []
    for wait in (150, 350, 700):
        page.wait_for_timeout(wait)
        before = found
        at = page.evaluate(MEASURE)
        found = [f"{at['right']} px to the right"] if at["right"] > 0 else []
        if not window.most and at["below"] > 0:
            found.append(f"{at['below']} px below")
        if window.most and at["top"] > window.most:
            found.append(f"picture begins at {at['top']:.0f} px")
        if at["dots"]:
            found.append("dots over Back or Next")
        if not found or found == before:
            break
    return found


def screens(page: Page, address: str, slug: str, query: str) -> Iterator[str]:
    """Open each screen of a page in turn."""
    page.goto(f"{address}/{slug}?{query}")
    first = True
    while True:
        page.locator(".st-key-steps .step.here").wait_for(timeout=PATIENCE)
        page.wait_for_function(SETTLED, timeout=PATIENCE)
        here = page.locator(".st-key-steps .step.here")
        label = str(here.get_attribute("aria-label"))
        yield label
        dots = page.locator(".st-key-steps .step").count()
        if label.startswith(f"{dots}. ") or (first and dots == 1):
            return
        first = False
        page.set_viewport_size({"width": 1440, "height": 900})
        page.evaluate(PRESENT, False)
        number = int(label.partition(".")[0]) + 1
        page.locator(".st-key-steps .way.next").click()
        page.locator(f".st-key-steps .step.here[aria-label^='{number}. ']").wait_for(
            timeout=PATIENCE
        )
        page.wait_for_timeout(100)


def report(page: Page, address: str, slugs: Sequence[str], query: str) -> Mapping[str, Any]:
    """Walk the screens of pages, and return what is wrong by window and screen."""
    wrong: dict[str, dict[str, list[str]]] = {window.name: {} for window in WINDOWS}
    for slug in slugs:
        begun, count = time.monotonic(), 0
        for label in screens(page, address, slug, query):
            count += 1
            for window in WINDOWS:
                if found := faults(page, window):
                    wrong[window.name][f"{slug} {label}"] = found
                    print(f"{window.name:22} {slug} {label}: {', '.join(found)}", flush=True)
        print(f"# {slug}: {count} screens in {time.monotonic() - begun:.0f} s", flush=True)
    return wrong


if __name__ == "__main__":
    base, *asked = sys.argv[1:]
    models = [name.removeprefix("model=") for name in asked if name.startswith("model=")]
    pages = [name for name in asked if "=" not in name] or [
        view.slug for view in VIEWS if view.section in (WALK, HISTORY)
    ]
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path="/usr/bin/chromium-headless-shell", args=["--no-sandbox"]
        )
        tab = chromium.new_page(locale="en-US", reduced_motion="reduce")
        tab.set_viewport_size({"width": 1440, "height": 900})
        for model in models or ["es-en", "fr-en"]:
            for name, found in report(tab, base, pages, f"model={model}").items():
                print(f"{model} {name}: {len(found)} screens", flush=True)
        chromium.close()
