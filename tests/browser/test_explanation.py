"""Is attention an explanation: a search that one watches, and the run with what it found."""

import re

from playwright.sync_api import expect

from tests.browser.conftest import Open


def test_a_search_ends_in_another_map_that_opens_as_a_run(open_page: Open) -> None:
    page = open_page("explanation?part=same&text=nunca+es+tarde&layer=1&word=2")
    maps = page.locator('[class*="st-key-explanation-search"]').first
    expect(maps.get_by_text("found weights").first).to_be_visible()
    expect(page.get_by_role("button", name="Stop the search")).to_have_count(0)
    expect(page.get_by_text("probability of the next token").first).to_be_visible()
    page.get_by_role("button", name="Open this run on Translate").click()
    expect(page).to_have_url(re.compile(r"/translate"))
    expect(page.get_by_test_id("both-runs")).to_be_visible()
