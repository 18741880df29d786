"""The walk in the browser, with a pretrained model: `python -m benchmarks.walk`.

Measured are the time of the next screen on a warm server, and of a page's first one; the time from
a click to the new picture, with the bytes that the server sends for it; the result of a change on
Translate; and the head atlas, which `python -m benchmarks.walk atlas` measures alone.
"""

import statistics
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, Page, WebSocket, expect, sync_playwright

from app.registry import WALK, of_section
from tests.browser.conftest import SETTLED, serve
from tests.chromium import find_chromium

# Milliseconds; medians, except for a first paint.
PAINT_GOAL, STEP_GOAL, MOVE_GOAL, CHANGE_GOAL = 800, 200, 300, 500
ATLAS_GOAL = 1000  # its first paint
WALK_STARTS = of_section(WALK)[0].slug
MOST = 500  # screens
PRESS_HEAD = ".st-key-head-en button"
PRESS_LAYER = ".st-key-layer-en button"
PRESS_WORD = ".st-key-pick-word [role=option], .st-key-pick-word button"
# Each switch makes a list of changes that was not run before, for a sentence of ten words.
CHANGED = (
    "translate?text=Nunca+es+tarde+para+aprender+a+tocar+el+piano+bien"
    "&change=mute-cross-0-2~hide-src-1~temp-0.5~noffn-decoder-0~look-uniform-encoder-1"
)
ATLAS_MEASURES = 5
PRESS_SWITCH = ".st-key-change-{at} label"
# The page tells when a key was pressed, and when it last drew something new. An observer costs next
# to nothing during drawing; reading all of the page in every frame would slow what is measured. The
# line of terms below a screen is not part of its picture: it waits until nothing else changes.
CLOCK = """(() => {
  const all = {childList: true, subtree: true, characterData: true, attributes: true,
    attributeFilter: ['d', 'transform', 'width', 'height']}
  const isBelow = ({ target }) =>
    (target.getRootNode().host ?? target.parentElement)?.closest('.st-key-terms')
  const observer = new MutationObserver((changes) => {
    if (changes.every(isBelow)) return
    requestAnimationFrame(() => { window.drawn = performance.now() })
  })
  const attach = Element.prototype.attachShadow
  Element.prototype.attachShadow = function (options) {
    const root = attach.call(this, options)
    observer.observe(root, all)
    return root
  }
  window.watch = () => observer.observe(document.querySelector('.stMain'), all)
  for (const kind of ['pointerdown', 'keydown'])
    window.addEventListener(kind, () => { window.pressed = performance.now() }, true)
  window.settled = () => new Promise(resolve => {
    const look = () => {
      const time = performance.now()
      const still = window.drawn > window.pressed && time - window.drawn > 300
      if (still || time - window.pressed > 15000) resolve(window.drawn - window.pressed)
      else setTimeout(look, 50)
    }
    look()
  })
})()"""


@dataclass
class Traffic:
    """What the server sent: bytes since the last look."""

    received: int = 0

    def listen(self, socket: WebSocket) -> None:
        """Count the bytes of a connection's frames."""
        socket.on("framereceived", self._add)

    def _add(self, payload: str | bytes) -> None:
        self.received += len(payload)

    def take(self) -> int:
        """Return the bytes since the last call."""
        taken, self.received = self.received, 0
        return taken


def press(page: Page, key: str) -> float:
    """Press a key once the screen stands still; return the milliseconds to the next one."""
    page.wait_for_function(SETTLED)
    page.evaluate("window.watch()")
    page.keyboard.press(key)
    return float(page.evaluate("window.settled()"))


def steps(page: Page) -> Iterator[tuple[str, float]]:
    """Go through all screens by the right arrow key; yield each one's page and milliseconds."""
    page.goto(f"/{WALK_STARTS}")
    onward = page.locator(".way.next")
    for _step in range(MOST):
        expect(onward).to_be_visible(timeout=30_000)
        if onward.is_disabled():
            return
        time = press(page, "ArrowRight")
        yield page.url.partition("?")[0].rpartition("/")[2], time


def report_steps(page: Page) -> list[str]:
    """Print how long the next screen takes on a server that has just started; return the pages."""
    times: dict[str, list[float]] = {}
    last = WALK_STARTS
    for name, time in steps(page):
        if name == last:
            times.setdefault(name, []).append(time)
            continue
        print(f"{last}: {report(times[last])}", flush=True)
        last = name
    every = [time for of_page in times.values() for time in of_page]
    print(f"next screen: {report(every)} (goal of the median: {STEP_GOAL} ms)")
    return list(times)


def report_paints(page: Page, slugs: list[str]) -> None:
    """Print how long the first screen of each page takes when coming from the screen before it."""
    times = []
    for slug in slugs[1:]:
        page.goto(f"/{slug}")
        expect(page.locator(".way.back")).to_be_visible(timeout=30_000)
        press(page, "ArrowLeft")
        times.append(press(page, "ArrowRight"))
        print(f"first paint of {slug}: {times[-1]:.0f} ms", flush=True)
    print(f"first paint: {report(times)} (goal: {PAINT_GOAL} ms)")


