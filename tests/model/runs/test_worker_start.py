"""A planned run may begin with a model's weights, or be trained anew in another folder."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from model import checkpoint
from model.runs.film import Frame, film
from model.runs.folder import RunFolder
from model.text.pairs import Pair
from model.training.trainer import Trainer
from tests.model.runs.run_samples import new_run, tiny_files, tiny_plan, train, weights_of
from tests.model.runs.test_worker import assert_same

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    """A run that came to its end."""
    folder = new_run(tmp_path_factory.mktemp("runs"), "whole")
    assert train(folder) == 0
    return folder


def begun(whole: RunFolder, folder: Path, name: str) -> RunFolder:
    """Write a run that begins with the weights of another one."""
    run = RunFolder.named(name, folder)
    run.create(tiny_plan(name, average=1), tiny_files(), whole.path / "best")
    return run


def test_a_run_begins_with_a_models_weights(
    whole: RunFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    known: list[int] = []
    take = Trainer._take_step

    def note(trainer: Trainer, batches: object) -> object:
        known.append(len(trainer.optimizers[0].state))
        return take(trainer, batches)  # type: ignore[arg-type]

    monkeypatch.setattr(Trainer, "_take_step", note)
    best = weights_of(whole, "best")
    run = begun(whole, tmp_path, "on")
    assert run.plan().from_model
    assert train(run) == 0
    assert known[0] == 0, "the optimiser begins fresh"
    assert known[-1] > 0
    model = checkpoint.load(whole.path / "best")
    expected = film(model.model, model.tokenizer, Pair(*run.plan().probe), step=0)
    first = Frame.load(run.frame_file(0))
    np.testing.assert_allclose(first.top_p, expected.top_p, atol=1e-6)
    assert run.status().step == 24
    last = checkpoint.load(run.path / "last")
    assert model.steps, "it read what that model had read, and more"
    assert model.tokens
    assert last.steps == model.steps + 24
    assert last.tokens == model.tokens + 24 * run.plan().train.batch_tokens
    assert any((tensor != best[name]).any() for name, tensor in weights_of(run, "last").items())


def test_it_resumes_from_its_own_state(whole: RunFolder, tmp_path: Path) -> None:
    one, other = begun(whole, tmp_path / "a", "on"), begun(whole, tmp_path / "b", "on")
    assert train(one) == 0
    assert train(other, at={11: lambda: other.wish(stop=True)}) == 0
    assert other.status().state == "stopped"
    assert train(other, resume=True) == 0
    assert_same(one, other)


def command(*options: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "model", "train", *map(str, options), "--threads", "1"],
        cwd=ROOT, env=os.environ | {"OMP_NUM_THREADS": "1"}, capture_output=True, text=True,
        timeout=300, check=False,
    )  # fmt: skip


def test_a_run_that_is_there_is_never_trained_over(whole: RunFolder, tmp_path: Path) -> None:
    plan = whole.path / "plan.json"
    before = (whole.path / "best" / "manifest.json").read_text()
    refused = command("--plan", plan)
    assert refused.returncode != 0
    assert "already holds a run: add --resume" in " ".join(refused.stderr.split())
    anew = RunFolder(tmp_path / "anew")
    for status, said in ((0, ""), (1, "anew already holds a run")):
        done = command("--plan", plan, "--out", anew.path)
        assert (done.returncode != 0) == bool(status), done.stderr
        assert said in " ".join(done.stderr.split())
    assert (whole.path / "best" / "manifest.json").read_text() == before
    assert (anew.plan().name, anew.status().state) == ("anew", "finished")
    assert anew.plan().created > time.time() - 300
    assert replace(anew.plan(), name="whole", created=whole.plan().created) == whole.plan()
    assert_same(whole, anew)
