"""The stage in a browser: all its stops by keys, in a window and on a phone, and its numbers."""

import math
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import urlencode

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, WebSocket, expect

from app.data.decoding import Decoding
from app.data.translation import translate
from model.interpret.calculation.numbers import softmax
from model.interpret.capture import Capture
from tests.browser.accessibility import complaints
from tests.browser.conftest import Open, box_of

SENTENCE: Final = "Nunca es tarde para aprender."
LONG: Final = (
    "The committee that was chosen by the president in spring decided, after many long meetings, "
    "that the new bridge should be built of stone."
)
WINDOWS: Final = ({"width": 1440, "height": 900}, {"width": 390, "height": 844})
MAX_WORDS: Final = 40
MIN_PICTURE: Final = {1440: 3 / 4, 1280: 2 / 3, 390: 1 / 2}
# How far the page is wider or higher than its window, and what of the stage sticks out of it.
OUTSIDE: Final = """(stage) => {
    const { scrollWidth, clientWidth } = document.documentElement;
    const inside = stage.querySelectorAll('.band *, .acts *');
    const out = [...inside].filter((one) => {
        const { left, right, bottom, width } = one.getBoundingClientRect();
        return width > 2 && (left < -1 || right > innerWidth + 1 || bottom > innerHeight + 1);
    });
    const band = stage.querySelector('.band');
    if (band.scrollHeight > band.clientHeight + 1) out.push(band);
    return [scrollWidth - clientWidth, out.map((one) => one.className || one.textContent)];
}"""


def stage_of(page: Page) -> Locator:
    """The stage, once it is drawn."""
    expect(page.locator('[data-testid="stage"][data-hero]')).to_be_visible()
    return page.get_by_test_id("stage")


def count_messages(page: Page) -> list[int]:
    """Return a list that grows with each message to the server."""
    sent: list[int] = []

    def watch(socket: WebSocket) -> None:
        socket.on("framesent", lambda frame: sent.append(len(frame)))

    page.on("websocket", watch)
    return sent


def walk_through(page: Page, stage: Locator, sent: list[int]) -> list[str]:
    """Go through all stops by the key, and return their slugs; raises AssertionError."""
    size = page.viewport_size
    assert size is not None
    count = int(stage.get_attribute("data-stops") or 0)
    before, slugs, heights = len(sent), [], set()
    for i in range(count):
        if i:
            page.keyboard.press("ArrowRight")
        expect(stage).to_have_attribute("data-moving", "false")
        slug = stage.get_attribute("data-stop") or ""
        slugs.append(slug)
        assert stage.evaluate(OUTSIDE) == [0, []], slug
        words = stage.locator(".says").inner_text().split()
        assert 0 < len(words) <= MAX_WORDS, slug
        assert "{" not in stage.locator(".band").inner_text(), slug
        heights.add(round(box_of(stage.locator(".picture"))["height"]))
        share = max(heights) / size["height"]
        assert share >= MIN_PICTURE[size["width"]], (slug, share)
    assert sent[before:] == [], "a stop asked the server"
    assert len(heights) == 1, "rows move when the picture's height changes"
    return slugs


@pytest.mark.parametrize("size", WINDOWS, ids=["window", "phone"])
def test_all_stops_by_keys_ask_the_server_nothing(open_page: Open, size: dict[str, int]) -> None:
    query = urlencode({"model": "es-en", "text": SENTENCE})
    page = open_page(f"tour?{query}", viewport=size, reduced_motion="reduce")
    sent: list[int] = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda f: sent.append(len(f))))
    stage = stage_of(page)
    slugs = walk_through(page, stage, sent)
    assert len(set(slugs)) == len(slugs) == 22
    assert complaints(page) == []
    # A step back in the history is a stop back, and the last one before the first is the page.
    page.go_back()
    expect(stage).to_have_attribute("data-stop", slugs[-2])
    page.keyboard.press("Home")
    expect(stage).to_have_attribute("data-stop", slugs[0])
    expect(stage.get_by_role("button", name="Back", exact=True)).to_be_disabled()


