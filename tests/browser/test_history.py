"""The small networks of the history, trained on the page: seen to learn, stopped, and finished."""

import os
import re
from typing import Final

import pytest
from playwright.sync_api import Locator, Page, expect

from app.registry import HISTORY, VIEWS
from tests.browser.conftest import Open
from tests.browser.test_walk import PATIENCE, settle

# The pages with a training of their own, and its name.
TRAININGS: Final = {
    "perceptron": "perceptron",
    "backprop": "xor",
    "filters": "filters",
    "residual": "residual",
    "words_as_vectors": "words",
}
TO_THE_END: Final = 400_000  # milliseconds, on a machine that is busy with training
LONGEST: Final = 30  # seconds, on one that is not
VIEW_OF: Final = {view.file: view for view in VIEWS if view.section == HISTORY}


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
    slowest = "words_as_vectors"
    page, training, view = open_page(slowest), TRAININGS[slowest], VIEW_OF[slowest]
    settle(page, view)
    start = steps(page)
    press(page, training, "train")
    stop = button_of(page, training, "stop")
    expect(stop).to_be_visible(timeout=PATIENCE)
    expect(progress(page)).not_to_contain_text(f"Step {start} of", timeout=PATIENCE)
    stop.press("Enter")
    expect(button_of(page, training, "train")).to_be_visible(timeout=PATIENCE)
    settle(page, view)
    stopped = steps(page)
    assert stopped > start
    press(page, training, "step")
    expect(progress(page)).to_contain_text(f"Step {stopped + 1} of", timeout=PATIENCE)
    press(page, training, "again")
    expect(progress(page)).to_contain_text(f"Step {start} of", timeout=PATIENCE)


@pytest.mark.parametrize("page_name", list(TRAININGS))
def test_a_training_ends_in_time_and_is_still_checked(open_page: Open, page_name: str) -> None:
    page = open_page(page_name)
    settle(page, VIEW_OF[page_name])
    press(page, TRAININGS[page_name], "train")
    expect(progress(page)).to_contain_text("Done after", timeout=TO_THE_END)
    settle(page, VIEW_OF[page_name])
    expect(page.locator(".st-key-checked")).to_have_count(1)
    spent = re.search(r"([\d.]+) s of training", progress(page).inner_text())
    assert spent is not None
    if os.getloadavg()[0] <= (os.cpu_count() or 1):  # nothing else is under way
        assert float(spent[1]) < LONGEST
