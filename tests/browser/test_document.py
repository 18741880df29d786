"""A saved web page works alone: in a real browser, offline, by mouse and keys, for everybody."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from app.notebook import load
from tests.browser.conftest import Open

SENTENCE = "El gato <script>alert(1)</script> duerme en mi silla."


@pytest.fixture(scope="module")
def document(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The address of a saved file, on the disk."""
    path = tmp_path_factory.mktemp("saved") / "attention.html"
    load("es-en").translate(SENTENCE).show("matrix", "cross", layer=2, head=3).save(path)
    return path.as_uri()


@pytest.fixture
def page(browser: Browser, document: str) -> Iterator[Page]:
    """The file in a new window."""
    with alone(browser, document) as page:
        yield page


@contextmanager
def alone(browser: Browser, document: str) -> Iterator[Page]:
    """Open a file in a new window, where it may ask for nothing and make no mistake."""
    page = browser.new_context(viewport={"width": 1200, "height": 900}).new_page()
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda said: wrong.append(said.text))
    page.on("dialog", lambda dialog: wrong.append(dialog.message))
    page.on("request", lambda asked: wrong.extend({asked.url} - {document}))
    page.goto(document)
    yield page
    page.context.close()
    assert not wrong


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_can_be_read_pointed_at_and_walked_through(page: Page, scheme: str) -> None:
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    cell = page.locator("#matrix .cell").first
    cell.hover()
    readout = page.locator("#matrix .readout")
    expect(readout).to_contain_text("looks at")
    cell.click()
    expect(readout).to_contain_text("Pinned")
    before = readout.inner_text()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(readout).not_to_have_text(before)
    for view in ("matrix", "wall", "lines"):
        page.select_option("#view", view)
        expect(page.locator(f"#{view} .root > *").first).to_be_visible()
        assert Axe().run(page).response["violations"] == []


def test_a_picture_of_the_wall_chooses_the_head(page: Page) -> None:
    page.select_option("#view", "wall")
    page.locator("#wall .thumb").nth(1).click()
    assert [page.input_value(f"#{name}") for name in ("layer", "head")] == ["0", "1"]
    page.select_option("#kind", "encoder")
    assert page.locator("#layer option").count() == 5
    page.select_option("#view", "lines")
    expect(page.locator("#lines .word").first).to_be_visible()
    expect(page.locator("#wall")).to_be_hidden()
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") == 390


def test_a_notebook_shows_it_in_a_frame_and_asks_for_nothing(browser: Browser) -> None:
    with alone(browser, "about:blank") as page:
        page.set_content(load("es-en").translate("Hola.")._repr_html_())
        frame = page.frame_locator("iframe")
        frame.locator("#matrix .cell").first.hover()
        expect(frame.locator("#matrix .readout")).to_contain_text("looks at")


def test_a_report_prints_on_paper(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    load("es-en").translate(SENTENCE).show("report", "decoder", layer=1, head=3).save(path)
    with alone(browser, path.as_uri()) as page:
        page.emulate_media(color_scheme="dark")
        assert Axe().run(page).response["violations"] == []
        assert page.locator("script").count() == 0
        expect(page.locator("svg")).to_have_count(4)  # the chosen head, and a wall of each kind
        page.emulate_media(media="print")
        a4 = 688  # pixels between the margins
        page.set_viewport_size({"width": a4, "height": 1000})
        assert page.evaluate("document.documentElement.scrollWidth") == a4
        assert (
            page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
        )
        assert page.pdf(prefer_css_page_size=True).count(b"/Type /Page\n") in (2, 3, 4)


@pytest.mark.parametrize("part", ["stream", "norm"])
def test_a_figure_of_a_page_is_kept_as_a_web_page(
    open_page: Open, browser: Browser, tmp_path: Path, part: str
) -> None:
    """A chart and a board: pointed at and walked through, in a file without a server."""
    sentence = "hola <script>alert(1)</script>"
    app = open_page(f"add_norm?part={part}&text={sentence}", reduced_motion="reduce")
    app.get_by_role("button", name="Table and picture").first.press("Enter")
    opened = app.get_by_role("dialog", name="Table and picture")
    with app.expect_download() as saved:
        opened.get_by_role("button", name="Save as a web page").press("Enter")
    path = tmp_path / saved.value.suggested_filename
    saved.value.save_as(path)
    assert path.suffix == ".html"
    assert path.stat().st_size < 1_000_000
    with alone(browser, path.as_uri()) as page:
        place, readout = page.get_by_role("application").first, page.locator(".readout").first
        before = readout.inner_text()
        place.hover()
        expect(readout).not_to_have_text(before)
        place.focus()
        page.keyboard.press("End")
        last = readout.inner_text()
        page.keyboard.press("Home")
        expect(readout).not_to_have_text(last)
        expect(page.locator("pre")).to_contain_text("/add_norm?")
        assert Axe().run(page).response["violations"] == []
        page.set_viewport_size({"width": 390, "height": 844})
        assert page.evaluate("document.documentElement.scrollWidth") == 390