def test_it_moves_and_next_skips_to_the_end(open_page: Open) -> None:
    """Both clicks come at one moment: on a busy machine a move is over before a second message."""
    query = urlencode({"model": "es-en", "text": SENTENCE})
    page = open_page(f"tour?{query}#qkv", viewport=WINDOWS[0])
    stage = stage_of(page)
    expect(stage).to_have_attribute("data-stop", "qkv")
    clicked = stage.evaluate(
        """(stage) => {
            const told = [];
            for (const _ of [1, 2]) {
                stage.querySelector('.next').click();
                told.push([stage.dataset.stop, stage.dataset.moving]);
            }
            document.dispatchEvent(new KeyboardEvent('keydown', { key: ' ' }));
            return [...told, [stage.dataset.stop, stage.dataset.moving]];
        }"""
    )
    assert clicked == [["score", "true"], ["score", "false"], ["score", "true"]]
    expect(stage).to_have_attribute("data-moving", "false")


def test_z_opens_every_product_and_a_row_becomes_the_hero(open_page: Open) -> None:
    query = urlencode({"model": "es-en", "text": SENTENCE})
    page = open_page(f"tour?{query}#score", viewport=WINDOWS[0], reduced_motion="reduce")
    stage = stage_of(page)
    stage.locator("h2").click()
    page.keyboard.press("z")
    opened = stage.get_by_role("dialog")
    expect(opened).to_contain_text("computed again")
    d_k = 8
    expect(opened.locator(".product")).to_have_count(3 * d_k)
    page.keyboard.press("z")
    expect(opened).to_have_count(0)
    hero = stage.get_attribute("data-hero")
    chosen = stage.locator(".rows [aria-selected=true]")
    chosen.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(stage).not_to_have_attribute("data-hero", hero or "")
    expect(stage.locator(".rows [aria-selected=true]")).to_be_focused()
    stage.get_by_role("button", name="Numbers as tables").click()
    expect(stage.get_by_role("dialog").get_by_role("table")).to_have_count(3)


def drawn_numbers(stage: Locator, at: float) -> list[Mapping[str, Any]]:
    """Return the numbers that are drawn at a moment, with their arrays and places."""
    found: list[Mapping[str, Any]] = stage.evaluate("(stage, at) => stage.numbersAt(at)", at)
    return found


def number_of(captured: Capture, array: str, index: list[int]) -> float:
    """Return a number of the capture, or of what is derived from its logits."""
    if array in captured.arrays:
        return float(captured.arrays[array][tuple(index)])
    probabilities = softmax(captured.logits.astype(np.float64))
    if array == "probabilities":
        row, rank = index
        return float(np.sort(probabilities[row])[::-1][rank])
    following = [*captured.tgt_ids[1:], captured.config.eos_id]
    p = float(probabilities[index[0], following[index[0]]])
    return p if array == "p" else -math.log(p)


def test_the_numbers_drawn_are_those_of_the_capture(own_page: Page, own_models: str) -> None:
    """Sixty of them, at the stops and half way between two."""
    text = "The old house is beautiful."
    captured = translate("en-es", text, Decoding()).capture
    own_page.goto(f"{own_models}/tour?{urlencode({'model': 'en-es', 'text': text})}")
    stage = stage_of(own_page)
    checked, arrays = 0, set()
    for half in range(2 * 22 - 1):
        found = drawn_numbers(stage, half / 2)
        for one in found[:: max(1, len(found) // 8)]:
            expected = number_of(captured, one["array"], one["index"])
            assert one["value"] == pytest.approx(expected, rel=1e-4, abs=1e-6), one
            written = one["text"].replace("\u202f%", "").replace("−", "-").lstrip("<>")
            if one["text"].endswith("%"):
                digits = 0 if "." not in written else 1
                close = abs(float(written) - 100 * expected) <= 0.51 * 10**-digits
                assert close or one["text"][0] in "<>", one
            checked += 1
            arrays.add(one["array"])
    assert checked >= 60
    assert len(arrays) >= 6


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [*WINDOWS, {"width": 1280, "height": 720}], ids=str)
@pytest.mark.parametrize("model", ["es-en", "fr-en", "en-es"])
def test_all_stops_of_the_models_that_come_along(
    own_page: Page, own_models: str, model: str, size: Any, scheme: Any
) -> None:
    own_page.set_viewport_size(size)
    own_page.emulate_media(color_scheme=scheme)
    wrong: list[str] = []
    own_page.on("pageerror", lambda error: wrong.append(str(error)))
    for text in ("The old house is beautiful.", LONG):
        sent = count_messages(own_page)
        own_page.goto(f"{own_models}/tour?{urlencode({'model': model, 'text': text})}")
        stage = stage_of(own_page)
        assert len(set(walk_through(own_page, stage, sent))) == 22
    assert wrong == []
