"""A trace of the largest size that fits, in a browser: nothing stands twice while it is drawn."""

import json
from pathlib import Path

import numpy as np
from playwright.sync_api import expect
from safetensors.numpy import save

from tests.browser.conftest import Open

LAYERS, HEADS, TOKENS = 24, 30, 200
# The most pickers of a head that were on the page at one time.
WATCH = """() => {
    const pickers = () => [...document.querySelectorAll('[data-testid=stWidgetLabel]')]
        .filter((it) => it.textContent.trim() === 'Head' && it.offsetParent !== null).length;
    window.most = pickers();
    new MutationObserver(() => { window.most = Math.max(window.most, pickers()); })
        .observe(document.body, {childList: true, subtree: true});
}"""


def large_trace(path: Path) -> Path:
    """Write a decoder's weights, 57 MB of half precision."""
    rows = np.tril(np.ones((TOKENS, TOKENS), np.float32))
    weights = np.broadcast_to(rows / rows.sum(-1, keepdims=True), (HEADS, TOKENS, TOKENS))
    arrays = {
        f"decoder.{layer}.self_attn.weights": weights.astype(np.float16) for layer in range(LAYERS)
    }
    tokens = json.dumps([f"w{i}" for i in range(TOKENS)])
    path.write_bytes(save(arrays, metadata={"format": "1", "tgt": tokens}))
    return path


def test_a_large_trace_never_shows_two_sets_of_pickers(open_page: Open, tmp_path: Path) -> None:
    """Those of the example stood beside the file's until its 57 MB were drawn to their end."""
    page = open_page("trace")
    head = page.get_by_test_id("stWidgetLabel").get_by_text("Head", exact=True)
    expect(head).to_be_visible()
    page.evaluate(WATCH)
    page.locator("input[type=file]").set_input_files(large_trace(tmp_path / "large.safetensors"))
    expect(page.get_by_text("24 arrays")).to_be_visible()
    thirty = page.get_by_role("radio", name=str(HEADS), exact=True)
    expect(thirty).to_be_visible()
    assert page.evaluate("window.most") == 1
    thirty.click()
    page.wait_for_url("**head=30*")
    assert page.evaluate("window.most") == 1
