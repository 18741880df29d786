"""Stop and SIGTERM act within a step, and cost nothing of the steps before it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import model.runs.session
import model.runs.worker
from model.runs.folder import RunFolder
from model.runs.session import Session
from model.runs.worker import Worker, watchdog
from model.training.trainer import Trainer
from tests.model.runs.run_samples import ROOT, assert_same, new_run, train, weights_of

SECONDS = 60  # it would never end by itself
# One operation without an end, from which Python comes back to no signal: a mutex locked twice.
STUCK = """
import ctypes
import model.runs.worker
from model.cli.main import main
from model.training.trainer import Trainer

def backward(trainer, batch, whole=Trainer._backward):
    if trainer.step == 11:
        print("stuck", flush=True)
        libc, mutex = ctypes.CDLL(None), ctypes.create_string_buffer(128)
        libc.pthread_mutex_lock(mutex)
        libc.pthread_mutex_lock(mutex)
    return whole(trainer, batch)

model.runs.worker.SECONDS_TO_STOP = 0.2
Trainer._backward = backward
main()
"""


class Ended(BaseException):
    """What becomes of a process that is ended."""


@pytest.fixture
def train_until_stuck(
    monkeypatch: pytest.MonkeyPatch,
) -> Callable[[RunFolder, object, str, int], int]:
    """Train until a method is called after some steps, which never returns; then stop the run.

    Returns the exit status of the process.
    """
    monkeypatch.setattr(model.runs.worker, "SECONDS_TO_STOP", 0.2)

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


def test_stop_within_a_validation_loses_that_validation_alone(
    whole: RunFolder, tmp_path: Path, train_until_stuck: Any
) -> None:
    """It is made up for when the run goes on: the best is the same as if it had never stopped."""
    run = new_run(tmp_path, "stuck")
    assert train_until_stuck(run, Session, "scores", 24) == 0
    assert (run.status().state, run.saved_step) == ("stopped", 24)
    assert train(run, resume=True) == 0
    assert run.status().state == "finished"
    for part in ("last", "best"):
        weights = weights_of(run, part)
        assert all((weights[name] == t).all() for name, t in weights_of(whole, part).items()), part
    scores = [[row.get("validation") for row in one.log()] for one in (whole, run)]
    assert scores[0] == scores[1]
    assert run.frames() == whole.frames()


def test_stop_before_the_first_step(tmp_path: Path, train_until_stuck: Any) -> None:
    run = new_run(tmp_path, "stuck", steps=1)
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


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="its mutex is of zeros")
def test_sigterm_within_an_operation(whole: RunFolder, tmp_path: Path) -> None:
    run = new_run(tmp_path, "stuck")
    words = ["train", "--plan", str(run.path / "plan.json"), "--threads", "1"]
    with subprocess.Popen(
        [sys.executable, "-c", STUCK, *words], cwd=ROOT, env=os.environ | {"OMP_NUM_THREADS": "1"},
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "stuck\n"
            process.send_signal(signal.SIGTERM)
            _, written = process.communicate(timeout=SECONDS)
        finally:
            process.kill()
    assert process.returncode == 128 + signal.SIGTERM
    assert "Stopped and saved at step 11; --resume goes on." in written
    assert (run.status().state, run.saved_step) == ("stopped", 11)
    assert train(run, resume=True) == 0
    assert_same(whole, run)
