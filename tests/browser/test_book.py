"""A book works without a server: every screen, offline, from the disk and from a plain server."""

import functools
import http.server
import re
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, Route, expect

from app.book.build import BookEntry, BookPlan, build, of_lesson, single
from app.data.decoding import Decoding
from app.data.walk import walk
from app.format import short
from app.lesson import Lesson, Stop
from app.registry import Address
from tests.browser.conftest import alone

SENTENCE = "Nunca es tarde para aprender"
HOSTILE = "El <img src=x onerror=alert(1)> `:red[x]` $x$ </script><script>alert(2)</script> duerme."
LESSON = Lesson(
    "<b>Look</b> & see",
    (
        Stop("self_attention", "softmax", words="Who looks <i>where</i>?", note="Let them guess."),
        Stop("decoding", "loop"),
        Stop("masked_attention", "mask"),
        Stop("output", "softmax"),
    ),
)
SECONDS = 20  # to build the lesson, on a machine with nothing else to do
LOOKS = [((1440, 900), "light"), ((1280, 720), "dark"), ((390, 844), "light")]


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A lesson of a few screens in a folder."""
    out = tmp_path_factory.mktemp("book") / "lesson"
    begun = time.process_time()
    build(BookPlan(of_lesson(LESSON), [SENTENCE], title=LESSON.title, room=8_000), out)
    assert time.process_time() - begun < SECONDS
    return out


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two screens on a sentence that would do harm, in one file."""
    path = tmp_path_factory.mktemp("book") / "lesson.html"
    lesson = Lesson(LESSON.title, LESSON.stops[::3])
    path.write_text(single(BookPlan(of_lesson(lesson), [HOSTILE], room=0)), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def two_languages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two screens of chapters, on two sentences, in two languages."""
    out = tmp_path_factory.mktemp("book") / "chapters"
    screens = [Address("masked_attention", "mask"), Address("output", "softmax")]
    entries = [BookEntry(".".join(at), at) for at in screens]
    build(BookPlan(entries, [SENTENCE, "Mi gato duerme"], languages=("en", "es"), room=0), out)
    return out


@contextmanager
def offline(browser: Browser, address: str, **look: Any) -> Iterator[Page]:
    """Open a page of a book, which may ask for nothing outside of it."""
    look = {"viewport": {"width": 1280, "height": 720}} | look
    with alone(browser, address, own=address.rsplit("/", 3)[0], **look) as page:
        expect(page.locator("[data-kind=steps] button").first).to_be_visible()
        yield page


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serve a folder as any host of static pages does."""
    handler = functools.partial(_Quiet, directory=str(folder))
    with http.server.ThreadingHTTPServer(("localhost", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://localhost:{server.server_address[1]}"
        server.shutdown()


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_args: object) -> None:
        pass


def sticks_out(page: Page) -> int:
    """How far one could scroll sideways."""
    widths = "() => ['html', '.stMain'].map((s) => document.querySelector(s)).map("
    return max(page.evaluate(f"{widths}(e) => e.scrollWidth - e.clientWidth)"))


def troubles(page: Page, names: Iterable[str], settle: Callable[[], object]) -> list[str]:
    """Walk through all screens by Next; return what sticks out, is no formula, or axe finds."""
    found, missing = [], set(names)
    while missing:
        expect(page).to_have_url(re.compile(rf"[/#]({'|'.join(missing)})(\.html)?$"))
        settle()
        name = re.split("[/#]", page.url.removesuffix(".html"))[-1]
        missing.remove(name)
        if (pixels := sticks_out(page)) > 0:
            found.append(f"{name} sticks out by {pixels} px")
        if page.locator("mtext").filter(has_text=re.compile(r"^\\")).count():
            found.append(f"{name} has a formula that is not drawn")
        violations = Axe().run(page, options={"preload": False}).response["violations"]
        found += [f"{name}: {one['id']} {one['nodes'][0]['html'][:200]}" for one in violations]
        on = page.get_by_role("button", name=re.compile("^Next"))
        if on.is_enabled():
            on.click()
    return found


@pytest.mark.parametrize(("size", "scheme"), LOOKS, ids=str)
def test_next_alone_leads_through_all_of_it(
    browser: Browser, book: Path, size: tuple[int, int], scheme: str
) -> None:
    look = {"viewport": {"width": size[0], "height": size[1]}, "color_scheme": scheme}
    with offline(browser, (book / "en/1/1.html").as_uri(), offline=True, **look) as page:
        names = [str(number) for number in range(1, len(LESSON.stops) + 1)]
        assert not troubles(page, names, lambda: page.wait_for_timeout(300))


def let_through(page: Page, late: list[Route]) -> None:
    """Let a request that was held back go on, once it was made."""
    for _ in range(500):
        if late:
            return late[0].continue_()
        page.wait_for_timeout(20)
    raise AssertionError("no request within 10 s")


def test_a_screen_that_comes_late_takes_no_others_place(browser: Browser, book: Path) -> None:
    """Gone back before the next screen was loaded, a reader saw it at the address of the first."""
    with served(book) as address, offline(browser, f"{address}/en/1/1.html") as page:
        late: list[Route] = []
        page.route("**/*.js", lambda route: late.append(route))
        page.keyboard.press("ArrowRight")
        expect(page).to_have_url(f"{address}/en/1/2.html")
        page.go_back()
        expect(page).to_have_url(f"{address}/en/1/1.html")
        with page.expect_response("**/*.js"):
            let_through(page, late)
        page.wait_for_timeout(300)
        expect(page.locator("h4")).to_have_text("Who looks <i>where</i>?")


def test_a_screen_that_cannot_be_loaded_is_told_and_tried_again(
    browser: Browser, book: Path
) -> None:
    """Next did nothing once the network had gone, also when it was back."""
    with served(book) as address:
        page = browser.new_page()
        page.goto(f"{address}/en/1/1.html")
        expect(page.locator("[data-kind=steps] button").first).to_be_visible()
        page.context.set_offline(True)
        page.keyboard.press("ArrowRight")
        expect(page.locator("#told")).to_contain_text("could not be loaded")
        page.context.set_offline(False)
        page.keyboard.press("ArrowRight")
        expect(page.locator("h4")).to_have_count(0)
        page.close()


def test_a_choice_shows_what_was_recorded_of_it(browser: Browser, book: Path) -> None:
    """The picture, its text and its tables follow the layer, the head and the word."""
    with offline(browser, (book / "en/1/1.html").as_uri()) as page:
        before = table(page)
        page.get_by_role("radiogroup", name="Head").get_by_role("radio", name="3").click()
        expect(page.get_by_role("radio", name="3", checked=True).first).to_be_focused()
        for _late in range(20):
            page.wait_for_timeout(300)
            if (after := table(page)) != before:
                break
        assert after != before
        weights = run().array("encoder.0.self_attn.weights")[2]
        assert column(after, -1) in [[short(float(x), 6) for x in row] for row in weights]


def test_search_a_term_and_a_page_in_print(browser: Browser, two_languages: Path) -> None:
    first = two_languages / "en/1/masked_attention.mask.html"
    with offline(browser, first.as_uri(), offline=True) as page:
        page.get_by_role("button", name="causal mask").first.click()
        expect(page.get_by_text("The mask that hides the words to come")).to_be_visible()
        page.keyboard.press("Escape")
        page.keyboard.press("Control+k")
        page.keyboard.type("logits to probabilities")
        expect(page.get_by_text("From logits to probabilities")).to_be_visible()
        page.keyboard.press("Enter")
        expect(page.locator("h2, h3")).to_contain_text(["From logits to probabilities"])
        controls = page.locator("header.book")
        expect(controls).to_be_visible()
        page.emulate_media(media="print")
        expect(controls).to_be_hidden()


def test_the_same_screen_in_another_language_and_on_another_sentence(
    browser: Browser, two_languages: Path
) -> None:
    with offline(browser, (two_languages / "en/1/output.softmax.html").as_uri()) as page:
        page.get_by_label("Language").select_option(label="Español")
        expect(page).to_have_title(re.compile("De los logits a las probabilidades"))
        assert page.url.endswith("/es/1/output.softmax.html")
        page.get_by_label("La frase").select_option(label="Mi gato duerme")
        page.wait_for_url("**/es/2/output.softmax.html")
        expect(page.locator(".stMain")).to_contain_text("Mi gato duerme")


def test_a_choice_made_before_the_page_listens_is_followed(
    browser: Browser, two_languages: Path
) -> None:
    """A menu said “Mi gato duerme” above another sentence: its script had come too late.

    Back from there, it says again what is shown.
    """
    late: list[Route] = []
    with served(two_languages) as address:
        start = f"{address}/en/1/output.softmax.html"
        with offline(browser, start) as page:
            page.route("**/*.js", lambda route: late.append(route), times=1)
            page.reload(wait_until="commit")
            page.get_by_label("The sentence").select_option(label="Mi gato duerme")
            let_through(page, late)
            page.wait_for_url("**/en/2/output.softmax.html")
            page.go_back()
            expect(page.get_by_label("The sentence")).to_have_value("en/1")
            page.wait_for_timeout(300)
            assert page.url == start


def test_a_second_window_has_the_notes(browser: Browser, book: Path) -> None:
    with offline(browser, (book / "en/1/1.html").as_uri()) as page:
        with page.expect_popup() as opened:
            page.get_by_text("Speaker’s notes").click()
        notes = opened.value.locator("body")
        expect(notes).to_contain_text("Let them guess.")
        page.get_by_role("button", name=re.compile("^Next")).click()
        expect(notes).to_contain_text("2 of 4")


def test_a_stop_that_was_not_recorded_is_told(browser: Browser, book: Path) -> None:
    """A slider wrote its new value beside the old picture, and nothing told of it."""
    with offline(browser, (book / "en/1/2.html").as_uri()) as page:
        slider = page.locator("input[type=range]").first
        before = slider.input_value()
        key = slider.get_attribute("data-control")
        page.evaluate(
            "(key) => { document.querySelector(`[data-control='${key}']`)"
            ".dataset.control = 'none'; }",
            key,
        )
        slider = page.locator("input[data-control=none]")
        slider.press("ArrowRight" if before == "0" else "ArrowLeft")
        told = page.locator("#told")
        expect(told).to_contain_text("does not have this choice")
        expect(slider).to_have_value(before)
        written = slider.locator("xpath=..").locator("output").inner_text()
        values = (slider.get_attribute("data-values") or "").split()
        assert written == values[int(before)]
        told.get_by_role("link", name="With the app").click()
        training = page.get_by_role("link", name="Train your own")
        expect(training).to_have_attribute("href", "http://localhost:8501/training")
        page.get_by_role("link", name="Back to the book").click()
        expect(page.locator("h4")).to_have_text("Who looks <i>where</i>?")


def test_the_numbers_are_those_of_the_capture(browser: Browser, book: Path) -> None:
    """Read off the pages: scores, powers and weights of one row; probabilities of a step."""
    capture = run()
    count = 0
    with offline(browser, (book / "en/1/1.html").as_uri()) as page:
        shown = {tuple(column(one, -1)) for one in tables(page)}
    for name in ("masked", "powers", "weights"):
        rows = capture.array(f"encoder.0.self_attn.{name}")[0]
        columns = {tuple(short(float(x), 6) for x in row) for row in rows}
        assert shown & columns, name
        count += rows.shape[1]
    with offline(browser, (book / "en/1/3.html").as_uri()) as page:
        matrices = [[row[1:] for row in one] for one in tables(page)]
    for name in ("scaled", "masked", "weights"):
        rows = capture.array(f"decoder.0.self_attn.{name}")[0]
        places = np.argwhere(np.abs(rows) < 1e6)
        wanted = [short(float(rows[i, j]), 6) for i, j in places]
        held = [one for one in matrices if (len(one), len(one[0])) == rows.shape]
        assert wanted in [[one[i][j] for i, j in places] for one in held], name
        count += len(wanted)
    assert count >= 60


def test_a_number_opens_its_calculation(browser: Browser, book: Path) -> None:
    """By keys: the cell, its panel, the number above it, and back with Escape."""
    with offline(browser, (book / "en/1/1.html").as_uri()) as page:
        grid = page.locator("[data-kind=board] [role=application]").last
        grid.focus()
        page.keyboard.press("Enter")
        asked = page.get_by_test_id("asked")
        expect(asked).to_contain_text("weight")
        named = asked.inner_text()
        page.locator(".source").first.click()
        expect(asked).not_to_have_text(named)
        page.get_by_role("button", name="Close").click()
        expect(asked).to_have_count(0)


def test_what_a_visitor_wrote_runs_nothing(browser: Browser, file: Path) -> None:
    """The sentence, its tokens, the lesson's title and its words are texts wherever they stand."""
    text = file.read_text(encoding="utf-8")
    assert text.count("Content-Security-Policy") == 1
    assert text.lower().count("<script") == 1
    with offline(browser, file.as_uri(), offline=True) as page:
        assert page.locator("img[src=x]").count() == 0
        page.keyboard.press("ArrowRight")
        expect(page.get_by_role("main")).to_contain_text("onerror")
        page.wait_for_timeout(500)


def test_a_figure_stands_in_a_frame_of_another_origin(browser: Browser, book: Path) -> None:
    """It works there by keys, and tells the page around it how high it is."""
    with served(book) as address:
        page = browser.new_context().new_page()
        key = "encoder-attention-3"
        page.set_content(
            "<script>heights = []; onmessage = ({ data }) => heights.push(data.height)</script>"
            f'<iframe src="{address}/en/1/1.html#figure={key}" width="700" height="400"></iframe>'
        )
        framed = page.frame_locator("iframe")
        board = framed.locator(f"[data-key={key}]")
        grid = board.locator("[role=application]").first
        expect(grid).to_be_visible()
        expect(framed.locator("header")).to_be_hidden()
        grid.focus()
        page.keyboard.press("ArrowDown")
        expect(board.locator(".readout.live")).to_be_visible()
        page.wait_for_function("heights.some((high) => high > 50)")
        page.context.close()


def run() -> Any:
    return walk("es-en", SENTENCE, Decoding("beam", beam=4))


def tables(page: Page) -> list[list[list[str]]]:
    """Unfold the numbers of all boards, and read them."""
    for fold in page.locator("summary", has_text="Table").all():
        fold.click()
    expect(page.locator(".numbers table").first).to_be_visible()
    cells = "(r) => [...r.cells].map((c) => c.innerText)"
    read = f"(all) => all.map((t) => [...t.tBodies[0].rows].map({cells}))"
    found: list[list[list[str]]] = page.locator(".numbers table").evaluate_all(read)
    return found


def table(page: Page) -> list[list[str]]:
    found = tables(page)[-1]
    for fold in page.locator("details[open] > summary").all():
        fold.click()
    return found


def column(rows: list[list[str]], at: int) -> list[str]:
    return [row[at] for row in rows]
