"""Pin and compare, in a real browser: a run is pinned, another sentence typed, a cell clicked."""

import re

from playwright.sync_api import expect

from tests.browser.conftest import Open, settle


def test_a_run_is_pinned_and_compared_with_another_sentence(open_page: Open) -> None:
    page = open_page("translate?text=nunca+es+tarde&layer=1&head=1")
    page.get_by_role("button", name="Pin this run").click()
    expect(page).to_have_url(re.compile("pins="))
    card = page.locator(".st-key-pinned-run-1")
    expect(card.get_by_role("img", name=re.compile("Attention map"))).to_be_visible()
    box = page.get_by_label("A sentence in Spanish")
    box.fill("nunca es pronto")
    box.press("Enter")
    expect(page).to_have_url(re.compile("text=nunca.es.pronto"))
    page.get_by_role("radio", name="Compare", exact=True).click()
    expect(page).to_have_url(re.compile("view=compare"))
    expect(page.get_by_test_id("compared-sentences").locator("mark")).to_have_text(["pronto"])

    page.get_by_role("radio", name="Overlay").click()
    map_ = page.locator(".st-key-compared")
    cell = map_.locator(".row").nth(1).locator(".cell").first
    expect(cell.locator(".half")).to_have_count(2)
    settle(page)
    label = cell.get_attribute("aria-label") or ""
    both = re.search(r": A (\S+), B (\S+)$", label)
    assert both is not None, label
    cell.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    expect(cell).to_be_focused()
    cell.click()
    expect(page).to_have_url(re.compile(r"[?&]pin=0\.0"))
    numbers = page.get_by_test_id("compared-cell")
    for number in both.groups():
        expect(numbers).to_contain_text(number)
    expect(page.get_by_text(re.compile("^A: ")).first).to_be_visible()
    expect(page.get_by_text(re.compile("^B: ")).first).to_be_visible()

    page.get_by_role("radio", name="Difference").click()
    expect(map_.locator(".legend")).to_contain_text("−")

    card.get_by_role("button", name="Open").click()
    expect(page).to_have_url(re.compile("text=nunca.es.tarde"))
    page.go_back()
    expect(page).to_have_url(re.compile("text=nunca.es.pronto"))
    expect(page).to_have_url(re.compile("view=compare"))
    expect(numbers).to_be_visible()
