"""A beam steered by hand: with the mouse, and with the keyboard alone."""

import re

from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Open

TREE = ".st-key-tree"


def tree_of(page: Page) -> Locator:
    """Return the tree, which the chapter shows once its question was skipped."""
    if "decoding" in page.url:
        page.get_by_role("button", name="Just show me").click()
    expect(page.locator(f"{TREE} .node.pruned").first).to_be_visible()
    return page.locator(TREE)


def test_a_pruned_word_goes_on_at_a_click_beside_a_table(open_page: Open) -> None:
    """Streamlit's own toolbar wrote words such as “=1+1” for a spreadsheet to compute."""
    page = open_page("translate?view=beam")
    tree = tree_of(page)
    page.get_by_test_id("stDataFrame").hover()
    toolbar = page.get_by_test_id("stElementToolbar").filter(has=page.get_by_label("Search"))
    expect(toolbar.get_by_label("Search")).to_be_visible()
    expect(toolbar.get_by_label("Download as CSV")).to_have_count(1)
    expect(toolbar.get_by_label("Download as CSV")).to_be_hidden()
    before = tree.locator(".node:not(.candidate)").count()
    tree.locator(".node.pruned").first.click()
    expect(page).to_have_url(re.compile(r"branches=A"))
    expect(tree.locator(".node .branch", has_text="A").first).to_be_visible()
    expect(tree.locator(".node.selected .branch")).to_have_text("A")
    assert tree.locator(".node:not(.candidate)").count() > before
    page.reload()
    tree = tree_of(page)
    expect(tree.locator(".node .branch", has_text="A").first).to_be_visible()
    page.locator(".st-key-remove-A button").click()
    expect(tree.locator(".node .branch")).to_have_count(0)
    expect(page).not_to_have_url(re.compile("branches"))


def test_a_pruned_word_goes_on_by_keys_alone(open_page: Open) -> None:
    """Enter on it draws the tree again: the focus stays on the word, and walks on from there."""
    page = open_page("decoding?part=branch")
    tree = tree_of(page)
    tree.locator("[tabindex='0']").focus()
    page.keyboard.press("ArrowRight")
    focused = tree.locator(".node:focus")
    for _word in range(12):
        if "pruned" in (focused.get_attribute("class") or ""):
            break
        page.keyboard.press("ArrowDown")
    expect(focused).to_have_class(re.compile("pruned|candidate"))
    word = focused.locator(".token").inner_text()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"branches=A"))
    expect(tree.locator(".node.selected .token")).to_have_text(word)
    expect(tree.locator(".node.selected .branch")).to_have_text("A")
    expect(focused.locator(".token")).to_have_text(word)
    page.keyboard.press("ArrowRight")
    expect(focused).to_have_attribute("aria-level", "3")
    page.keyboard.press("ArrowLeft")
    expect(focused.locator(".token")).to_have_text(word)


def test_a_typed_beginning_is_searched_while_one_types(open_page: Open) -> None:
    page = open_page("decoding?part=begin")
    field = page.get_by_label("The translation begins with")
    field.fill("It's ne")
    expect(page.locator(".st-key-forced")).to_contain_text("ne…")
    expect(page).to_have_url(re.compile("begin="))
