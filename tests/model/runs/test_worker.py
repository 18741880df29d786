"""A run by its plan obeys, tells, and ends where it would have, however it was broken off."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
import torch

from model import checkpoint
from model.runs import worker
from model.runs.film import Frame
from model.runs.folder import RunFolder
from model.runs.plan import Plan, Status
from model.runs.queue import Slot
from tests.model.runs.run_samples import new_run, once, train, weights_of

ROOT = Path(__file__).parents[3]


def assert_same(one: RunFolder, other: RunFolder) -> None:
    """Both learned the same to the bit, and noted the same."""
    for part in ("last", "best"):
        weights = weights_of(other, part)
        for name, tensor in weights_of(one, part).items():
            assert torch.equal(tensor, weights[name]), (part, name)
    for rows, others in ((one.log(), other.log()), (one.samples(), other.samples())):
        assert [_timeless(row) for row in rows] == [_timeless(row) for row in others]


def _timeless(row: dict[str, object]) -> dict[str, object]:
    return {name: value for name, value in row.items() if name != "seconds"}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    """A run from its start to its end."""
    folder = new_run(tmp_path_factory.mktemp("runs"), "whole")
    assert train(folder) == 0
    return folder


def test_what_a_planned_run_leaves_behind(whole: RunFolder) -> None:
    status = whole.status()
    assert (status.state, status.step, status.steps, status.error) == ("finished", 24, 24, None)
    assert status.seconds > 0
    assert status.tokens_per_second > 0
    assert 0 < status.step_seconds <= status.seconds / 24
    rows, samples = whole.log(), whole.samples()
    assert [row["step"] for row in rows] == list(range(1, 25))
    assert [row["step"] for row in rows if "validation" in row] == [8, 16, 24]
    assert [row["step"] for row in samples] == whole.frames()
    assert whole.frames()[:3] == [0, 1, 2]
    assert {8, 16, 24} <= set(whole.frames())
    assert all(len(row["samples"]) == 4 and 0 <= row["exact"] <= 1 for row in samples)
    assert {Frame.load(whole.frame_file(step)).step for step in whole.frames()} == {
        row["step"] for row in samples
    }
    best = checkpoint.load(whole.path / "best")
    assert Plan.from_dict(best.metrics["plan"]) == whole.plan()
    assert (whole.path / "tokenizer.json").exists()


def test_blocks_add_up_to_the_gradient(whole: RunFolder) -> None:
    for row in whole.log():
        total = sum(norm**2 for norm in row["blocks"].values()) ** 0.5
        assert total == pytest.approx(row["gradient_norm"], rel=1e-4)
        assert {"encoder.0", "decoder.0", "src_embed", "generator"} <= row["blocks"].keys()


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


class Killed(BaseException):
    """What no trainer survives."""


@pytest.mark.parametrize(("seconds", "saved"), [(60, 0), (0, 5)])
def test_a_killed_run_loses_a_minute_at_most(
    whole: RunFolder,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    seconds: float,
    saved: int,
) -> None:
    """A run saved when it validated, every 500 steps: killed before, it began again at step 0."""
    monkeypatch.setattr("model.runs.worker.SECONDS_A_SAVE", seconds)
    run = new_run(tmp_path, "killed")

    def kill() -> None:
        raise Killed

    with pytest.raises(Killed):
        train(run, at={6: kill})
    assert run.status().state == "interrupted"
    assert run.saved_step == saved
    steps: list[int] = []
    assert train(run, resume=True, at={saved + 1: lambda: steps.append(run.status().step)}) == 0
    assert steps, "it went on from another step"
    assert_same(whole, run)


def test_a_long_pause_gives_the_memory_back_and_changes_nothing(
    whole: RunFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A paused run kept its process, and all its memory, for as long as nobody came back."""
    monkeypatch.setattr(worker, "SECONDS_OF_PAUSE", 0.3)
    run = new_run(tmp_path, "rests")
    assert train(run, at={5: lambda: run.wish(pause_at=0)}) == 0
    assert not run.is_alive()
    assert (run.status().state, run.status().step) == ("paused", 5)
    run.wish(pause_at=6)
    assert train(run, resume=True) == 0
    assert (run.status().state, run.status().step) == ("paused", 6)
    run.wish(pause_at=None)
    assert train(run, resume=True) == 0
    assert run.status().state == "finished"
    for part in ("last", "best"):
        weights = weights_of(run, part)
        for name, tensor in weights_of(whole, part).items():
            assert torch.equal(tensor, weights[name]), (part, name)


def test_one_step_at_a_time(tmp_path: Path) -> None:
    run = new_run(tmp_path, "slow", steps=4)
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
    assert seen == [1, 2, 3], "the last step ends the run"


def test_another_learning_rate_is_kept_for_whoever_repeats_the_run(tmp_path: Path) -> None:
    """The change is a part of the plan: the plan alone gives the same run again."""
    run = new_run(tmp_path, "changed")
    assert train(run, at={6: lambda: run.wish(learning_rate=1e-3)}) == 0
    assert run.plan().train.rates == ((7, 1e-3),)
    rates = [row["learning_rate"] for row in run.log()]
    assert [b / a < 0.5 for a, b in pairwise(rates)].index(True) == 5
    again = RunFolder.named("again", tmp_path)
    files = {name: (run.path / name).read_text() for name in ("train.tsv", "valid.tsv")}
    again.create(replace(run.plan(), name="again"), files)
    assert train(again) == 0
    assert_same(run, again)


def test_minutes_become_steps(tmp_path: Path) -> None:
    run = new_run(tmp_path, "timed", minutes=0.02)
    assert train(run) == 0
    plan = run.plan()
    assert plan.minutes is None
    assert run.status().step == plan.train.steps
    again = RunFolder.named("again", tmp_path)
    files = {name: (run.path / name).read_text() for name in ("train.tsv", "valid.tsv")}
    again.create(replace(plan, name="again"), files)
    assert train(again) == 0
    assert_same(run, again)


def test_who_waits_can_be_stopped(tmp_path: Path) -> None:
    first, second = new_run(tmp_path, "first"), new_run(tmp_path, "second")
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
    monkeypatch.setattr("model.runs.worker.SECONDS_FOR_THE_LOCK", 0.2)
    run = new_run(tmp_path, "one")
    with run.alive_lock(), pytest.raises(ValueError, match="already under way"):
        train(run)


def test_killed_20_times_a_run_ends_as_if_nothing_had_happened(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.model.runs.kill_runs", str(tmp_path), "20"],
        cwd=ROOT, env=os.environ | {"OMP_NUM_THREADS": "1"}, capture_output=True, text=True,
        timeout=550, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.split()) == 20
    killed, whole = (RunFolder.named(name, tmp_path) for name in ("killed", "whole"))
    assert len(killed.plan().train.rates) == 1
    files = {name: (killed.path / name).read_text() for name in ("train.tsv", "valid.tsv")}
    whole.create(replace(killed.plan(), name="whole"), files)
    assert train(whole, at={killed.status().step: lambda: whole.wish(stop=True)}) == 0
    assert_same(killed, whole)
