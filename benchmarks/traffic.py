"""What the browser receives, with a pretrained model: `python -m benchmarks.traffic`.

Printed are the bytes of a first visit and of a second one, over HTTP and the websocket, and what an
Enter on Translate sends: its frames, its bytes, and the elements and blocks among them.
"""

import gzip
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, Page, Response, WebSocket, sync_playwright
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from tests.browser.conftest import SETTLED, serve
from tests.chromium import find_chromium

PAGES = ("", "translate", "self_attention", "output?part=softmax")
SENTENCES = ("el gato come pescado", "me gusta la música")
COMPRESSED = ("font/woff2", "image/png", "image/webp")


@dataclass
class Received:
    """The responses and frames of a page since it was opened, or since they were cleared."""

    responses: list[Response] = field(default_factory=list)
    frames: list[bytes] = field(default_factory=list)

    def listen(self, page: Page) -> None:
        """Note what a page receives."""
        page.on("response", lambda response: self.responses.append(response))
        page.on("websocket", self._listen_to_socket)

    def _listen_to_socket(self, socket: WebSocket) -> None:
        socket.on("framereceived", self._note_frame)

    def _note_frame(self, data: str | bytes) -> None:
        self.frames.append(data if isinstance(data, bytes) else data.encode())

    def report(self) -> str:
        """Return the bytes over HTTP, as they were sent and with gzip, and over the websocket."""
        plain = small = 0
        for response in self.responses:
            if not response.url.startswith("http") or not response.ok:
                continue
            if (size := response.request.sizes()["responseBodySize"]) <= 0:
                continue  # the browser had it
            body = response.body()
            plain += size
            kind = response.headers.get("content-type", "")
            small += len(body) if kind in COMPRESSED else len(gzip.compress(body))
        socket = sum(map(len, self.frames)) / 1e3
        packed = sum(len(gzip.compress(frame)) for frame in self.frames) / 1e3
        return (
            f"HTTP {plain / 1e3:.0f} kB ({small / 1e3:.0f} with gzip), websocket {socket:.0f} kB "
            f"({packed:.0f} with gzip) in {len(self.frames)} frames"
        )


def visit(context: BrowserContext, address: str) -> tuple[Page, Received]:
    """Open a page, and wait until all of it is there."""
    page, received = context.new_page(), Received()
    received.listen(page)
    page.goto(address)
    page.locator("h1").first.wait_for(timeout=60_000)
    rest(page)
    return page, received


def rest(page: Page) -> None:
    """Wait until nothing more comes."""
    page.wait_for_timeout(1500)
    page.wait_for_function(SETTLED, timeout=60_000)
    page.wait_for_timeout(1500)


def report_enter(page: Page, received: Received) -> None:
    """Print what a new sentence sends; the first one is not counted."""
    for sentence in SENTENCES:
        received.frames.clear()
        page.locator(".stTextInput input").fill(sentence)
        page.keyboard.press("Enter")
        rest(page)
    deltas = [
        message.delta.WhichOneof("type")
        for message in map(ForwardMsg.FromString, received.frames)
        if message.WhichOneof("type") == "delta"
    ]
    print(
        f"an Enter: {len(received.frames)} frames, {sum(map(len, received.frames)) / 1e3:.1f} kB, "
        f"of them {deltas.count('new_element')} elements and {deltas.count('add_block')} blocks"
    )


def measure(browser: Browser, work: Path) -> None:
    """Print what each page receives, and what an Enter sends."""
    with serve(work) as address:
        for name in sys.argv[1:] or PAGES:
            context = browser.new_context(locale="en-US", viewport={"width": 1440, "height": 900})
            for which in ("first", "second"):
                page, received = visit(context, f"{address}/{name}")
                print(f"/{name}, {which} visit: {received.report()}", flush=True)
                if name == "translate" and which == "second":
                    report_enter(page, received)
                page.close()
            context.close()


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
