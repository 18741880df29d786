"""Letters copied, reversed and sorted, with alignments that are true."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.tasks import TASKS
from tests.model.cli.commands import output

# As people type them first: many repeat a letter, some have it twice in a row.
COMMON_WORDS = """
    hello apple banana cat dog sun moon star tree house water window summer winter spring autumn
    letter number paper pencil book school teacher student mother father sister brother family
    friend happy funny little yellow green orange purple black white street garden flower butter
    coffee sugar bottle glass kitchen dinner morning evening today tomorrow yes please thanks good
    better people woman man child baby city village country world weather rain snow wind cloud sea
    river mountain forest animal rabbit horse sheep monkey tiger lion bird fish music guitar piano
    movie story dream sleep eye hand foot door table chair computer cheese
"""


def drawn(name: str, seed: int) -> tuple[list[str], list[str], list[tuple[int, int]]]:
    task = TASKS[name]
    pair = task.make(random.Random(seed))
    assert task.align is not None
    return pair.src.split(), pair.tgt.split(), list(task.align(pair))


@given(st.integers())
def test_letters_are_copied_reversed_or_sorted_with_their_places(seed: int) -> None:
    for name in ("copy", "reverse", "sort"):
        src, tgt, aligned = drawn(name, seed)
        if len(src[0]) > 1:  # a word without blanks: which letter went where is not told in words
            src, tgt = list(src[0]), list(tgt[0])
            assert not aligned
        else:
            assert [(t, src[s]) for t, s in aligned] == list(enumerate(tgt))
            assert sorted(s for _, s in aligned) == list(range(len(src)))
        assert tgt == {"copy": src, "reverse": src[::-1], "sort": sorted(src)}[name]


@pytest.mark.parametrize("name", ["copy", "reverse", "sort"])
def test_words_are_those_that_people_type(name: str) -> None:
    """No letter stood twice in a word, none had fewer than three, and all had blanks."""
    sentences = [drawn(name, seed)[0] for seed in range(300)]
    words = ["".join(letters) for letters in sentences]
    assert {len(word) for word in words} == set(range(1, 11))
    assert sum(len(set(word)) < len(word) for word in words) > 100
    assert 100 < sum(len(letters[0]) > 1 for letters in sentences) < 200


@pytest.mark.long
def test_the_default_run_reverses_common_words(tmp_path: Path) -> None:
    """After “BLEU 100”, “h e l l o” came out as “o l e h” and “hello” as “o a”: it had learned only
    words of three to ten letters, all different, with blanks between them.
    """
    words = COMMON_WORDS.split()
    assert len(set(words)) == 100
    assert all(3 <= len(word) <= 8 for word in words)
    run = str(tmp_path / "run")
    output("train", "--task", "reverse", "--out", run, "--threads", "1")
    for between in ("", " "):
        typed = [between.join(word) for word in words]
        written = output("translate", "--model", run, "--beam", "1", lines="\n".join(typed))
        right = sum(a == b[::-1] for a, b in zip(written.splitlines(), typed, strict=True))
        assert right >= 98
