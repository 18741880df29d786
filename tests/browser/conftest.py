"""A real server with tiny models, and a real browser."""

import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import (
    Browser,
    ConsoleMessage,
    Error,
    FloatRect,
    Locator,
    Page,
    Request,
    expect,
    sync_playwright,
)

from tests.app.tiny import make_models

ROOT = Path(__file__).resolve().parents[2]
SECONDS_TO_START, SECONDS_TO_END = 240, 120  # on a busy machine
OUTSIDE = "/_stcore/health"  # of the same server, where no page of the app is open
START = (sys.executable, "-m", "streamlit", "run")

LONGEST: Final = 120_000  # milliseconds that a page may take on a busy machine
SETTLED: Final = """() => !document.querySelector(
    '[data-testid=stStatusWidget], [data-testid=stSkeleton], [data-stale=true]')"""
WIDER: Final = """() => [document.documentElement, document.querySelector('.stMain')]
    .some((element) => element.scrollWidth > element.clientWidth)"""
expect.set_options(timeout=LONGEST)


def settle(page: Page) -> None:
    """Wait until all of a page is there, and say that nothing went wrong."""
    page.wait_for_function(SETTLED)
    expect(page.get_by_test_id("stException")).to_have_count(0)


def box_of(element: Locator) -> FloatRect:
    """Where an element is drawn."""
    box = element.bounding_box()
    assert box is not None
    return box


