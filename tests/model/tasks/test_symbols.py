"""Letters copied, reversed and sorted, with alignments that are true."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.tasks import TASKS


def drawn(name: str, seed: int) -> tuple[list[str], list[str], list[tuple[int, int]]]:
    task = TASKS[name]
    pair = task.make(random.Random(seed))
    assert task.align is not None
    return pair.src.split(), pair.tgt.split(), list(task.align(pair))


@given(st.integers())
def test_letters_are_copied_reversed_or_sorted_with_their_places(seed: int) -> None:
    src, tgt, aligned = drawn("copy", seed)
    assert (tgt, aligned) == (src, [(i, i) for i in range(len(src))])
    src, tgt, aligned = drawn("reverse", seed)
    assert (tgt, aligned) == (src[::-1], [(i, len(src) - 1 - i) for i in range(len(src))])
    src, tgt, aligned = drawn("sort", seed)
    assert tgt == sorted(src) == [src[s] for _, s in aligned]
    assert sorted(s for _, s in aligned) == list(range(len(src)))


@pytest.mark.parametrize("name", ["copy", "reverse", "sort"])
def test_no_letter_stands_twice_and_lengths_vary(name: str) -> None:
    sentences = [drawn(name, seed)[0] for seed in range(300)]
    assert all(len(set(letters)) == len(letters) for letters in sentences)
    assert {len(letters) for letters in sentences} == set(range(3, 11))
