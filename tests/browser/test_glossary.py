"""Terms on the pages and in the glossary, for who has a mouse, a keyboard or a phone."""

import re
from typing import Final

from playwright.sync_api import Locator, Page, ViewportSize, expect

from tests.browser.accessibility import complaints
from tests.browser.conftest import WIDER, Open, settle

PHONE: Final = ViewportSize(width=390, height=844)
WIDE: Final = ViewportSize(width=1280, height=720)
# The middle of a marked term on the screen, once it is there.
MIDDLE: Final = """(term) => {
    const ranges = [...(CSS.highlights.get("term") ?? [])];
    const box = ranges.find((range) => `${range}`.toLowerCase() === term)?.getBoundingClientRect();
    return box?.width ? [box.x + box.width / 2, box.y + box.height / 2] : null;
}"""
MARKED: Final = """() => [...(CSS.highlights.get("term") ?? [])].map((range) => `${range}`)"""


def click_term(page: Page, term: str) -> None:
    """Click where a term is underlined."""
    x, y = page.wait_for_function(MIDDLE, arg=term).json_value()
    page.mouse.click(x, y)


def card(page: Page) -> Locator:
    return page.locator(".st-key-terms").get_by_role("dialog")


def test_a_term_is_marked_once_and_a_click_or_a_key_opens_its_card(open_page: Open) -> None:
    """React breaks a page whose nodes somebody else has split or wrapped."""
    page = open_page("vectors?part=tokens")
    page.get_by_role("button", name="Just show me").click()
    page.wait_for_function(MIDDLE, arg="merges")
    settle(page)
    marked = [text.lower() for text in page.evaluate(MARKED)]
    assert len(marked) == len(set(marked))
    listed = page.locator(".st-key-terms").get_by_role("listitem")
    expect(listed).to_have_count(len(marked))
    is_split = """(node) => [...node.childNodes].some(
        (child) => child.nodeType === 3 && child.previousSibling?.nodeType === 3)"""
    for paragraph in page.locator(".stMain p", has_text="merges").all():
        assert not paragraph.evaluate(is_split)
        assert not paragraph.locator("mark, .term").count()
    click_term(page, "merges")
    expect(card(page)).to_contain_text("One rule of BPE")
    page.keyboard.press("Escape")
    expect(card(page)).to_be_hidden()
    click_term(page, "bytes")
    expect(card(page)).to_contain_text("A number from 0 to 255")
    card(page).get_by_role("button", name="Close").click()
    expect(card(page)).to_be_hidden()
    click_term(page, "bytes")
    page.locator("h1").click()
    expect(card(page)).to_be_hidden()

    terms = page.locator(".st-key-terms")
    word = terms.get_by_role("button", name="merge", exact=True)
    word.press("Enter")
    expect(card(page)).to_be_focused()
    page.keyboard.press("Escape")
    expect(card(page)).to_be_hidden()
    expect(word).to_be_focused()
    terms.get_by_role("button", name="byte", exact=True).press("Enter")
    card(page).get_by_role("button", name="See it").press("Enter")
    expect(page).to_have_url(re.compile(r"/vectors\?.*part=picture"))
    page.wait_for_function(MIDDLE, arg="model")  # those of the new screen


def test_the_glossary_is_searched_and_opens_pages(open_page: Open) -> None:
    page = open_page("glossary", viewport=PHONE, reduced_motion="reduce")
    assert not page.evaluate(WIDER)
    page.set_viewport_size(WIDE)
    rows = page.locator(".st-key-glossary").get_by_role("listitem")
    expect(rows.first).to_be_visible()
    for scheme in ("dark", "light"):
        page.emulate_media(color_scheme=scheme)
        settle(page)
        assert not complaints(page), scheme
    page.get_by_role("searchbox", name="Find a term").fill("SÓFTMAX")
    expect(rows.filter(visible=True).first).to_contain_text("softmax")
    assert rows.filter(visible=True).count() < 12
    page.get_by_role("searchbox").fill("no such term")
    expect(page.locator(".st-key-glossary").get_by_role("status")).to_be_visible()
    page.get_by_role("searchbox").fill("logit lens")
    rows.filter(visible=True).get_by_role("button").first.click()
    expect(page.locator("h1")).to_have_text("Final linear and softmax")
    expect(page).to_have_url(re.compile(r"/output\?.*part=lens"))


def test_sources_open_in_a_new_tab(open_page: Open) -> None:
    page = open_page("people", viewport=PHONE)
    links = page.locator(".st-key-people").get_by_role("link")
    expect(links.first).to_be_visible()
    assert not page.evaluate(WIDER)
    assert links.count() > 30
    ways = links.evaluate_all("links => links.map(({ target, rel }) => `${target} ${rel}`)")
    assert set(ways) == {"_blank noopener noreferrer"}
    page.set_viewport_size(WIDE)
    settle(page)
    assert not complaints(page)
