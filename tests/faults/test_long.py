"""Faults that take minutes to bring about: only `python -m tests.faults` runs them."""

import statistics
import time
from pathlib import Path

import pytest

from benchmarks.visits import MOST_GROWTH, training, visits
from tests.app.tiny import make_models
from tests.app.visitor import visit
from tests.browser.conftest import serve

pytestmark = pytest.mark.slow
MOVES = 40


def test_five_hundred_moves_leave_no_memory_behind(tmp_path: Path) -> None:
    before, after = visits(tmp_path, reruns=500, sessions=0)
    assert after.memory - before.memory < MOST_GROWTH
    assert after.threads <= before.threads


def test_two_hundred_visitors_who_come_and_go_leave_no_memory_behind(tmp_path: Path) -> None:
    before, after = visits(tmp_path, reruns=0, sessions=200)
    assert after.memory < 1.1 * before.memory
    assert (after.threads, after.children) <= (before.threads, before.children)


def median_move(address: str) -> float:
    """Return the median time of a move on the Translate page, in seconds."""
    with visit(address) as visitor:
        seconds = []
        for move in range(MOVES):
            start = time.perf_counter()
            visitor.look("translate", f"head={move % 2}")
            seconds.append(time.perf_counter() - start)
    return statistics.median(seconds)


def test_the_page_stays_quick_while_a_run_trains(tmp_path: Path) -> None:
    """The app itself trains at the lowest priority, and so does this run."""
    models, runs = make_models(tmp_path / "pretrained"), tmp_path / "runs"
    with serve(tmp_path, PRETRAINED_DIR=str(models), RUNS_DIR=str(runs)) as address:
        median_move(address)
        idle = median_move(address)
        with training(runs):
            busy = median_move(address)
    assert busy < 1.5 * idle, f"{busy:.3f} s a move while training, {idle:.3f} s without"
