"""The drawing of the whole model, and the sheet that is printed with it, in a real browser."""

import re
from typing import Final

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.test_walk import PATIENCE, SETTLED

PAGE_OF_PDF: Final = re.compile(rb"/Type\s*/Page\b")
# The boxes of the drawing that lie on one another, by what they open.
LAID_ON: Final = """() => {
    const map = [...document.querySelectorAll('.st-key-map *, [class*=st-key-] *')]
        .find((it) => it.shadowRoot?.querySelector('.map svg .part'));
    const boxes = [...map.shadowRoot.querySelectorAll('.part')].map((part) => ({
        name: part.textContent, ...part.querySelector('.face').getBoundingClientRect().toJSON()}));
    if (boxes.length < 8) return ['too few boxes'];
    const over = (a, b) => a.right > b.left + 1 && a.left < b.right - 1
        && a.bottom > b.top + 1 && a.top < b.bottom - 1;
    const pairs = boxes.flatMap((a, i) => boxes.slice(i + 1).map((b) => [a, b]));
    return pairs.filter(([a, b]) => over(a, b)).map(([a, b]) => `${a.name} on ${b.name}`);
}"""


def opened(browser: Browser, address: str) -> Page:
    """A page with its drawing, once nothing is computed any more."""
    page = browser.new_page(locale="en-US", viewport={"width": 1280, "height": 720})
    page.goto(address)
    page.get_by_role("toolbar").first.wait_for(timeout=PATIENCE)
    page.wait_for_function(SETTLED, timeout=PATIENCE)
    return page


@pytest.mark.parametrize("query", ["model=es-en", "model=fr-en", "model=es-en&lang=fr"])
def test_the_sheet_is_one_page_of_a4(browser: Browser, own_models: str, query: str) -> None:
    """It said "on one sheet", and took two."""
    page = opened(browser, f"{own_models}/cheat_sheet?{query}")
    page.locator(".st-key-sheet .katex").nth(5).wait_for(timeout=PATIENCE)
    assert len(PAGE_OF_PDF.findall(page.pdf(format="A4"))) == 1
    page.close()


@pytest.mark.parametrize("model", ["es-en", "fr-en"])
@pytest.mark.parametrize("place", ["cheat_sheet", "big_picture?part=map"])
def test_no_box_of_the_model_lies_on_another(
    browser: Browser, own_models: str, place: str, model: str
) -> None:
    """With more encoder layers than decoder layers, what learning compares lay on the memory."""
    page = opened(browser, f"{own_models}/{place}{'&' if '?' in place else '?'}model={model}")
    assert page.evaluate(LAID_ON) == []
    page.close()
