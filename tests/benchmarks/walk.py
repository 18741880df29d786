"""The walk in the browser, with a pretrained model: `python -m tests.benchmarks.walk`.

How long a chapter takes to its first paint on a warm server, and a click to the new picture, with
the bytes that the server sends for it.
"""

import statistics
import tempfile
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, Page, WebSocket, expect, sync_playwright

from app.registry import VIEWS, WALK
from tests.browser.conftest import serve
from tests.chromium import find_chromium

PAINT_GOAL, MOVE_GOAL = 1000, 300  # milliseconds; of the moves, the median
PRESS_HEAD = ".st-key-head-en button"
PRESS_LAYER = ".st-key-layer-en button"
# The boards, chips and charts of a page as text: another text is another picture.
WATCH = """() => {
  const seen = () => {
    let all = ''
    for (const e of document.querySelectorAll('.stMain *')) {
      const root = e.shadowRoot?.querySelector('.root')
      if (root) all += root.content + JSON.stringify(root.chosen ?? '')
    }
    for (const e of document.querySelectorAll('.stMain .js-plotly-plot')) {
      all += JSON.stringify(e.data?.map(trace => [trace.x, trace.y, trace.z, trace.text]))
    }
    return all + document.querySelector('.stMain').innerText
  }
  window.quiet = start => new Promise(resolve => {
    let last = seen(), changed = null
    const look = () => {
      const now = seen(), time = performance.now()
      if (now !== last) { last = now; changed = time }
      if (changed && time - changed > 500) resolve(changed - start)
      else if (time - start > 15000) resolve(time - start)
      else requestAnimationFrame(look)
    }
    look()
  })
}"""


@dataclass
class Traffic:
    """What the server sent: bytes since the last look."""

    received: int = 0

    def listen(self, socket: WebSocket) -> None:
        """Count the frames of a connection."""
        socket.on("framereceived", self._add)

    def _add(self, payload: str | bytes) -> None:
        self.received += len(payload)

    def take(self) -> int:
        """Return the bytes since the last call."""
        taken, self.received = self.received, 0
        return taken


def first_paints(page: Page, traffic: Traffic, chapters: list[str]) -> list[tuple[str, float, int]]:
    """Go through the chapters a second time; return name, milliseconds and bytes of each."""
    paints = []
    for warm in (False, True):
        for chapter in chapters:
            traffic.take()
            page.evaluate(WATCH)
            link = page.locator(f'[data-testid="stSidebarNavLink"][href$="/{chapter}"]')
            start = page.evaluate("performance.now()")
            link.click()
            time = page.evaluate("start => window.quiet(start)", start)
            if warm:
                paints.append((chapter, time, traffic.take()))
    return paints


def moves(page: Page, traffic: Traffic) -> list[tuple[str, float, int]]:
    """Go to other words, heads, layers and steps; return what was done, milliseconds, bytes."""
    done = []
    for chapter, what, selector, places in (
        ("self_attention", "head", PRESS_HEAD, (1, 2, 3, 4, 5)),
        ("self_attention", "layer", PRESS_LAYER, (1, 2, 0, 1, 2)),
        ("self_attention", "word", ".st-key-pick-word [role=option], .st-key-pick-word button",
         (0, 2, 3, 1, 2)),
        ("decoding", "step", ".st-key-step-next button", (0, 0, 0, 0)),
    ):  # fmt: skip
        page.locator(f'[data-testid="stSidebarNavLink"][href$="/{chapter}"]').click()
        expect(page.locator(selector).first).to_be_visible(timeout=30_000)
        page.wait_for_timeout(2500)
        page.evaluate(WATCH)
        for place in places:
            traffic.take()
            start = page.evaluate("performance.now()")
            page.locator(selector).nth(place).click()
            time = page.evaluate("start => window.quiet(start)", start)
            done.append((f"{chapter}, {what}", time, traffic.take()))
    return done


def measure(browser: Browser, work: Path) -> None:
    """Print a line for each chapter and each kind of move."""
    with serve(work) as address:
        page = browser.new_page(locale="en-US", viewport={"width": 1440, "height": 900})
        traffic = Traffic()
        page.on("websocket", traffic.listen)
        page.goto(address)
        expect(page.locator("h1")).to_be_visible(timeout=60_000)
        page.wait_for_timeout(3000)
        chapters = [view.file for view in VIEWS if view.section == WALK]
        for chapter, time, sent in first_paints(page, traffic, chapters):
            print(f"first paint of {chapter}: {time:.0f} ms, {sent / 1e3:.0f} kB")
        done = moves(page, traffic)
        for what in dict.fromkeys(name for name, _time, _sent in done):
            times = [time for name, time, _sent in done if name == what]
            size = statistics.median(sent for name, _time, sent in done if name == what)
            print(f"{what}: median {statistics.median(times):.0f} ms, {size / 1e3:.0f} kB")
        median = statistics.median(time for _name, time, _sent in done)
        print(f"all moves: median {median:.0f} ms (goal: under {MOVE_GOAL} ms)")
        print(f"(goal of a first paint: under {PAINT_GOAL} ms)")
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
