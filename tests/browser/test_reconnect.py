"""A page that outlives its session: a laptop slept, or the server was started again."""

import re
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Locator, Page, Route, expect

from tests.app.tiny import make_models
from tests.browser.conftest import OUTSIDE, free_port, serve

SECONDS_KEPT = 1  # how long the server keeps the session of a page that it has lost
LONG = " ".join(200 * ["hay humo"])  # too long for an address


class Line:
    """The line to a server: it can be cut, or go dead with nobody noticing."""

    def __init__(self, server: int) -> None:
        self.server, self.port = server, free_port()
        self.restore()

    def restore(self) -> None:
        self.dead = False
        self.ends = [socket.create_server(("localhost", self.port))]
        threading.Thread(target=self._accept, args=self.ends, daemon=True).start()

    def cut(self) -> None:
        for end in self.ends:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()

    def _accept(self, listener: socket.socket) -> None:
        with suppress(OSError):
            while True:
                near = listener.accept()[0]
                far = socket.create_connection(("localhost", self.server))
                self.ends += [near, far]
                for ends in ((near, far), (far, near)):
                    threading.Thread(target=self._carry, args=ends, daemon=True).start()

    def _carry(self, source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(2**16):
                if not self.dead:
                    target.sendall(data)
        with suppress(OSError):
            target.shutdown(socket.SHUT_WR)


def test_a_file_that_did_not_come_is_asked_for_again(browser: Browser, server: str) -> None:
    """The scripts came with the page; as files of their own they can be lost alone."""
    page = browser.new_page()
    lost = []

    def lose_once(route: Route) -> None:
        name = urlsplit(route.request.url).path
        if name in lost:
            return route.continue_()
        lost.append(name)
        return route.abort()

    page.route("**/files/*", lose_once)
    page.goto(f"{server}/translate")
    expect(page.locator(".st-key-matrix [role=grid]").first).to_be_visible(timeout=60_000)
    expect(page.locator(".st-key-search button").first).to_be_visible(timeout=60_000)
    assert {name.partition(".")[0] for name in lost} == {
        f"/files/{name}" for name in ("library", "search", "terms")
    }
    page.close()


@contextmanager
def dropped(**served: Any) -> Iterator[tuple[str, Callable[..., None]]]:
    """Yield an app's address, and how to drop the line to it for too long."""
    with serve(
        served.pop("work"), "--server.disconnectedSessionTTL", str(SECONDS_KEPT), **served
    ) as address:
        line = Line(int(address.rpartition(":")[2]))

        def drop(meanwhile: Callable[[], None] = lambda: None) -> None:
            line.dead = True
            meanwhile()
            line.cut()
            time.sleep(3 * SECONDS_KEPT)
            line.restore()

        yield f"http://localhost:{line.port}", drop
        line.cut()


@contextmanager
def restarted(**served: Any) -> Iterator[tuple[str, Callable[..., None]]]:
    """Yield an app's address, and how to start its server again."""
    port = str(free_port())
    with ExitStack() as running:

        def restart() -> None:
            running.close()
            running.enter_context(serve(served["work"], port=port, **environment))

        environment = {name: path for name, path in served.items() if name != "work"}
        restart()
        yield f"http://localhost:{port}", restart


Lose = Callable[..., None]
only_restarted = pytest.mark.parametrize("app", [restarted], indirect=True)
only_dropped = pytest.mark.parametrize("app", [dropped], indirect=True)


@pytest.fixture(scope="module")
def app(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[str, Lose]]:
    """The address of an app, and how its pages lose their sessions."""
    work = tmp_path_factory.mktemp("app")
    models = make_models(tmp_path_factory.mktemp("pretrained"))
    with request.param(work=work, PRETRAINED_DIR=str(models), RUNS_DIR=str(work)) as served:
        yield served


@pytest.fixture(scope="module")
def tab(browser: Browser, app: tuple[str, Lose]) -> Iterator[Page]:
    """A tab for one visitor after the other: in it the app's code is ready."""
    context = browser.new_context(locale="en-US")
    yield context.new_page()
    context.close()


@pytest.fixture
def page(tab: Page, app: tuple[str, Lose]) -> Page:
    """A page that is open at a sentence of its own."""
    tab.goto(f"{app[0]}{OUTSIDE}")
    tab.goto(f"{app[0]}/translate?text=hay+fuego")
    expect(box(tab)).to_have_value("hay fuego")
    wait_for_rest(tab)
    return tab


@pytest.fixture
def lose(page: Page, app: tuple[str, Lose]) -> Lose:
    """How the page loses its session, and finds the server again."""

    def lose(*meanwhile: Callable[[], None]) -> None:
        app[1](*meanwhile)
        connected = page.locator("[data-test-connection-state='CONNECTED']")
        expect(connected).to_be_visible()
        page.wait_for_timeout(500)  # the run that follows begins a moment later
        wait_for_rest(page)

    return lose


def box(page: Page) -> Locator:
    return page.locator(".stTextInput input")


def wait_for_rest(page: Page) -> None:
    for state in ("connection-state='CONNECTED'", "script-state='notRunning'"):
        expect(page.locator(f"[data-test-{state}]")).to_be_visible()


def enter(page: Page, text: str) -> None:
    box(page).fill(text)
    box(page).press("Enter")


def expect_shown(page: Page, text: str) -> None:
    glued = r"[\s␣]*".join(re.escape(char) for char in text.replace(" ", ""))
    expect(page.locator(".st-key-chips-source")).to_have_text(re.compile(glued))
    expect(box(page)).to_have_value(text)


def open_chapter(page: Page) -> None:
    page.get_by_role("button", name="Step by step").click()
    page.get_by_role("menuitem", name="Many heads").click()
    expect(page.get_by_role("heading", name="Many heads").first).to_be_visible()


@only_dropped
def test_what_is_typed_first_is_kept(page: Page, lose: Lose) -> None:
    """It was reverted, without a word, to what the address said: on every laptop that slept."""
    lose()
    enter(page, "hay humo")
    expect_shown(page, "hay humo")
    expect(page).to_have_url(re.compile("text=hay.humo"))


@only_dropped
def test_what_was_typed_into_a_dead_line_is_kept(page: Page, lose: Lose) -> None:
    """The page sends it again when it finds the server, which took its old address for newer."""
    lose(lambda: enter(page, "hay humo"))
    expect_shown(page, "hay humo")
    expect(page).to_have_url(re.compile("text=hay.humo"))


@only_dropped
def test_a_sentence_too_long_for_the_address_is_kept(page: Page, lose: Lose) -> None:
    """Only the page still knew it."""
    enter(page, LONG)
    expect(page).not_to_have_url(re.compile("text="))
    wait_for_rest(page)
    lose()
    open_chapter(page)
    expect(box(page)).to_have_value(LONG)


@only_restarted
def test_the_first_click_on_an_example_works(page: Page, lose: Lose) -> None:
    """It did nothing: a new session knows no callback before it has drawn the page."""
    lose()
    page.get_by_role("button", name="Examples").click()
    page.get_by_text("Qué será, será").click()
    expect_shown(page, "Qué será, será")


@only_dropped
def test_the_first_click_in_a_live_part_works(page: Page, lose: Lose) -> None:
    """It did nothing, nor did the second: Streamlit drops what is of a fragment it never drew."""
    lose()
    page.get_by_role("radio", name="Lines").click()
    expect(page.locator(".st-key-lines")).to_be_visible()
    expect(page).to_have_url(re.compile("view=lines"))


@only_restarted
def test_a_link_to_a_chapter_keeps_the_sentence(page: Page, lose: Lose) -> None:
    """A link sends no query, and the session that knew it was gone: an example took its place."""
    lose()
    open_chapter(page)
    expect(page).to_have_url(re.compile("text=hay.fuego"))
    expect(box(page)).to_have_value("hay fuego")
