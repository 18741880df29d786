"""Trainings of the history in a real browser, by its own timer: stopped, stepped, and finished.

That each of them can be stopped and ends as its page claims: tests/app/history/test_trainings.py.
"""

import re
from typing import Final

from playwright.sync_api import Locator, Page, expect

from app.registry import HISTORY, VIEWS
from tests.browser.conftest import Open
from tests.browser.test_walk import arrive

VIEW_OF: Final = {view.slug: view for view in VIEWS if view.section == HISTORY}


def button_of(page: Page, training: str, button: str) -> Locator:
    """Return a button of a training; Streamlit keeps an unseen twin of one with a help text."""
    return page.locator(f".st-key-live-{training}-{button} button:visible")


def press(page: Page, training: str, button: str) -> None:
    button_of(page, training, button).press("Enter")


def progress(page: Page) -> Locator:
    return page.get_by_test_id("stProgress").first


def steps(page: Page) -> int:
    """Return how many steps the page says were made."""
    found = re.search(r"(?:Step|after) (\d+)", progress(page).inner_text())
    assert found is not None
    return int(found[1])


def test_a_training_is_begun_stopped_and_begun_again(open_page: Open) -> None:
    """With the longest one: it is not over before it is stopped, however slow the browser."""
    page, training, view = open_page("words_as_vectors?all=1"), "words", VIEW_OF["words_as_vectors"]
    arrive(page, view)
    start = steps(page)
    press(page, training, "train")
    stop = button_of(page, training, "stop")
    expect(stop).to_be_visible()
    expect(progress(page)).not_to_contain_text(f"Step {start} of")
    stop.press("Enter")
    expect(button_of(page, training, "train")).to_be_visible()
    arrive(page, view)
    stopped = steps(page)
    assert stopped > start
    press(page, training, "step")
    expect(progress(page)).to_contain_text(f"Step {stopped + 1} of")
    press(page, training, "again")
    expect(progress(page)).to_contain_text(f"Step {start} of")


def test_a_training_goes_on_by_itself_to_its_end(open_page: Open) -> None:
    page = open_page("backprop?all=1")
    arrive(page, VIEW_OF["backprop"])
    press(page, "xor", "train")
    expect(progress(page)).to_contain_text("Done after")
    arrive(page, VIEW_OF["backprop"])
    expect(page.get_by_text("All 4 rows are right")).to_be_visible()
