"""The memory of a container: known, spared, and taken from one visitor first."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.data.child import in_child
from app.server import memory
from app.server.memory import is_short, memory_limit
from app.server.visitors import SERVER_FULL, MostPages, OpenPages
from model.background import FIRST_TO_GO


@pytest.fixture(autouse=True)
def _read_again() -> Iterator[None]:
    memory_limit.cache_clear()
    yield
    memory_limit.cache_clear()


def test_where_memory_is_short_no_page_opens(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing knew how much a container may hold: whoever came last brought all pages down."""
    limit = tmp_path / "memory.max"
    monkeypatch.setattr(memory, "LIMITS_OF_CONTAINER", (str(tmp_path / "none"), str(limit)))
    pages, most = OpenPages(), MostPages(1, 1, 1)
    for text, short in (("max\n", False), (f"{memory.memory() // 2}\n", True)):
        limit.write_text(text, encoding="ascii")
        memory_limit.cache_clear()
        assert is_short() == short
        assert pages.refusal("", "", most) == (SERVER_FULL if short else "")


def marks() -> Iterator[int]:
    """How soon the kernel ends the process that this runs in, asked again and again."""
    while True:
        yield int(Path("/proc/self/oom_score_adj").read_text(encoding="ascii"))


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Linux ends whom it is told")
def test_the_kernel_ends_one_visitors_process_first() -> None:
    items = in_child(marks)
    server, child = (next(items)[1] for _ in range(2))
    assert server < child == FIRST_TO_GO
