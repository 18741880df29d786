"""A run in its folder: what it leaves behind, and that it resumes to the bit."""

from __future__ import annotations

import math
from dataclasses import asdict, replace
from pathlib import Path

import pytest
import torch

from model import checkpoint
from model.runs.folder import RunFolder
from model.runs.session import Progress, Session
from model.training.evaluate import Validation
from tests.model.runs.run_samples import tiny_plan
from tests.model.samples import reversed_pairs


def make_run(out: Path, resume: bool = False, **changes: int) -> Session:
    pairs, plan = reversed_pairs(60), tiny_plan("x", **{"steps": 20, **changes})
    return Session(RunFolder(out), plan, pairs, pairs[:6], resume)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[Session, list[Progress]]:
    """A run from its start to its end, and what it reported."""
    run = make_run(tmp_path_factory.mktemp("whole"))
    return run, list(run.train())


def resume_at_step_13(out: Path) -> Session:
    """Break a run off after step 13, and take it up again."""
    broken_off = make_run(out)
    next(progress for progress in broken_off.train() if progress.report.step == 13)
    broken_off.save_last()
    return make_run(out, resume=True)


def test_a_resumed_run_equals_an_uninterrupted_one_bit_for_bit(
    whole: tuple[Session, list[Progress]], tmp_path: Path
) -> None:
    one, reports = whole
    resumed = resume_at_step_13(tmp_path)
    rest = list(resumed.train())
    assert [p.report.step for p in rest] == list(range(14, 21))
    assert [p.report.loss for p in rest] == [p.report.loss for p in reports[13:]]
    assert [p.validation for p in rest] == [p.validation for p in reports[13:]]
    assert resumed.best == one.best
    for part in ("last", "best"):
        weights = checkpoint.load(one.folder.path / part).model.state_dict()
        other = checkpoint.load(tmp_path / part).model.state_dict()
        assert all(torch.equal(tensor, other[name]) for name, tensor in weights.items()), part


def test_without_its_random_numbers_a_resumed_run_differs(
    whole: tuple[Session, list[Progress]], tmp_path: Path
) -> None:
    """Else the test above would prove nothing of them: dropout draws from them."""
    resumed = resume_at_step_13(tmp_path)
    torch.manual_seed(12345)
    losses = [progress.report.loss for progress in resumed.train()]
    assert losses != [progress.report.loss for progress in whole[1][13:]]


def test_the_best_is_the_average_of_the_last_few(whole: tuple[Session, list[Progress]]) -> None:
    run, reports = whole
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
    best = checkpoint.load(tmp_path / "best")
    assert (best.metrics["step"], best.metrics["validation"]) == (7, asdict(good))


def test_a_run_needs_no_tensorboard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("model.runs.session.TENSORBOARD", False)
    list(make_run(tmp_path, steps=1).train())
    assert (tmp_path / "log.jsonl").is_file()
    assert not (tmp_path / "tensorboard").exists()