def report(times: list[float]) -> str:
    """Return the count, median and maximum of times in milliseconds."""
    return f"{len(times)}, median {statistics.median(times):.0f} ms, slowest {max(times):.0f} ms"


def moves(page: Page, traffic: Traffic) -> list[tuple[str, float, int]]:
    """Go to other words, heads, layers and steps; return each move, its milliseconds and bytes."""
    done = []
    for address, what, selector, places in (
        ("self_attention?part=score", "head", PRESS_HEAD, (1, 2, 3, 4, 5)),
        ("self_attention?part=score", "layer", PRESS_LAYER, (1, 2, 0, 1, 2)),
        ("self_attention?part=score", "word", PRESS_WORD, (0, 2, 3, 1, 2)),
        ("decoding?part=step", "step", ".st-key-step-next button", (0, 0, 0, 0)),
    ):
        page.goto(f"/{address}")
        page.evaluate("window.watch()")
        expect(page.locator(selector).first).to_be_visible(timeout=30_000)
        page.wait_for_timeout(2500)
        for place in places:
            traffic.take()
            page.locator(selector).nth(place).click()
            time = page.evaluate("window.settled()")
            done.append((what, time, traffic.take()))
    return done


def report_changes(page: Page) -> None:
    """Print how long the result of one more or one less change takes."""
    page.goto(f"/{CHANGED}")
    page.evaluate("window.watch()")
    times = []
    for at in range(CHANGED.count("~") + 1):
        switch = page.locator(PRESS_SWITCH.format(at=at)).first
        expect(switch).to_be_visible(timeout=30_000)
        page.wait_for_function(SETTLED)
        page.wait_for_timeout(1000)
        switch.click()
        page.wait_for_timeout(2000)  # the switch itself moves long before the result is there
        page.wait_for_function(SETTLED)
        times.append(float(page.evaluate("window.drawn - window.pressed")))
    print(f"a change: {report(times)} (goal of the median: {CHANGE_GOAL} ms)")


def report_atlas(page: Page) -> None:
    """Print how long the head atlas takes to appear, and then to show other measures and heads.

    The first paint is measured on the second visit: as for all pages, the server is then warm.
    """
    paints, measures, heads = [], list[float](), list[float]()
    for _visit in range(2):
        page.goto("/translate")
        page.evaluate("window.watch()")
        page.get_by_text("Use the model", exact=True).first.click()
        link = page.get_by_role("menuitem", name="Head atlas")
        expect(link).to_be_visible()
        page.wait_for_function(SETTLED)
        page.wait_for_timeout(1500)
        link.click()
        expect(page.locator(".st-key-atlas-map").get_by_role("application").first).to_be_visible()
        paints.append(float(page.evaluate("window.settled()")))
    for _measure in range(ATLAS_MEASURES):
        page.get_by_role("combobox", name="Colour by").click()
        page.keyboard.press("ArrowDown")
        page.wait_for_timeout(500)
        measures.append(press(page, "Enter"))
    page.locator(".st-key-atlas-map").get_by_role("application").first.focus()
    for _head in range(ATLAS_MEASURES):
        page.keyboard.press("ArrowRight")
        heads.append(press(page, "Enter"))
    print(f"first paint of atlas: {paints[-1]:.0f} ms (goal: {ATLAS_GOAL} ms)")
    print(f"another measure of the atlas: {report(measures)} (goal: {MOVE_GOAL} ms)")
    print(f"another head of the atlas: {report(heads)} (goal: {MOVE_GOAL} ms)")


def measure(browser: Browser, work: Path) -> None:
    """Print how long screens take, and each kind of move."""
    with serve(work) as address:
        page = browser.new_page(
            base_url=address, locale="en-US", viewport={"width": 1440, "height": 900},
            reduced_motion="reduce",
        )  # fmt: skip
        traffic = Traffic()
        page.on("websocket", traffic.listen)
        page.add_init_script(CLOCK)
        report_atlas(page)
        if "atlas" in sys.argv:
            return
        report_paints(page, report_steps(page))
        done = moves(page, traffic)
        for what in dict.fromkeys(name for name, _time, _sent in done):
            times = [time for name, time, _sent in done if name == what]
            size = statistics.median(sent for name, _time, sent in done if name == what)
            print(f"{what}: median {statistics.median(times):.0f} ms, {size / 1e3:.0f} kB")
        median = statistics.median(time for _name, time, _sent in done)
        print(f"all moves: median {median:.0f} ms (goal: under {MOVE_GOAL} ms)")
        report_changes(page)
        page.close()


def main() -> None:
    """Measure; raises SystemExit without a browser."""
    if not (chromium := find_chromium()):
        raise SystemExit("No Chromium was found.")
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as work:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        measure(browser, Path(work))
        browser.close()


if __name__ == "__main__":
    main()