@contextmanager
def serve(
    work: Path,
    *options: str,
    root: Path = ROOT,
    cwd: str = "",
    port: str = "",
    start: Sequence[str] = (),
    **environment: str,
) -> Iterator[str]:
    """Start a checkout on a free port and give its address; its log stays without a traceback.

    A guard of a class once failed at the server's own start, and nothing told but a line of the
    log: what the app does at its start and every few seconds (app/main.py) was left out.
    """
    port = port or str(free_port())
    address = f"http://localhost:{port}"
    log = work / "log.txt"
    with log.open("wb") as output:
        process = subprocess.Popen(
            [*(start or (*START, str(root / "app/main.py"))), "--server.port", port, *options],
            cwd=cwd or root,
            env=os.environ | {"OMP_NUM_THREADS": "1"} | environment,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    try:
        _wait_for(f"{address}/_stcore/health", process, log)
        yield address
    finally:
        process.terminate()
        process.wait(SECONDS_TO_END)
    written = log.read_text(encoding="utf-8")
    assert "Traceback" not in written, written
    assert "hooks will be skipped" not in written, written


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the app, served with tiny models."""
    folder = make_models(tmp_path_factory.mktemp("pretrained"))
    work = tmp_path_factory.mktemp("server")
    with serve(work, PRETRAINED_DIR=str(folder), RUNS_DIR=str(work / "runs")) as address:
        yield address


@pytest.fixture(scope="session")
def own_models(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the app with the models that come along: tiny ones cut words into bytes."""
    work = tmp_path_factory.mktemp("own_models")
    with serve(work, RUNS_DIR=str(work / "runs")) as address:
        yield address


# Each process has a hundred of its own, none of those that systems give away: between this look
# at a port and a server's start, another worker's server or a browser would take it.
PORTS: Final = count(10_000 + os.getpid() % 200 * 100)


def free_port() -> int:
    for port in PORTS:
        with suppress(OSError), socket.socket() as probe:
            probe.bind(("localhost", port))
            return port
    raise AssertionError("no port is free")


def _wait_for(address: str, process: "subprocess.Popen[bytes]", log: Path) -> None:
    end = time.monotonic() + SECONDS_TO_START
    while time.monotonic() < end and process.poll() is None:
        try:
            with urllib.request.urlopen(address, timeout=2):
                return
        except OSError:
            time.sleep(0.2)
    pytest.fail(f"the server did not start: {log.read_text(encoding='utf-8')}")


@pytest.fixture(scope="session")
def browser(chromium_path: str) -> Iterator[Browser]:
    """One browser for all tests."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path, args=["--no-sandbox"])
        yield browser
        browser.close()


@contextmanager
def alone(browser: Browser, address: str, own: str = "", **look: Any) -> Iterator[Page]:
    """Open an address in a new window, where its page makes no mistake and says nothing.

    It asks for nothing that does not begin with `own`, if that is given.
    """
    page = browser.new_context(**look).new_page()
    wrong: list[str] = []

    def note_request(request: Request) -> None:
        if own and not request.url.startswith((own, "data:", "blob:")):
            wrong.append(request.url)

    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda said: wrong.append(said.text))
    page.on("dialog", lambda dialog: wrong.append(dialog.message))
    page.on("request", note_request)
    page.goto(address)
    yield page
    page.context.close()
    assert not wrong


Open = Callable[..., Page]
Tabs = dict[str, list[Page]]
# How a page looks when nothing else is asked for; any tab can look so again.
LOOK: Final = {
    "viewport": {"width": 1280, "height": 720},
    "color_scheme": "light",
    "reduced_motion": "no-preference",
}


@pytest.fixture(scope="session")
def tabs(browser: Browser) -> Tabs:
    """The tabs that are free, by their options: there the app's code is ready, a second each.

    Streamlit knows a visitor by the page's socket, so visitors in one tab share nothing there.
    """
    return {}


@pytest.fixture(scope="session")
def own_tab(browser: Browser) -> Page:
    """One tab for all who look at the models that come along: in it the app's code is ready."""
    page = browser.new_context(locale="en-US", reduced_motion="reduce").new_page()
    page.set_default_timeout(LONGEST)
    return page


@pytest.fixture
def own_page(own_tab: Page, own_models: str) -> Page:
    """A tab of a new visitor of the models that come along, at their server."""
    own_tab.goto(f"{own_models}{OUTSIDE}")
    own_tab.evaluate("localStorage.clear(); sessionStorage.clear()")
    own_tab.context.clear_cookies()
    own_tab.set_viewport_size({"width": 1280, "height": 720})
    return own_tab


@pytest.fixture
def open_page(browser: Browser, tabs: Tabs, server: str) -> Iterator[Open]:
    """Open the app as a new visitor.

    No page may log an error or a warning, or ask another host for anything.
    """
    opened: list[tuple[str, Page]] = []
    wrong: list[str] = []

    def note_error(error: Error) -> None:
        wrong.append(str(error))

    def note_request(request: Request) -> None:
        # Plotly's script is larger than all others together.
        if not request.url.startswith((server, "data:", "blob:")) or "PlotlyChart" in request.url:
            wrong.append(request.url)

    def note_warning(message: ConsoleMessage) -> None:
        # Streamlit warns where two widgets, of a fragment and of its page, are sent at once; that
        # neither is lost is what `test_typing_and_going_on_at_once_loses_neither` proves.
        at_once = "Multiple different fragmentIds" in message.text
        if message.type in ("error", "warning") and not at_once:
            wrong.append(message.text)

    def open_(query: str = "", **options: Any) -> Page:
        look = LOOK | {name: options.pop(name) for name in LOOK.keys() & options.keys()}
        named = repr(sorted(options.items()))
        free = tabs.setdefault(named, [])
        settings: dict[str, Any] = {"locale": "en-US"} | options
        page = free.pop() if free else browser.new_context(**settings).new_page()
        page.set_default_timeout(LONGEST)
        page.set_viewport_size(look.pop("viewport"))
        page.emulate_media(**look)
        opened.append((named, page))
        page.on("pageerror", note_error)
        page.on("request", note_request)
        page.on("console", note_warning)
        page.goto(f"{server}/{query}")
        # A lesson given in large type has its own words there, not the page's title.
        title = page.locator("h1, h4").filter(visible=True).first
        expect(title).to_be_visible()
        settle(page)
        return page

    yield open_
    for named, page in opened:
        if page.is_closed():
            continue
        page.evaluate("localStorage.clear(); sessionStorage.clear()")
        page.context.clear_cookies()  # the next one is another visitor
        # Any other site would have a process of its own, and the app's code to be read again.
        page.goto(f"{server}{OUTSIDE}")
        page.remove_listener("pageerror", note_error)
        page.remove_listener("request", note_request)
        page.remove_listener("console", note_warning)
        tabs[named].append(page)
    assert not wrong
