"""A reader's own sentence in a book: what its page asks of a worker, and what one answers."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

from app.book.build import TRANSLATE, BookEntry, BookPlan, build
from app.book.cells import run_of
from app.live import pack
from app.registry import Address
from tests.browser.conftest import alone
from tests.browser.test_book import served as served_folder
from tests.browser.test_book import tables

OWN = "El gato negro duerme en la silla."
SENTENCE = "Nunca es tarde para aprender"
SCREENS = [Address("masked_attention", screen) for screen in ("mask", "row", "peek")]
FIRST, SECOND, THIRD = (".".join(at) for at in SCREENS)
# Answers as the app does, so that what the page makes of it is seen.
STUB = """
const drawn = (name, said) => ({
  name, page: "masked_attention", title: `${name} ${said}`, text, settings: {}, pieces: {},
  html: `<p id="said">${said}</p><button data-control="button" data-option="0">Press</button>`,
});
let text = "";
const answers = {
  begin: () => ({}),
  sentence: (typed) => {
    if (typed === "?") return { error: "Not that." };
    text = typed;
    return { text, output: typed.toUpperCase() };
  },
  open: (name) => drawn(name, `${name} of ${text}`),
  choose: (key, option) => drawn("SECOND", `pressed ${key}`),
};
self.onmessage = ({ data: { call, args } }) => {
  if (call === "sentence" && args[0] === "crash") throw new Error("crash");
  const answer = () => self.postMessage({ result: call === "begin" ? {} : answers[call](...args) });
  self.postMessage({ progress: { loaded: 3e6, total: 12e6 } });
  if (text === "slow" && call === "open") return; // until it is stopped
  if (text.startsWith("slow") && call === "open") setTimeout(answer, 500);
  else answer();
};
"""


def plan() -> BookPlan:
    entries = [*(BookEntry(".".join(at), at) for at in SCREENS), TRANSLATE]
    return BookPlan(entries, [SENTENCE], room=0, live=True)


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A book whose worker only says what it was asked."""
    out = tmp_path_factory.mktemp("live") / "book"
    build(replace(plan(), recorded=[THIRD]), out)
    (out / "live").mkdir()
    (out / "live/worker.js").write_text(STUB.replace("SECOND", SECOND), encoding="utf-8")
    return out


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serve a book; give the address of its first sentence in English."""
    with served_folder(folder) as address:
        yield f"{address}/en/1"


def type_in(page: Page, text: str) -> None:
    page.get_by_role("textbox", name="Your own sentence in Spanish").fill(text)
    page.keyboard.press("Enter")


def test_the_page_shows_what_the_worker_draws(browser: Browser, book: Path) -> None:
    with served(book) as address, alone(browser, f"{address}/{FIRST}.html") as page:
        type_in(page, "mi gato & yo")
        expect(page.locator(".own-output")).to_have_text("MI GATO & YO")
        expect(page.locator("#said")).to_have_text(f"{FIRST} of mi gato & yo")
        expect(page.get_by_label("The sentence")).to_have_value("")
        page.get_by_role("button", name="Press").click()
        expect(page.locator("#said")).to_have_text("pressed button")
        expect(page).to_have_url(f"{address}/{SECOND}.html#text=mi%20gato%20%26%20yo")
        page.go_back()
        expect(page.locator("#said")).to_have_text(f"{FIRST} of mi gato & yo")
        page.reload()
        expect(page.locator("#said")).to_have_text(f"{FIRST} of mi gato & yo")
        page.get_by_role("link", name="What if …").click()
        expect(page.locator("#said")).to_have_text("translate of mi gato & yo")


def test_back_and_the_list_lead_to_the_sentences_of_the_book(browser: Browser, book: Path) -> None:
    with served(book) as address, alone(browser, f"{address}/{FIRST}.html") as page:
        type_in(page, "hola")
        expect(page.locator("#said")).to_be_visible()
        page.go_back()
        expect(page.locator(".stMain")).to_contain_text(SENTENCE)
        expect(page.locator(".own-output")).to_be_empty()
        page.go_forward()
        expect(page.locator("#said")).to_have_text(f"{FIRST} of hola")
        page.get_by_label("The sentence").select_option(SENTENCE)
        expect(page).to_have_url(f"{address}/{FIRST}.html")
        expect(page.locator(".stMain")).to_contain_text(SENTENCE)


def test_of_several_questions_that_wait_the_last_is_answered(browser: Browser, book: Path) -> None:
    with served(book) as address, alone(browser, f"{address}/{FIRST}.html") as page:
        type_in(page, "slow one")
        expect(page.locator(".own-output")).to_have_text("SLOW ONE")
        expect(page.locator("body[data-computes]")).to_be_visible()
        expect(page.locator(".stMain")).to_contain_text(SENTENCE)  # until the other one is drawn
        type_in(page, "two")
        type_in(page, "three")
        expect(page.locator("#said")).to_have_text(f"{FIRST} of three")
        expect(page.locator("body[data-computes]")).to_have_count(0)


def test_what_fails_is_one_sentence_and_can_be_tried_again(browser: Browser, book: Path) -> None:
    with served(book) as address, alone(browser, f"{address}/{FIRST}.html") as page:
        told = page.locator(".own-told")
        type_in(page, "?")
        expect(told).to_have_text("Not that.")
        type_in(page, "crash")
        expect(told).to_contain_text("Try it again")
        type_in(page, "slow")
        page.get_by_role("button", name="Stop").click()
        expect(told).to_have_text("Stopped.")
        expect(page.locator(".stMain")).to_contain_text(SENTENCE)
        type_in(page, "hola")
        expect(page.locator("#said")).to_have_text(f"{FIRST} of hola")
        expect(told).to_be_empty()


def test_what_no_browser_computes_stays_as_it_was_recorded(browser: Browser, book: Path) -> None:
    with served(book) as address, alone(browser, f"{address}/{THIRD}.html#text=hola") as page:
        expect(page.locator(".own-told")).to_contain_text("does not show your sentence")
        expect(page.locator(".own-told").get_by_role("link")).to_have_attribute("href", "app.html")
        expect(page.locator(".stMain")).to_contain_text(SENTENCE)
        page.get_by_role("button", name=re.compile("^← Back")).click()
        expect(page.locator("#said")).to_have_text(f"{FIRST} of hola")
        expect(page.locator(".own-told")).to_be_empty()


def test_after_the_first_sentence_nothing_is_asked_for_any_more(
    browser: Browser, book: Path
) -> None:
    """Without a network, Next led nowhere where a screen stays as it was recorded."""
    with served(book) as address, alone(browser, f"{address}/{FIRST}.html") as page:
        with page.expect_response(re.compile(rf"/{re.escape(THIRD)}\.\w+\.js$")):
            type_in(page, "hola")
        expect(page.locator("#said")).to_have_text(f"{FIRST} of hola")


def test_what_was_not_recorded_is_answered_by_the_app(browser: Browser, book: Path) -> None:
    """On the sentence of the book; Back leads to what was recorded."""
    with served(book) as address, alone(browser, f"{address}/{SECOND}.html") as page:
        head = page.get_by_role("radiogroup", name="Head").get_by_role("radio", name="3")
        head.click()
        expect(page.locator("#said")).to_have_text("pressed head-en")
        expect(page).to_have_url(re.compile("#text=Nunca"))
        page.go_back()
        expect(head).to_be_visible()
        expect(page.locator(".own-output")).to_be_empty()
    with alone(browser, (book / f"en/1/{SECOND}.html").as_uri()) as page:
        page.get_by_role("radiogroup", name="Head").get_by_role("radio", name="3").click()
        expect(page.locator("#told")).to_contain_text("does not have this choice")


def test_from_the_disk_it_says_what_it_needs(browser: Browser, book: Path) -> None:
    with alone(browser, (book / f"en/1/{FIRST}.html").as_uri()) as page:
        expect(page.locator(".own-told")).to_contain_text("needs a web server")
        expect(page.get_by_role("button", name="Translate")).to_be_disabled()
        expect(page.locator(".stMain")).to_contain_text(SENTENCE)


@pytest.mark.slow
def test_a_book_translates_without_a_server(browser: Browser, tmp_path: Path) -> None:
    """Python, the app and the model come from the book's own folder; then nothing is asked for."""
    try:
        pack.runtime()
    except ValueError as error:
        pytest.skip(str(error))
    build(replace(plan(), languages=("en", "fr")), tmp_path / "book", pack=pack.write)
    translated = run_of({"model": "es-en", "text": OWN}).translation.output
    with served(tmp_path / "book") as address, alone(browser, f"{address}/{FIRST}.html") as page:
        asked: list[str] = []
        type_in(page, OWN)
        expect(page.locator(".own-output")).to_have_text(translated)
        expect(page.locator(".stMain")).to_contain_text(OWN)
        assert read_off(page) >= 60
        page.on("request", lambda request: asked.append(request.url))
        page.context.set_offline(True)
        page.get_by_role("button", name=re.compile("^Next")).click()
        expect(page.locator("h2")).to_contain_text("One token and its future")
        chips = page.get_by_role("toolbar", name="The token that looks")
        expect(chips.get_by_role("button", name="cat", exact=True)).to_be_visible()
        head = page.get_by_role("radiogroup", name="Head").get_by_role("radio", name="3")
        head.click()
        expect(head).to_be_checked()
        page.get_by_role("application").first.press("ArrowDown")
        page.get_by_role("application").first.press("Enter")
        expect(page.locator(".panel")).to_contain_text("head 3")
        page.get_by_role("link", name="What if …").click()
        expect(page.locator(".stMain")).to_contain_text(translated)
        assert not asked
    with served(tmp_path / "book") as address:
        french = f"{address.replace('/en/', '/fr/')}/{SECOND}.html#text={OWN}"
        with alone(browser, french) as page:
            expect(page.locator(".own-output")).to_have_text(translated)
            expect(page.locator(".stMain")).to_contain_text(OWN)
            expect(page.locator("h2")).to_contain_text("Un token et son avenir")


def read_off(page: Page) -> int:
    """Compare the numbers of three boards with the run in PyTorch; return how many there are."""
    capture, count = run_of({"model": "es-en", "text": OWN}).capture, 0
    boards = [[row[1:] for row in one] for one in tables(page)]
    for name in ("scaled", "masked", "weights"):
        expected = capture.stage("decoder", 0, name, 0)
        shown = [
            np.array([[number(text) for text in row] for row in one])
            for one in boards
            if (len(one), len(one[0])) == expected.shape
        ]
        assert any(np.allclose(one, expected, rtol=1e-4, atol=1e-5) for one in shown), name
        count += expected.size
    return count


def number(text: str) -> float:
    return float(text.replace("−", "-").replace("∞", "inf"))
