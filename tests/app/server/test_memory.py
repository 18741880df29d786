"""The memory of a container: known, spared, and taken from one visitor first."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.data.child import in_child
from app.server.memory import BOUND, SECONDS_ALONE, SECONDS_BETWEEN, Release, is_short, memory
from app.server.visitors import SERVER_FULL, MostPages, OpenPages
from model.background import FIRST_TO_GO
from model.training.estimate import machine_bytes


def test_where_memory_is_short_no_page_opens(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing knew how much a container may hold: whoever came last brought all pages down.

    Then what knew it looked into the first group of the machine, and not into the process's own.
    """
    assert BOUND.n_bytes == machine_bytes()
    pages, most = OpenPages(), MostPages(1, 1, 1)
    for n_bytes, short in ((float("inf"), False), (memory() // 2, True)):
        monkeypatch.setattr(BOUND, "n_bytes", n_bytes)
        assert is_short() == short
        assert pages.refusal("", "", most) == (SERVER_FULL if short else "")


def due(*visited: int, seconds: int) -> Iterator[int]:
    """When all that was computed goes, of a server with a page open at some seconds."""
    now = 0.0
    release = Release(lambda: now)
    for second in range(0, seconds, 5):
        now = float(second)
        if release.is_due(pages=second in visited):
            yield second


def test_what_was_computed_goes_once_when_all_have_left() -> None:
    went = list(due(0, 300, seconds=700))
    assert went == [SECONDS_ALONE, 300 + SECONDS_ALONE]


def test_where_memory_stays_short_what_was_computed_goes_once_a_minute(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each five seconds all of it went, and was computed again: all visitors waited for that."""
    monkeypatch.setattr(BOUND, "n_bytes", memory() // 2)
    went = list(due(*range(180), seconds=180))
    assert went == [0, SECONDS_BETWEEN, 2 * SECONDS_BETWEEN]


def marks() -> Iterator[int]:
    """How soon the kernel ends the process that this runs in, asked again and again."""
    while True:
        yield int(Path("/proc/self/oom_score_adj").read_text(encoding="ascii"))


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Linux ends whom it is told")
def test_the_kernel_ends_one_visitors_process_first() -> None:
    items = in_child(marks)
    server, child = (next(items)[1] for _ in range(2))
    assert server < child == FIRST_TO_GO
