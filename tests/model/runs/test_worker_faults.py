"""What goes wrong in a run is told in one sentence, and costs nothing that was completed."""

from __future__ import annotations

import logging
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor

import model.training.trainer
from model import checkpoint
from model.errors import UserError
from model.nn.loss import batch_loss
from model.runs.folder import RunFolder
from model.runs.worker import Worker
from tests.model.disks import mounted
from tests.model.runs.run_samples import new_run, tiny_files, tiny_plan, train, weights_of

Loss = tuple[Tensor, Tensor, int]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    """A run to which nothing happens."""
    folder = new_run(tmp_path_factory.mktemp("runs"), "whole")
    assert train(folder) == 0
    return folder


def assert_ends_like(whole: RunFolder, run: RunFolder) -> None:
    """Resumed, the run ends where it would have."""
    assert train(run, resume=True) == 0
    expected = weights_of(whole, "last")
    assert all(torch.equal(t, expected[name]) for name, t in weights_of(run, "last").items())
    assert [row["loss"] for row in run.log()] == [row["loss"] for row in whole.log()]
    assert (run.status().state, run.status().error) == ("finished", None)


def inject(monkeypatch: pytest.MonkeyPatch, change: Callable[[Loss], Loss]) -> Callable[[], None]:
    """Return what changes the loss of every training step from now on."""

    def changed(*arguments: Any, **options: Any) -> Loss:
        return change(batch_loss(*arguments, **options))

    return lambda: monkeypatch.setattr(model.training.trainer, "batch_loss", changed)


def test_nan_stops_the_run_and_spares_the_weights(
    whole: RunFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = new_run(tmp_path, "nan")
    spoil = inject(monkeypatch, lambda made: (made[0] * float("nan"), *made[1:]))
    with pytest.raises(UserError, match="not finite 10 steps in a row"):
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


def test_a_full_disk_loses_nothing_that_was_saved(whole: RunFolder, tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    with mounted(disk, "size=4m"):
        run = new_run(disk, "full")

        def fill() -> None:
            left = shutil.disk_usage(disk).free
            (disk / "ballast").write_bytes(b"x" * left)

        with pytest.raises(UserError, match="no space is left on the disk"):
            train(run, at={13: fill})
        assert run.status().state in ("failed", "interrupted")
        assert checkpoint.load(run.path / "last").metrics["step"] == 8
        assert [row["step"] for row in run.log()][:8] == list(range(1, 9))
        (disk / "ballast").unlink()
        assert_ends_like(whole, run)


def test_a_read_only_folder_is_refused_in_a_sentence(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    with mounted(disk, "size=4m"):
        run = new_run(disk, "fixed")
        subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
        with pytest.raises(
            ValueError, match=r"^The run cannot be written: the disk can only be read"
        ):
            Worker(run, []).train(resume=False)
        with pytest.raises(
            ValueError, match=r"^The run cannot be written: the disk can only be read"
        ):
            new_run(disk, "other")
        assert run.status().state in ("queued", "interrupted")


@pytest.mark.parametrize(
    ("plan", "said"),
    [
        ({"valid": "nowhere.tsv"}, "valid: .*nowhere.tsv cannot be read: No such file"),
        ({"data": (), "task": "juggle"}, "This run has no pairs to train on"),
    ],
)
def test_a_plan_that_cannot_be_followed(plan: dict[str, Any], said: str, tmp_path: Path) -> None:
    run = RunFolder.named("odd", tmp_path)
    run.create(replace(tiny_plan("odd"), **plan), tiny_files())
    with pytest.raises(UserError, match=said) as raised:
        train(run)
    assert run.status().state == "failed"
    assert str(run.status().error) == str(raised.value)


def test_a_damaged_plan(tmp_path: Path) -> None:
    run = new_run(tmp_path, "odd")
    (run.path / "plan.json").write_text('{"name": "odd", "mod')
    with pytest.raises(UserError):
        train(run)
    assert run.status().state == "failed"
    assert run.status().error is not None
