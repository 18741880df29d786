"""Generators in a process of their own."""

import os
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from app.data.child import in_child, timed
from model.history.small_text import sentences
from model.history.word_vectors import CONFIGS, train


def pids(noted: Path) -> Iterator[int]:
    """Note each item that is asked for."""
    for i in range(5):
        noted.write_text(str(i + 1), encoding="utf-8")
        yield os.getpid()


def dying() -> Iterator[int]:
    yield 1
    os._exit(3)


def is_there(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_one_visitors_word_vectors_hold_no_other_up(tmp_path: Path) -> None:
    """They were trained in the server, on the interpreter that draws everybody's pages: twenty
    visitors waited three times as long while one of them trained.
    """
    items = in_child(partial(pids, noted := tmp_path / "noted"))
    first, *others = (next(items)[1] for _ in range(3))
    assert first == os.getpid(), "what a page opens with needs no process"
    assert len({*others}) == 1
    assert others[0] != os.getpid()
    assert noted.read_text(encoding="utf-8") == "3", "and no more than is asked for is computed"
    assert is_there(others[0])
    del items
    assert not is_there(others[0]), "its process ends with it"


def test_a_process_that_dies_is_no_end() -> None:
    items = in_child(dying)
    next(items)
    with pytest.raises(EOFError):
        next(items)


def test_it_learns_the_same_as_here() -> None:
    begin = partial(train, sentences(100), replace(CONFIGS["cbow"], seed=3, report_every=20))
    ours, theirs = (list(steps(begin)) for steps in (timed, in_child))
    assert len(ours) > 3
    for (_seconds, one), (seconds, other) in zip(ours, theirs, strict=True):
        assert np.array_equal(one.vectors, other.vectors)
        assert one.loss == other.loss
        assert seconds > 0
