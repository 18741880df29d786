"""A run by its plan obeys, tells, and ends where it would have, however it was broken off."""

from __future__ import annotations

import os
import random
import signal
import time
from itertools import pairwise
from pathlib import Path

import pytest

from model import checkpoint
from model.runs import worker
from model.runs.film import Frame
from model.runs.folder import RunFolder
from model.runs.plan import Plan, Status
from model.runs.queue import Slot
from tests.model.forks import ends, fork
from tests.model.runs.run_samples import (
    Killed,
    assert_same,
    kill,
    new_run,
    once,
    repeated,
    train,
)

ROUNDS, MOST_STEPS = 4, 6
STEPS = 1500  # a run that is never finished in these rounds


def test_what_a_planned_run_leaves_behind(whole: RunFolder) -> None:
    status = whole.status()
    assert (status.state, status.step, status.steps, status.error) == ("finished", 24, 24, None)
    assert 0 < status.step_seconds <= status.seconds / 24
    assert status.tokens_per_second > 0
    rows, samples, frames = whole.log(), whole.samples(), whole.frames()
    assert [row["step"] for row in rows] == list(range(1, 25))
    assert [row["step"] for row in rows if "validation" in row] == [8, 16, 24]
    assert {0, 1, 2, 8, 16, 24} <= set(frames)
    assert [row["step"] for row in samples] == frames
    assert [Frame.load(whole.frame_file(step)).step for step in frames] == frames
    assert all(len(row["samples"]) == 4 and 0 <= row["exact"] <= 1 for row in samples)
    best = checkpoint.load(whole.path / "best")
    assert Plan.from_dict(best.metrics["plan"]) == whole.plan()
    assert {"loss", "bleu", "chrf", "exact"} == set(best.metrics["validation"])
    assert list((whole.path / "tensorboard").glob("events.*"))


def test_pause_stop_sigterm_and_resume_change_nothing(whole: RunFolder, tmp_path: Path) -> None:
    run = new_run(tmp_path, "broken")
    waits = once(run, "paused", lambda: run.wish(pause_at=None))
    # Stopped between two saves, so that resuming goes on from where it stopped.
    assert train(run, at={5: lambda: run.wish(pause_at=0), 11: lambda: run.wish(stop=True)}) == 0
    waits.join()
    assert (run.status().state, run.status().step) == ("stopped", 11)
    assert 5 in run.frames(), "the moment of the pause was not filmed"
    signals: list[int] = []
    stop = {13: lambda: signals.append(signal.SIGTERM)}
    assert train(run, resume=True, at=stop, signals=signals) == 128 + signal.SIGTERM
    assert (run.status().state, run.status().step) == ("stopped", 13)
    assert train(run, resume=True) == 0
    assert_same(whole, run)


