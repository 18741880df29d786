"""What goes wrong in a run is told in one sentence, and costs nothing that was completed."""

from __future__ import annotations

import logging
import shutil
import subprocess
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from torch import Tensor

import model.training.trainer
from model import checkpoint
from model.errors import UserError, is_full
from model.runs.folder import RunFolder
from model.runs.plan import Status
from model.runs.worker import Worker
from model.training.loss import batch_loss
from tests.model.disks import mounted
from tests.model.runs.run_samples import (
    assert_same,
    new_run,
    once,
    tiny_files,
    tiny_plan,
    train,
    weights_of,
)

Loss = tuple[Tensor, Tensor, int]


def assert_ends_like(whole: RunFolder, run: RunFolder) -> None:
    """Resumed, the run ends where it would have."""
    assert train(run, resume=True) == 0
    assert (run.status().state, run.status().error) == ("finished", None)
    assert_same(whole, run)


def inject(monkeypatch: pytest.MonkeyPatch, change: Callable[[Loss], Loss]) -> Callable[[], None]:
    """Return what changes the loss of every training step from now on."""

    def changed(*arguments: Any, **options: Any) -> Loss:
        return change(batch_loss(*arguments, **options))

    return lambda: monkeypatch.setattr(model.training.trainer, "batch_loss", changed)


def test_nan_stops_the_run_and_spares_the_weights(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = new_run(tmp_path, "nan")
    spoil = inject(monkeypatch, lambda made: (made[0] * float("nan"), *made[1:]))
    with pytest.raises(UserError, match="not finite for 10 steps in a row"):
        train(run, at={9: spoil})
    status = run.status()
    assert status.state == "failed"
    assert status.error is not None
    assert (status.error.code, status.error.values["count"]) == ("not_finite", 10)
    assert checkpoint.load(run.path / "last").metrics["step"] in (8, 16)
    assert all(bool(t.isfinite().all()) for t in weights_of(run, "last").values())
    assert [row["step"] for row in run.log() if row["skipped"]] == list(range(10, 19))


def test_an_exception_is_a_sentence_on_the_page_and_a_trace_in_the_log(
    whole: RunFolder,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    def fail(made: Loss) -> Loss:
        raise RuntimeError("the roof fell in\nand more")

    run = new_run(tmp_path, "broken")
    with caplog.at_level(logging.ERROR), pytest.raises(UserError):
        train(run, at={12: inject(monkeypatch, fail)})
    status = run.status()
    assert (status.state, status.step) == ("failed", 12)
    assert status.error is not None
    assert status.error.code == "broke_off"
    assert status.error.text.endswith("RuntimeError: the roof fell in")
    assert "Traceback" in caplog.text
    monkeypatch.undo()
    assert_ends_like(whole, run)


def fill(disk: Path, left: int) -> None:
    """Fill a disk up to some kilobytes."""
    free = shutil.disk_usage(disk).free
    (disk / "ballast").write_bytes(b"x" * (free - left * 1024))


def test_a_run_waits_for_space_on_the_disk(
    whole: RunFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It broke off, the page called that "interrupted", and somebody had to resume it.

    It now says so and waits; nothing that it writes down is lost or there twice.
    """
    monkeypatch.setattr("model.runs.worker.SECONDS_A_TRY", 0.05)
    disk = tmp_path / "disk"
    with mounted(disk, "size=4m"):
        run = new_run(disk, "full")
        looks, seen = empty_when_paused(run)
        assert train(run, at={13: lambda: fill(disk, 0)}) == 0
        looks.join()
        (status,) = seen
        assert (status.state, status.error and status.error.code) == ("paused", "waits_for_space")
        assert "no space is left on the disk" in str(status.error)
        assert (run.status().state, run.status().error) == ("finished", None)
        assert run.status().seconds < 60
        assert_same(whole, run)
        assert run.frames() == whole.frames()
        assert steps_on_the_board(run) == list(range(1, 25))
        assert not [path.name for path in run.path.iterdir() if ".new" in path.name]


def empty_when_paused(run: RunFolder) -> tuple[Thread, list[Status]]:
    """Empty the disk a moment after the run says that it waits; return what it says then."""
    seen = list[Status]()

    def look() -> None:
        time.sleep(0.2)
        seen.append(run.status())
        (run.path.parent / "ballast").unlink()

    return once(run, "paused", look), seen


def steps_on_the_board(run: RunFolder) -> list[int]:
    """Read TensorBoard's file as TensorBoard does."""
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    events = EventAccumulator(str(run.path / "tensorboard"))
    events.Reload()
    return [event.step for event in events.Scalars("train/loss")]


def test_a_disk_that_is_full_before_the_first_step_is_named_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The run kept its place in the queue in silence: not even its status could be written."""
    monkeypatch.setattr("model.runs.worker.SECONDS_A_TRY", 0.05)
    disk = tmp_path / "disk"
    with mounted(disk, "size=4m"):
        run = new_run(disk, "full", steps=1)
        fill(disk, 0)
        looks, seen = empty_when_paused(run)
        assert train(run) == 0
        looks.join()
        assert [status.state for status in (*seen, run.status())] == ["paused", "finished"]


def test_who_waits_for_space_can_be_stopped(
    whole: RunFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Too full for a checkpoint alone, too; the run can be resumed from what was saved before."""
    monkeypatch.setattr("model.runs.worker.SECONDS_A_TRY", 60.0)
    disk = tmp_path / "disk"
    with mounted(disk, "size=4m"):
        run = new_run(disk, "full")
        stops = once(run, "paused", lambda: run.wish(stop=True))
        assert train(run, at={13: lambda: fill(disk, 90)}) == 0
        stops.join()
        status = run.status()
        assert (status.state, status.error and is_full(status.error)) == ("stopped", True)
        assert checkpoint.load(run.path / "last").metrics["step"] == 8
        (disk / "ballast").unlink()
        assert_ends_like(whole, run)


def test_a_read_only_folder_is_refused_in_a_sentence(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    with mounted(disk, "size=4m"):
        run = new_run(disk, "fixed")
        subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
        for write in (lambda: Worker(run, []).train(resume=False), lambda: new_run(disk, "other")):
            with pytest.raises(ValueError, match=r"^The run cannot be written: the disk is read"):
                write()
        assert run.status().state in ("queued", "interrupted")


def test_a_plan_that_cannot_be_followed(tmp_path: Path) -> None:
    cases: tuple[tuple[dict[str, Any], str], ...] = (
        ({"valid": "nowhere.tsv"}, "valid: .*nowhere.tsv cannot be read: No such file"),
        ({"data": (), "task": "juggle"}, "This run has no pairs to train on"),
        ({}, "There is no run"),
    )
    for i, (changes, said) in enumerate(cases):
        run = RunFolder.named(f"odd {i}", tmp_path)
        run.create(replace(tiny_plan(run.name), **changes), tiny_files())
        if not changes:
            (run.path / "plan.json").write_text('{"name": "odd", "mod')
        with pytest.raises(UserError, match=said) as raised:
            train(run)
        assert run.status().state == "failed"
        assert str(run.status().error) == str(raised.value)
