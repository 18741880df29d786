"""Stop and SIGTERM act within a step, and cost nothing of the steps before it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import model.runs.session
import model.runs.watchdog
from model.runs.folder import RunFolder
from model.runs.session import Session
from model.runs.watchdog import watchdog
from model.runs.worker import Worker
from model.training.trainer import Trainer
from tests.model.runs.run_samples import new_run, train, weights_of
from tests.model.runs.test_worker import ROOT, assert_same

SECONDS = 10
# One operation of minutes, from which Python comes back to no signal.
STUCK = """
import sys, torch
from model.cli.main import main
from model.training.trainer import Trainer

def backward(trainer, batch, whole=Trainer._backward):
    if trainer.step == 11:
        print("stuck", flush=True)
        torch.linalg.eigvals(torch.randn(6000, 6000))
    return whole(trainer, batch)

Trainer._backward = backward
main()
"""


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    """A run from its start to its end."""
    folder = new_run(tmp_path_factory.mktemp("runs"), "whole")
    assert train(folder) == 0
    return folder


class Ended(BaseException):
    """What becomes of a process that is ended."""


@pytest.fixture
def train_until_stuck(
    monkeypatch: pytest.MonkeyPatch,
) -> Callable[[RunFolder, object, str, int], int]:
    """Train until a method is called after some steps, which never returns; then stop the run.

    Returns the exit status of the process.
    """
    monkeypatch.setattr(model.runs.watchdog, "SECONDS_TO_STOP", 0.2)

    def train_(run: RunFolder, owner: Any, name: str, step: int) -> int:
        ended, statuses = threading.Event(), list[int]()
        act = getattr(owner, name)

        def changed(self: Any, *arguments: Any) -> Any:
            trainer = getattr(self, "trainer", self)
            if getattr(trainer, "step", step) < step:
                return act(self, *arguments)
            run.wish(stop=True)
            assert ended.wait(60)
            raise Ended

        def end(status: int) -> None:
            statuses.append(status)
            ended.set()

        worker = Worker(run, threads=1)
        with monkeypatch.context() as patch, watchdog(worker, end):
            patch.setattr(owner, name, changed)
            with pytest.raises(Ended):
                worker.train(resume=False)
        (status,) = statuses
        return status

    return train_


def test_stop_within_a_step_loses_that_step_alone(
    whole: RunFolder, tmp_path: Path, train_until_stuck: Any
) -> None:
    """Stop waited for the end of a step: of an endless one, for ever."""
    run = new_run(tmp_path, "stuck")
    assert train_until_stuck(run, Trainer, "_backward", 11) == 0
    assert (run.status().state, run.status().step, run.saved_step) == ("stopped", 11, 11)
    assert not run.wishes().stop
    assert train(run, resume=True) == 0
    assert_same(whole, run)


@pytest.mark.parametrize("step", [16, 24])
def test_stop_within_a_validation_loses_that_validation_alone(
    whole: RunFolder, tmp_path: Path, train_until_stuck: Any, step: int
) -> None:
    """It is made up for when the run goes on: the best is the same as if it had never stopped."""
    run = new_run(tmp_path, "stuck")
    assert train_until_stuck(run, Session, "scores", step) == 0
    assert (run.status().state, run.saved_step) == ("stopped", step)
    assert train(run, resume=True) == 0
    assert run.status().state == "finished"
    for part in ("last", "best"):
        weights = weights_of(run, part)
        assert all((weights[name] == t).all() for name, t in weights_of(whole, part).items()), part
    scores = [[row.get("validation") for row in one.log()] for one in (whole, run)]
    assert scores[0] == scores[1]
    assert run.frames() == whole.frames()


def test_stop_before_the_first_step(tmp_path: Path, train_until_stuck: Any) -> None:
    run = new_run(tmp_path, "stuck")
    assert train_until_stuck(run, model.runs.session, "read_pairs", 0) == 0
    assert (run.status().state, run.is_saved()) == ("stopped", False)
    assert train(run) == 0


def test_what_cannot_be_saved_is_ended_all_the_same(
    tmp_path: Path, train_until_stuck: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last checkpoint is kept, and the place in the queue is free."""
    run = new_run(tmp_path, "stuck")

    def fail(self: Session) -> None:
        if self.trainer.step == 11:
            raise OSError("The disk has gone.")
        save_last(self)

    save_last = Session.save_last
    monkeypatch.setattr(Session, "save_last", fail)
    assert train_until_stuck(run, Trainer, "_backward", 11) == 1
    assert (run.status().state, run.saved_step) == ("interrupted", 8)


@contextmanager
def started(*words: str) -> Iterator[subprocess.Popen[str]]:
    """Start a process of Python's; kill it in the end."""
    process = subprocess.Popen(
        [sys.executable, *words, "--threads", "1"], cwd=ROOT, text=True,
        env=os.environ | {"OMP_NUM_THREADS": "1"}, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def test_sigterm_within_an_operation(whole: RunFolder, tmp_path: Path) -> None:
    run = new_run(tmp_path, "stuck")
    with started("-c", STUCK, "train", "--plan", str(run.path / "plan.json")) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "stuck\n"
        process.send_signal(signal.SIGTERM)
        _, written = process.communicate(timeout=SECONDS)
        assert process.returncode == 128 + signal.SIGTERM
    assert "Stopped and saved at step 11; --resume goes on." in written
    assert (run.status().state, run.saved_step) == ("stopped", 11)
    assert train(run, resume=True) == 0
    assert_same(whole, run)


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="reads /proc")
def test_an_endless_step_is_stopped_and_takes_no_memory(tmp_path: Path) -> None:
    """`accumulate` of 1e9 gathered all its batches before the first one was computed: 1.6 GB a
    minute, while Stop and SIGTERM did nothing and all others waited in the queue.
    """
    run = new_run(tmp_path, "endless", accumulate=10**9)
    with started("-m", "model", "train", "--plan", str(run.path / "plan.json")) as process:

        def memory() -> int:
            lines = Path(f"/proc/{process.pid}/status").read_text().splitlines()
            return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS"))

        deadline = time.monotonic() + 60
        while 0 not in run.frames() and time.monotonic() < deadline:
            time.sleep(0.1)
        time.sleep(1)
        before = memory()
        time.sleep(2)
        assert memory() - before < 20 * 1024, "kB"
        run.wish(stop=True)
        process.communicate(timeout=SECONDS)
        assert process.returncode == 0
    assert (run.status().state, run.saved_step, run.is_saved()) == ("stopped", 0, True)