def test_a_killed_run_loses_a_minute_at_most(
    whole: RunFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run saved when it validated, every 500 steps: killed before, it began again at step 0."""
    monkeypatch.setattr(worker, "SECONDS_A_SAVE", 0)
    run = new_run(tmp_path, "killed")
    with pytest.raises(Killed):
        train(run, at={6: kill})
    assert (run.status().state, run.saved_step) == ("interrupted", 5)
    steps: list[int] = []
    assert train(run, resume=True, at={6: lambda: steps.append(run.status().step)}) == 0
    assert steps, "it went on from another step"
    assert_same(whole, run)


def test_a_long_pause_gives_the_memory_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A paused run kept its process, and all its memory, for as long as nobody came back."""
    monkeypatch.setattr(worker, "SECONDS_OF_PAUSE", 0)
    run = new_run(tmp_path, "rests", steps=6)
    assert train(run, at={5: lambda: run.wish(pause_at=0)}) == 0
    assert not run.is_alive()
    assert (run.status().state, run.status().step) == ("paused", 5)
    run.wish(pause_at=None)
    assert train(run, resume=True) == 0
    assert (run.status().state, run.status().step) == ("finished", 6)


def test_one_step_at_a_time(tmp_path: Path) -> None:
    run = new_run(tmp_path, "slow", steps=3)
    run.wish(pause_at=1)
    seen: list[int] = []

    def step_on() -> None:
        while (status := run.status()).state != "finished":
            if status.state == "paused" and status.step not in seen:
                seen.append(status.step)
                run.wish(pause_at=status.step + 1)

    thread = once(run, "paused", step_on)
    assert train(run) == 0
    thread.join()
    assert seen == [1, 2], "the last step ends the run"


def test_another_learning_rate_is_kept_for_whoever_repeats_the_run(tmp_path: Path) -> None:
    """The change is a part of the plan: the plan alone gives the same run again."""
    run = new_run(tmp_path, "changed", steps=9)
    assert train(run, at={6: lambda: run.wish(learning_rate=1e-3)}) == 0
    assert run.plan().train.rates == ((7, 1e-3),)
    rates = [row["learning_rate"] for row in run.log()]
    assert [b / a < 0.5 for a, b in pairwise(rates)].index(True) == 5
    again = repeated(run, "again")
    assert train(again) == 0
    assert_same(run, again)


def test_minutes_become_steps(tmp_path: Path) -> None:
    run = new_run(tmp_path, "timed", minutes=0.001)
    assert train(run) == 0
    plan = run.plan()
    assert plan.minutes is None
    assert run.status().step == plan.train.steps
    again = repeated(run, "again")
    assert train(again) == 0
    assert_same(run, again)


def test_who_waits_can_be_stopped(tmp_path: Path) -> None:
    first, second = (new_run(tmp_path, name, steps=1) for name in ("first", "second"))
    slot = Slot(first)
    assert slot.acquire()
    stops = once(second, "queued", lambda: second.wish(stop=True))
    assert train(second) == 0
    stops.join()
    slot.release()
    first.write_status(Status("stopped"))
    assert (second.status().state, second.status().step) == ("stopped", 0)
    assert train(second, resume=True) == 0
    assert second.status().state == "finished"


def test_a_run_is_trained_once_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "SECONDS_FOR_THE_LOCK", 0.1)
    run = new_run(tmp_path, "one")
    with run.alive_lock(), pytest.raises(ValueError, match="already under way"):
        train(run)


def kill_at_random(run: RunFolder, rng: random.Random) -> None:
    """Let a child go on with a run for some steps, and kill it a moment later."""
    tells, told = os.pipe()
    steps = dict.fromkeys(range(STEPS), lambda: os.write(told, b"."))
    child = fork(lambda: train(run, resume=True, at=steps))
    os.close(told)
    for _ in range(rng.randint(0, MOST_STEPS)):
        os.read(tells, 1)
    time.sleep(rng.uniform(0, 0.03))
    os.kill(child, signal.SIGKILL)
    assert ends(child) == [-signal.SIGKILL]
    os.close(tells)


def test_killed_again_and_again_a_run_ends_as_if_nothing_had_happened(tmp_path: Path) -> None:
    killed, rng = new_run(tmp_path, "killed", steps=STEPS, validate_every=9), random.Random()
    for i in range(ROUNDS):
        kill_at_random(killed, rng)
        # Killed before it had begun, it is taken for one that is about to begin.
        assert killed.status().state in ("interrupted", "queued"), killed.status()
        if i == 2:
            killed.wish(learning_rate=1e-3)
        if i == 3:
            for name in ("log.jsonl", "samples.jsonl"):
                with (killed.path / name).open("a") as file:
                    file.write('{"step": 3, "lo')  # a line that was cut by a full disk
    end = killed.status().step + 9
    assert train(killed, resume=True, at={end: lambda: killed.wish(stop=True)}) == 0
    assert (killed.status().state, killed.status().step) == ("stopped", end)
    assert len(killed.plan().train.rates) == 1
    whole = repeated(killed, "whole")
    assert train(whole, at={end: lambda: whole.wish(stop=True)}) == 0
    assert_same(killed, whole)
