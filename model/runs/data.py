"""The sentence pairs of a run: from files, with what is wrong with them logged, or of a task."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from model.text.pairs import Pair, read_tsv

if TYPE_CHECKING:
    from model.tasks import Task

log = logging.getLogger(__name__)
MOST_REPORTED = 20


def read_pairs(paths: Sequence[Path]) -> list[Pair]:
    """Read and join TSV files, and log what is wrong with them; raises ValueError."""
    pairs = []
    for path in paths:
        found, bad = read_tsv(path)
        pairs += found
        for line in bad[:MOST_REPORTED]:
            log.warning("%s, line %d is left out: %s.", path, line.number, line.reason)
        if len(bad) > MOST_REPORTED:
            log.warning("%s: %d more lines are left out.", path, len(bad) - MOST_REPORTED)
    return pairs


def make_pairs(task: str, n: int, n_valid: int, seed: int) -> tuple[list[Pair], list[Pair]]:
    """Return n training pairs of a task (0: as many as suit it), and pairs held out from it."""
    from model.tasks import split

    made = task_named(task)
    return split(made, n or made.pairs, n_valid, seed)


def task_named(name: str) -> Task:
    """Return a task made by the project; raises ValueError for an unknown name."""
    from model.tasks import TASKS

    if name not in TASKS:
        raise ValueError(f"There is no task {name!r}, only {', '.join(TASKS)}.")
    return TASKS[name]
