"""What travels between the server and a browser: `python -m benchmarks.traffic [--mbit 10]`.

A first and a second visit of a page, and three moves on it, in bytes as they pass on the line (a
proxy in between counts them), in frames of the socket, and in milliseconds. With --mbit, the line
is that slow; with --compare, everything is done with and without compression of the socket.
"""

import argparse
import asyncio
import statistics
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from playwright.sync_api import BrowserContext, Page, expect, sync_playwright

from benchmarks.page import SENTENCES, UNTIL_DRAWN
from tests.browser.conftest import free_port, serve
from tests.chromium import find_chromium

PAGES: Final = {"/translate": ".st-key-matrix", "/": ".st-key-terms"}  # and what is drawn last
# Bytes at most of a first and of a second visit.
GOALS: Final = {"/translate": (1_600_000, 60_000), "/": (1_400_000, 60_000)}
QUIET_SECONDS: Final = 2.0
CHUNK: Final = 16_384


class Line:
    """A line to a port of this machine that counts what it carries to the browser."""

    def __init__(self, port: int, mbit: float) -> None:
        self.port, self.mbit = port, mbit
        self.listens = free_port()
        self.n_bytes = 0
        self._free = 0.0  # when the line has carried all that it was given

    @contextmanager
    def open(self) -> Iterator[str]:
        """Carry until the context is left; yield the address to ask."""
        loop, ready = asyncio.new_event_loop(), threading.Event()

        def carry() -> None:
            asyncio.set_event_loop(loop)
            loop.run_until_complete(asyncio.start_server(self._connect, "localhost", self.listens))
            ready.set()
            loop.run_forever()

        thread = threading.Thread(target=carry, daemon=True)
        thread.start()
        ready.wait()
        try:
            yield f"http://localhost:{self.listens}"
        finally:
            loop.call_soon_threadsafe(loop.stop)
            thread.join()

    async def _connect(self, read: asyncio.StreamReader, write: asyncio.StreamWriter) -> None:
        from_server, to_server = await asyncio.open_connection("localhost", self.port)
        await asyncio.gather(
            self._carry(read, to_server, down=False), self._carry(from_server, write, down=True)
        )

    async def _carry(
        self, read: asyncio.StreamReader, write: asyncio.StreamWriter, down: bool
    ) -> None:
        try:
            while data := await read.read(CHUNK):
                if down:
                    self.n_bytes += len(data)
                    await self._wait(len(data))
                write.write(data)
                await write.drain()
        except ConnectionError:
            pass  # one end has gone: so does the other
        finally:
            write.close()

    async def _wait(self, n_bytes: int) -> None:
        if self.mbit:
            now = time.monotonic()
            self._free = max(self._free, now) + n_bytes * 8 / (self.mbit * 1e6)
            await asyncio.sleep(self._free - now)


class Visit:
    """One page, and the frames that its socket received."""

    def __init__(self, context: BrowserContext) -> None:
        self.page: Page = context.new_page()
        self.frames = 0
        self.page.on("websocket", lambda socket: socket.on("framereceived", self._count))

    def _count(self, _payload: object) -> None:
        self.frames += 1


def until_quiet(line: Line, page: Page) -> None:
    """Wait until the line has carried nothing for a while."""
    before = -1
    while line.n_bytes != before:
        before = line.n_bytes
        page.wait_for_timeout(QUIET_SECONDS * 1000)


def visits(context: BrowserContext, line: Line, address: str, path: str) -> None:
    """Print what a first and a second visit take, and a few moves of the second."""
    for number, goal in zip(("first", "second"), GOALS[path], strict=True):
        visit, before, start = Visit(context), line.n_bytes, time.perf_counter()
        visit.page.goto(address + path)
        expect(visit.page.locator(PAGES[path]).first).to_be_attached(timeout=120_000)
        took = time.perf_counter() - start
        until_quiet(line, visit.page)
        print(
            f"| {path}, {number} visit | {line.n_bytes - before:,} (goal {goal:,}) "
            f"| {visit.frames} | {took * 1000:.0f} |",
            flush=True,
        )
        if path == "/translate" and number == "second":
            moves(visit, line)
        visit.page.close()


def moves(visit: Visit, line: Line) -> None:
    """Print the medians of some new sentences."""
    page, found = visit.page, []
    for sentence in SENTENCES[:10]:
        frames, before = visit.frames, line.n_bytes
        page.locator(".stTextInput input").first.click()
        page.keyboard.press("Control+a")
        page.evaluate("window.pressed = performance.now()")
        page.keyboard.insert_text(sentence)
        page.keyboard.press("Enter")
        took = page.evaluate(UNTIL_DRAWN, "".join(sentence.split()) + "<eos>")
        until_quiet(line, page)
        found.append((line.n_bytes - before, visit.frames - frames, took))
    n_bytes, n_frames, took = (statistics.median(column) for column in zip(*found, strict=True))
    print(f"| a new sentence | {n_bytes:,.0f} | {n_frames:.0f} | {took:.0f} |", flush=True)


def main() -> None:
    """Print a table; raises SystemExit without a browser."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mbit", type=float, default=0.0, help="of the line (0: no limit)")
    parser.add_argument("--compare", action="store_true", help="the socket's compression")
    options = parser.parse_args()
    if not (chromium := find_chromium()):
        raise SystemExit("No Chromium was found.")
    for compressed in ("true", "false") if options.compare else ("true",):
        print(f"\nSocket compressed: {compressed}. Line: {options.mbit or 'no limit'} Mbit/s.\n")
        print("| | bytes | frames | ms |\n|---|---|---|---|")
        with (
            tempfile.TemporaryDirectory() as work,
            serve(Path(work), "--server.enableWebsocketCompression", compressed) as server,
            sync_playwright() as playwright,
        ):
            line = Line(int(server.rpartition(":")[2]), options.mbit)
            with line.open() as address:
                for path in PAGES:
                    browser = playwright.chromium.launch(
                        executable_path=chromium, args=["--no-sandbox"]
                    )
                    size = {"width": 1440, "height": 900}
                    with browser.new_context(locale="en-US", viewport=size) as context:  # type: ignore[arg-type]
                        visits(context, line, address, path)
                    browser.close()


if __name__ == "__main__":
    main()
