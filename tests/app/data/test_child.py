"""Generators in a process of their own."""

import os
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from app.data.child import here, in_child
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
    items = in_child(partial(pids, tmp_path / "noted"))
    first, *others = (next(items)[1] for _ in range(3))
    assert first == os.getpid(), "what a page opens with needs no process"
    assert len({*others}) == 1
    assert others[0] != os.getpid()


def test_it_computes_what_is_asked_for_and_no_more(tmp_path: Path) -> None:
    noted = tmp_path / "noted"
    items = in_child(partial(pids, noted))
    for _ in range(3):
        next(items)
    assert noted.read_text(encoding="utf-8") == "3"


def test_its_process_ends_with_it(tmp_path: Path) -> None:
    items = in_child(partial(pids, tmp_path / "noted"))
    next(items)
    pid = next(items)[1]
    assert is_there(pid)
    del items
    assert not is_there(pid)
    *_rest, (_seconds, pid) = in_child(partial(pids, tmp_path / "noted"))
    assert not is_there(pid)


def test_a_process_that_dies_is_no_end() -> None:
    items = in_child(dying)
    next(items)
    with pytest.raises(EOFError):
        next(items)


def test_it_learns_the_same_as_here() -> None:
    begin = partial(train, sentences(400), replace(CONFIGS["cbow"], seed=3))
    ours, theirs = (list(steps(begin)) for steps in (here, in_child))
    assert len(ours) > 10
    for (_seconds, one), (seconds, other) in zip(ours, theirs, strict=True):
        assert np.array_equal(one.vectors, other.vectors)
        assert one.loss == other.loss
        assert seconds > 0
