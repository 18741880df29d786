"""A run in its folder: its average and its best, and what a resumed one draws."""

from __future__ import annotations

import math
from dataclasses import asdict, replace
from itertools import islice
from pathlib import Path

import pytest
import torch

from model import checkpoint
from model.runs.folder import RunFolder
from model.runs.session import Session
from model.training.evaluate import Validation
from tests.model.runs.run_samples import new_run, train


def make_run(runs: Path, **changes: int) -> Session:
    run = new_run(runs, "x", **{"steps": 20, **changes})
    return Session(run, run.plan())


def test_without_its_random_numbers_a_resumed_run_differs(whole: RunFolder, tmp_path: Path) -> None:
    """Else the tests that compare one would prove nothing of them: dropout draws from them."""
    run = new_run(tmp_path, "x")
    assert train(run, at={13: lambda: run.wish(stop=True)}) == 0
    losses = list[list[float]]()
    for is_lost in (False, True):
        resumed = Session(run, run.plan(), resume=True)
        if is_lost:
            torch.manual_seed(12345)
        losses.append([progress.report.loss for progress in islice(resumed.train(), 2)])
    expected = [row["loss"] for row in whole.log()[13:15]]
    assert losses[0] == expected != losses[1]


def test_the_best_is_the_average_of_the_last_few(tmp_path: Path) -> None:
    run = make_run(tmp_path)
    reports = list(run.train())
    assert [p.report.step for p in reports if p.validation] == [8, 16, 20]
    averaged = run.average.model(run.model)
    for name, p in averaged.named_parameters():
        mean = torch.stack([weights[name] for weights in run.average.recent]).mean(0)
        assert torch.equal(p, mean)
    assert len(run.average.recent) == 2
    last = checkpoint.load(run.folder.path / "last").model
    for name, p in last.named_parameters():
        assert torch.equal(p, run.average.recent[-1][name])


def test_a_score_that_is_no_number_is_never_the_best(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first validation was the best whatever it was, and no later one is more than NaN: a run
    that recovered kept the weights of its worst moment.
    """
    good = Validation(loss=2.0, bleu=10.0, chrf=20.0, exact=5.0)
    odd = [{name: x} for name in ("bleu", "loss") for x in (math.nan, math.inf, -math.inf)]
    worst = [replace(good, **{"bleu": 90.0, **one}) for one in odd]
    scores = iter([*worst, good, *worst])
    monkeypatch.setattr(Session, "scores", lambda self, model: next(scores))
    run = make_run(tmp_path, steps=13, validate_every=1)
    list(run.train())
    assert run.best == good.rank
    best = checkpoint.load(run.folder.path / "best")
    assert (best.metrics["step"], best.metrics["validation"]) == (7, asdict(good))


def test_a_run_needs_no_tensorboard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("model.runs.session.TENSORBOARD", False)
    list(make_run(tmp_path, steps=1).train())
    assert (tmp_path / "x/log.jsonl").is_file()
    assert not (tmp_path / "x/tensorboard").exists()
