"""A file of any attention opens in a real browser, offline, with the numbers that it was given."""

from pathlib import Path

import numpy as np
from playwright.sync_api import Browser, expect

from app.anywhere import heatmap
from tests.browser.conftest import alone

SECONDS_TO_OPEN = 2


def test_a_small_file_shows_each_number_and_only_the_choices_there_are(
    browser: Browser, tmp_path: Path
) -> None:
    weights = np.array([[0.75, 0.25], [0.125, 0.875]], np.float32)
    path = tmp_path / "one.html"
    heatmap(weights, ["<b>", "y", "."], ["k", "l"]).save(path)
    with alone(browser, path.as_uri(), own=path.as_uri()) as page:
        row = page.locator("#matrix .row").nth(1)
        expect(row).to_contain_text("after <b> → y")
        expect(row.locator(".cell")).to_have_text(["0.75", "0.25"])
        for name, there in {"view": True, "kind": False, "layer": False, "head": False}.items():
            expect(page.locator(f"#{name}")).to_be_visible(visible=there)


def test_twelve_layers_of_twelve_heads_open_at_once(browser: Browser, tmp_path: Path) -> None:
    """128 tokens: with 16,384 elements the heatmap alone took as long, so all heads come first.

    The lines took 8 seconds, as each weight had one, though few are shown at a time.
    """
    path = tmp_path / "many.html"
    weights = np.random.default_rng(0).dirichlet(np.ones(128), (12, 12, 128))
    heatmap(weights, [f"token{i}" for i in range(128)]).save(path)
    with alone(browser, "about:blank") as page:
        devtools = page.context.new_cdp_session(page)
        devtools.send("Performance.enable", {"timeDomain": "threadTicks"})  # not the clock's time
        page.goto(path.as_uri())
        page.locator("#wall .thumb").last.wait_for()
        metrics = devtools.send("Performance.getMetrics")["metrics"]
        (taken,) = (one["value"] for one in metrics if one["name"] == "TaskDuration")
        assert 0.05 < taken < SECONDS_TO_OPEN
        page.locator("#wall .thumb").nth(13).click()
        page.select_option("#view", "matrix")
        said = page.locator("#matrix .cell").first.get_attribute("aria-label") or ""
        assert abs(float(said.rpartition(": ")[2]) - weights[1, 1, 0, 0]) < 1e-4
        page.select_option("#view", "lines")
        page.locator("#lines .word").last.hover()
        expect(page.locator("#lines .readout")).to_contain_text("token127")
        assert 128 <= page.locator("#lines path").count() < 4000
