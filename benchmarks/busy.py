"""The page during a training, compared with the idle page: `python -m benchmarks.busy`.

The training is the phrase book's, started as the page would: at nice 10, on all cores but one.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from app.views.training.data import defaults, make_plan, suiting_preset
from benchmarks.page import measure
from model.runs.folder import create_run
from tests.browser.conftest import ROOT
from tests.chromium import find_chromium

GOAL = 1.5
ROUNDS = 2
TASK = "phrases-es"


@contextmanager
def training(runs: Path) -> Iterator[None]:
    """Train the phrase book until the context is left."""
    plan = make_plan(TASK, TASK, defaults(TASK, suiting_preset(TASK)))
    folder = create_run(plan, {}, runs)
    threads = max(1, (os.cpu_count() or 1) - 1)
    child = subprocess.Popen(
        [
            sys.executable, "-m", "model", "train", "--plan", str(folder.path / "plan.json"),
            "--nice", "10", "--threads", str(threads),
        ],
        cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        while folder.status().step < 3:
            assert child.poll() is None, "the training broke off"
            time.sleep(0.2)
        yield
        assert child.poll() is None, "the training ended too early"
    finally:
        child.terminate()
        child.wait(60)


def rounds(browser: Browser, work: Path) -> tuple[list[float], list[float]]:
    """Return the milliseconds from Enter to the heatmap, alternately idle and during a training."""
    idle: list[float] = []
    busy: list[float] = []
    for _ in range(ROUNDS):
        idle += measure(browser, work)
        with training(work / "runs"):
            busy += measure(browser, work)
    return idle, busy


def main() -> None:
    """Print both medians and their ratio; raises SystemExit without a browser."""
    if not (chromium := find_chromium()):
        raise SystemExit("No Chromium was found.")
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as work:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        idle, busy = map(statistics.median, rounds(browser, Path(work)))
        browser.close()
    print(
        f"Enter to heatmap: median {idle:.0f} ms idle, {busy:.0f} ms during a training: "
        f"{busy / idle:.2f} times (goal: at most {GOAL})"
    )


if __name__ == "__main__":
    main()
