"""What if: a weight is dragged, a head is muted, and the address keeps it, in a real browser."""

import re

from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Open, box_of, settle

TEXT = "text=nunca+es+tarde"


def cell(page: Page, row: int, col: int) -> Locator:
    return page.locator(".st-key-matrix .row").nth(row + 1).locator(".cell").nth(col)


def weights(page: Page, row: int) -> list[float]:
    """The weights of a row of the matrix, as they are read out; a power of ten counts as 0."""
    expect(cell(page, row, 0)).to_be_visible()
    cells = page.locator(".st-key-matrix .row").nth(row + 1).locator(".cell").all()
    names = [one.get_attribute("aria-label") or "" for one in cells]
    numbers = [name.rpartition(": ")[2].removeprefix(">") for name in names]
    return [0.0 if "·10" in number else float(number) for number in numbers]


def rest(page: Page) -> None:
    settle(page)
    page.wait_for_timeout(300)


def test_a_weight_is_dragged_or_set_by_keys_and_the_row_follows(open_page: Open) -> None:
    page = open_page(f"translate?{TEXT}&kind=encoder&layer=1&head=1&edit=1")
    before = weights(page, 1)
    rest(page)
    cell(page, 1, 2).scroll_into_view_if_needed()
    box = box_of(cell(page, 1, 2))
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    up = 48 if before[2] < 0.5 else -48
    for part in range(1, 7):
        page.mouse.move(x, y - up * part / 6)
    during = weights(page, 1)  # before the server hears of it
    assert abs(during[2] - (before[2] + up / 160)) < 0.01
    assert abs(sum(during) - 1) < 0.001
    share = (1 - during[2]) / (1 - before[2])
    for i, (now, old) in enumerate(zip(during, before, strict=True)):
        assert i == 2 or abs(now - old * share) < 0.001
    assert "change=" not in page.url
    page.mouse.up()
    expect(page).to_have_url(re.compile(r"change=edit-encoder-0-0-1-2_"))
    expect(page.get_by_test_id("both-runs")).to_be_visible()
    rest(page)
    after = weights(page, 1)
    assert max(abs(a - b) for a, b in zip(during, after, strict=True)) < 0.001
    assert "pin=" not in page.url  # a drag is no click

    before = weights(page, 0)
    cell(page, 0, 0).focus()
    page.keyboard.press("Shift+ArrowDown" if before[0] > 0.5 else "Shift+ArrowUp")
    page.keyboard.press("-" if before[0] > 0.5 else "+")
    expected = before[0] - 0.11 if before[0] > 0.5 else before[0] + 0.11
    assert abs(weights(page, 0)[0] - expected) < 0.001
    expect(page).to_have_url(re.compile(r"edit-encoder-0-0-0-0_"))
    rest(page)
    assert abs(weights(page, 0)[0] - expected) < 0.001
    expect(cell(page, 0, 0)).to_be_focused()


def test_a_head_is_muted_undone_and_kept_by_a_reload(open_page: Open) -> None:
    page = open_page(f"translate?{TEXT}&layer=1&head=3")
    page.get_by_role("button", name="What if").first.click()
    page.get_by_role("button", name="Make this change").click()
    expect(page).to_have_url(re.compile("change=mute-cross-0-2"))
    says = page.get_by_text("Head 3 of layer 1, encoder-decoder attention: mute").first
    expect(says).to_be_visible()
    expect(page.get_by_test_id("both-runs")).to_be_visible()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Undo").click()
    expect(page).not_to_have_url(re.compile("change="))
    expect(page.get_by_test_id("both-runs")).to_have_count(0)
    page.get_by_role("button", name="Redo").click()
    expect(page).to_have_url(re.compile("change=mute-cross-0-2"))
    expect(page.get_by_test_id("both-runs")).to_be_visible()
    page.reload()
    expect(page.get_by_test_id("both-runs")).to_be_visible()


def test_a_head_of_the_wall_opens_its_run(open_page: Open) -> None:
    page = open_page("what_if?part=sweep&text=hola")
    wall = page.get_by_role("application", name=re.compile("Δ log p without one head"))
    expect(wall).to_be_visible()
    rest(page)
    wall.focus()
    for key in ("Home", "ArrowDown", "ArrowRight", "Enter"):
        page.keyboard.press(key)
    expect(page).to_have_url(re.compile("muted=mute-encoder-1-1"))
    expect(page.get_by_text("Head 2 of layer 2, encoder self-attention: mute")).to_be_visible()
    page.get_by_role("button", name="Open this run on Translate").click()
    expect(page).to_have_url(re.compile("translate.*change=mute-encoder-1-1"))
    expect(page.get_by_test_id("both-runs")).to_be_visible()


def test_a_search_ends_in_another_map_that_opens_as_a_run(open_page: Open) -> None:
    page = open_page("explanation?part=same&text=nunca+es+tarde&layer=1&word=2")
    maps = page.locator('[class*="st-key-explanation-search"]').first
    expect(maps.get_by_text("found weights").first).to_be_visible()
    expect(page.get_by_role("button", name="Stop the search")).to_have_count(0)
    expect(page.get_by_text("probability of the next token").first).to_be_visible()
    page.get_by_role("button", name="Open this run on Translate").click()
    expect(page).to_have_url(re.compile(r"/translate"))
    expect(page.get_by_test_id("both-runs")).to_be_visible()
