"""A run in its folder: what it leaves behind, and that it resumes to the bit."""

from __future__ import annotations

import json
import math
from dataclasses import asdict, replace
from pathlib import Path

import pytest
import torch

from model import checkpoint
from model.config import TrainConfig
from model.runs.folder import RunFolder
from model.runs.plan import Plan
from model.runs.session import Session
from model.training.validation import Validation
from tests.model.samples import reversed_pairs, tiny_config

CONFIG = TrainConfig(
    steps=20, batch_tokens=200, warmup=5, learning_rate=5e-3, average=2, validate_every=8,
    validate_pairs=4, vary=0.2, seed=3,
)  # fmt: skip


def make_run(out: Path, resume: bool = False) -> Session:
    pairs = reversed_pairs(60)
    config = tiny_config(dropout=0.2, n_encoder_layers=1, n_decoder_layers=1)
    plan = Plan("x", "own", "", "", config, CONFIG, ("", ""))
    return Session(RunFolder(out), plan, pairs, pairs[:6], resume)


def resume_at_step_13(out: Path) -> Session:
    """Break a run off after step 13, and take it up again."""
    broken_off = make_run(out)
    next(progress for progress in broken_off.train() if progress.report.step == 13)
    broken_off.save_last()
    return make_run(out, resume=True)


def test_a_resumed_run_equals_an_uninterrupted_one_bit_for_bit(tmp_path: Path) -> None:
    whole = make_run(tmp_path / "whole")
    reports = list(whole.train())
    resumed = resume_at_step_13(tmp_path / "broken")
    rest = list(resumed.train())
    assert [p.report.step for p in rest] == list(range(14, 21))
    assert [p.report.loss for p in rest] == [p.report.loss for p in reports[13:]]
    assert rest[-1].validation == reports[-1].validation
    assert resumed.best == whole.best
    for part in ("last", "best"):
        one = checkpoint.load(tmp_path / "whole" / part).model.state_dict()
        other = checkpoint.load(tmp_path / "broken" / part).model.state_dict()
        for name, weights in one.items():
            assert torch.equal(weights, other[name]), (part, name)


def test_without_its_random_numbers_a_resumed_run_differs(tmp_path: Path) -> None:
    """Else the test above would prove nothing of them: dropout draws from them."""
    reports = list(make_run(tmp_path / "whole").train())
    resumed = resume_at_step_13(tmp_path / "broken")
    torch.manual_seed(12345)
    losses = [progress.report.loss for progress in resumed.train()]
    assert losses != [progress.report.loss for progress in reports[13:]]


def test_what_a_run_leaves_behind(tmp_path: Path) -> None:
    run = make_run(tmp_path)
    validated = [p.report.step for p in run.train() if p.validation]
    assert validated == [8, 16, 20]
    best = checkpoint.load(tmp_path)
    assert best.folder == tmp_path / "best"
    assert TrainConfig.from_dict(best.metrics["train"]) == CONFIG
    assert {"loss", "bleu", "chrf", "exact"} == set(best.metrics["validation"])
    rows = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text().splitlines()]
    assert [row["step"] for row in rows if "validation" in row] == validated
    assert list((tmp_path / "tensorboard").glob("events.*"))


def test_the_best_is_the_average_of_the_last_few(tmp_path: Path) -> None:
    run = make_run(tmp_path)
    list(run.train())
    averaged = run.average.model(run.model)
    for name, p in averaged.named_parameters():
        mean = torch.stack([weights[name] for weights in run.average.recent]).mean(0)
        assert torch.equal(p, mean)
    assert len(run.average.recent) == 2
    last = checkpoint.load(tmp_path / "last").model
    for name, p in last.named_parameters():
        assert torch.equal(p, run.average.recent[-1][name])


@pytest.mark.parametrize("odd", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("score", ["bleu", "loss"])
def test_a_score_that_is_no_number_is_never_the_best(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, score: str, odd: float
) -> None:
    """The first validation was the best whatever it was, and no later one is more than NaN: a run
    that recovered kept the weights of its worst moment.
    """
    good = Validation(loss=2.0, bleu=10.0, chrf=20.0, exact=5.0)
    scores = iter(
        [replace(good, **{score: odd}), good, replace(good, **{"bleu": 90.0, score: odd})]
    )
    monkeypatch.setattr(Session, "scores", lambda self, model: next(scores))
    run = make_run(tmp_path)
    list(run.train())
    assert run.best == good.rank
    best = checkpoint.load(tmp_path / "best")
    assert (best.metrics["step"], best.metrics["validation"]) == (16, asdict(good))


def test_a_run_needs_no_tensorboard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("model.runs.log.TENSORBOARD", False)
    list(make_run(tmp_path).train())
    assert (tmp_path / "log.jsonl").is_file()
    assert not (tmp_path / "tensorboard").exists()
