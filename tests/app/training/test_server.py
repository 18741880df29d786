"""A real server: what is too large is refused, and visitors leave nothing behind."""

import sys
from pathlib import Path

import pytest

from tests.app.visitor import visit
from tests.benchmarks.visits import MOST_GROWTH, visits
from tests.browser.conftest import serve

MEGABYTE = 2**20
LIMIT = 25 * MEGABYTE  # server.maxUploadSize


def test_the_server_itself_refuses_what_is_too_large(tiny_models: Path, tmp_path: Path) -> None:
    with (
        serve(
            tmp_path, PRETRAINED_DIR=str(tiny_models), RUNS_DIR=str(tmp_path / "runs")
        ) as address,
        visit(address) as visitor,
    ):
        visitor.look()
        assert visitor.upload("pairs.tsv", b"a\tb\n" * 1000) == 204
        assert visitor.upload("pairs.tsv", bytes(LIMIT + 1)) == 413
        assert visitor.upload("pairs.tsv", bytes(LIMIT + 5 * MEGABYTE)) == 413
        visitor.look()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux tells the memory")
def test_visitors_leave_nothing_behind(tmp_path: Path) -> None:
    """A lighter count; the full one is `python -m tests.benchmarks.visits`."""
    before, after = visits(tmp_path, reruns=40, sessions=15)
    assert after.memory - before.memory < MOST_GROWTH
    assert after.threads <= before.threads
    assert after.children <= before.children
