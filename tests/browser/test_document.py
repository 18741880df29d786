"""A saved web page works alone: in a real browser, offline, by mouse and keys, for everybody."""

from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from app.notebook import load

SENTENCE = "El gato <script>alert(1)</script> duerme en mi silla."


@pytest.fixture(scope="module")
def document(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The address of a saved file, on the disk."""
    path = tmp_path_factory.mktemp("saved") / "attention.html"
    load("es-en").translate(SENTENCE).show("matrix", "cross", layer=2, head=3).save(path)
    return path.as_uri()


@pytest.fixture
def page(browser: Browser, document: str) -> Iterator[Page]:
    """The file in a new window, which may ask for nothing and make no mistake."""
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
