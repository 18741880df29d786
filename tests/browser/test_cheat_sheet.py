"""The drawing of the whole model, and the sheet that is printed with it, in a real browser."""

import re
from typing import Final

from playwright.sync_api import Page

from tests.browser.conftest import settle

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


def test_the_drawing_and_the_sheet_that_is_printed(own_page: Page, own_models: str) -> None:
    """It said "on one sheet", and took two.

    With more encoder layers than decoder layers, what learning compares lay on the memory.
    """
    for place in (
        "cheat_sheet?model=es-en",
        "cheat_sheet?model=fr-en&lang=fr",
        "big_picture?part=map&model=fr-en",
    ):
        own_page.goto(f"{own_models}/{place}")
        own_page.get_by_role("toolbar").first.wait_for()
        settle(own_page)
        assert own_page.evaluate(LAID_ON) == [], place
        if place.startswith("cheat_sheet"):
            own_page.locator(".st-key-sheet .katex").nth(5).wait_for()
            assert len(PAGE_OF_PDF.findall(own_page.pdf(format="A4"))) == 1, place
