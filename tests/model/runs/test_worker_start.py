"""A planned run may begin with a model's weights, or be trained anew in another folder."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from model import checkpoint
from model.cli.main import app
from model.runs.film import Frame, film
from model.runs.folder import RunFolder
from model.text.pairs import Pair
from model.training.trainer import Trainer
from tests.model.runs.run_samples import assert_same, tiny_files, tiny_plan, train, weights_of

STEPS = 8


def begun(whole: RunFolder, folder: Path, name: str) -> RunFolder:
    """Write a run that begins with the weights of another one."""
    run = RunFolder.named(name, folder)
    run.create(tiny_plan(name, average=1, steps=STEPS), tiny_files(), whole.path / "best")
    return run


def test_a_run_begins_with_a_models_weights_and_resumes_from_its_own_state(
    whole: RunFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    known: list[int] = []
    take = Trainer._take_step

    def note(trainer: Trainer, batches: object) -> object:
        known.append(len(trainer.optimizers[0].state))
        return take(trainer, batches)  # type: ignore[arg-type]

    monkeypatch.setattr(Trainer, "_take_step", note)
    run = begun(whole, tmp_path / "a", "on")
    assert run.plan().from_model
    assert train(run) == 0
    assert known[0] == 0, "the optimiser begins fresh"
    assert known[-1] > 0
    model = checkpoint.load(whole.path / "best")
    expected = film(model.model, model.tokenizer, Pair(*run.plan().probe), step=0)
    np.testing.assert_allclose(Frame.load(run.frame_file(0)).top_p, expected.top_p, atol=1e-6)
    last = checkpoint.load(run.path / "last")
    assert model.steps, "it read what that model had read, and more"
    assert model.tokens
    assert last.steps == model.steps + STEPS
    assert last.tokens == model.tokens + STEPS * run.plan().train.batch_tokens
    best = weights_of(whole, "best")
    assert any((tensor != best[name]).any() for name, tensor in weights_of(run, "last").items())

    broken = begun(whole, tmp_path / "b", "on")
    assert train(broken, at={3: lambda: broken.wish(stop=True)}) == 0
    assert broken.status().state == "stopped"
    assert train(broken, resume=True) == 0
    assert_same(run, broken)


def test_a_run_that_is_there_is_never_trained_over(whole: RunFolder, tmp_path: Path) -> None:
    plan, manifest = whole.path / "plan.json", whole.path / "best" / "manifest.json"
    before, anew = manifest.read_text(), RunFolder(tmp_path / "anew")
    out = ["--out", str(anew.path)]
    for more, said in (([], "holds a run: add --resume"), (out, ""), (out, "anew already holds")):
        done = CliRunner().invoke(app, ["train", "--plan", str(plan), *more, "--threads", "1"])
        assert (done.exit_code != 0) == bool(said), done.output
        assert said in str(done.exception)
    assert manifest.read_text() == before
    assert (anew.plan().name, anew.status().state) == ("anew", "finished")
    assert anew.plan().created > time.time() - 300
    assert replace(anew.plan(), name="whole", created=whole.plan().created) == whole.plan()
    assert_same(whole, anew)
