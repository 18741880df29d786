"""Tiny planned runs on letters, and a visitor who tells one something at a step of it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

import torch

from model import checkpoint
from model.config import TrainConfig
from model.runs.folder import RunFolder
from model.runs.plan import Plan
from model.runs.session import Progress
from model.runs.worker import Worker
from model.text.pairs import Pair
from tests.model.samples import reversed_pairs, tiny_config

ROOT = Path(__file__).parents[3]
TRAIN: Mapping[str, Any] = {
    "steps": 24, "batch_tokens": 150, "warmup": 5, "learning_rate": 5e-3, "validate_every": 8,
    "validate_pairs": 4, "average": 2, "vary": 0.2, "seed": 3,
}  # fmt: skip
MODEL: Mapping[str, Any] = {
    "n_encoder_layers": 1, "n_decoder_layers": 1, "dropout": 0.2, "norm": "pre",
}  # fmt: skip


def tiny_plan(name: str, minutes: float | None = None, **train: Any) -> Plan:
    """Return a plan of a run of a second, on own pairs."""
    config = TrainConfig.from_dict({**TRAIN, **train})
    return Plan(
        name, "own", "", "", tiny_config(**MODEL), config, ("a b c d", "d c b a"),
        data=("train.tsv",), valid="valid.tsv", minutes=minutes, created=time.time(),
    )  # fmt: skip


def files_of(train: Sequence[Pair], valid: Sequence[Pair]) -> dict[str, str]:
    """Return the files that a plan on own pairs names."""
    return {
        name: "".join(f"{pair.src}\t{pair.tgt}\n" for pair in pairs)
        for name, pairs in (("train.tsv", train), ("valid.tsv", valid))
    }


def tiny_files() -> dict[str, str]:
    """Return the pairs that the plan names."""
    return files_of(reversed_pairs(60), reversed_pairs(60)[:8])


def new_run(runs: Path, name: str, minutes: float | None = None, **train: Any) -> RunFolder:
    """Write a run that has not begun."""
    folder = RunFolder.named(name, runs)
    folder.create(tiny_plan(name, minutes, **train), tiny_files())
    return folder


class Visitor:
    """Does something to a run, or to the signals, right after a step."""

    def __init__(self, at: Mapping[int, Callable[[], object]]) -> None:
        self.at, self.seen = at, list[int]()

    def __call__(self, progress: Progress, steps: int) -> None:
        step = progress.report.step
        self.seen.append(step)
        self.at.get(step, lambda: None)()


def train(
    folder: RunFolder,
    resume: bool = False,
    at: Mapping[int, Callable[[], object]] | None = None,
    signals: list[int] | None = None,
) -> int:
    """Train a run here, on one thread; return the exit status."""
    signals = [] if signals is None else signals
    return Worker(folder, signals, Visitor(at or {}), threads=1).train(resume)


def once(folder: RunFolder, state: str, then: Callable[[], object]) -> threading.Thread:
    """Do something as soon as a run is in a state."""

    def watch() -> None:
        deadline = time.monotonic() + 60
        while folder.status().state != state and time.monotonic() < deadline:
            time.sleep(0.01)
        then()

    thread = threading.Thread(target=watch)
    thread.start()
    return thread


def contents(root: Path) -> dict[str, bytes]:
    """Return the bytes of each file in a folder, links left out."""
    files = (file for file in sorted(root.rglob("*")) if file.is_file() and not file.is_symlink())
    return {str(file.relative_to(root)): file.read_bytes() for file in files}


def weights_of(folder: RunFolder, part: str) -> dict[str, Any]:
    """Return the weights of best/ or last/ of a run."""
    return dict(checkpoint.load(folder.path / part).model.state_dict())


def assert_same(one: RunFolder, other: RunFolder) -> None:
    """Both learned the same to the bit, and noted the same."""
    for part in ("last", "best"):
        weights = weights_of(other, part)
        for name, tensor in weights_of(one, part).items():
            assert torch.equal(tensor, weights[name]), (part, name)
    for rows, others in ((one.log(), other.log()), (one.samples(), other.samples())):
        assert [row | {"seconds": 0} for row in rows] == [row | {"seconds": 0} for row in others]


def repeated(run: RunFolder, name: str) -> RunFolder:
    """Write a new run with the plan and the pairs of another."""
    again = RunFolder.named(name, run.path.parent)
    files = {name: (run.path / name).read_text() for name in tiny_files()}
    again.create(replace(run.plan(), name=name), files)
    return again


class Killed(BaseException):
    """Ends a worker at once, with nothing saved or said, as kill -9 does."""


def kill() -> NoReturn:
    """End the run at work here."""
    raise Killed
