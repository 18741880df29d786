"""The doctor before real runs: each trained here for a second, ill in its own way, or healthy."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
import torch

from model.config import ModelConfig, TrainConfig
from model.errors import UserError
from model.runs.doctor import FEWEST_ROWS, Finding, diagnose
from model.runs.film import Frame
from model.runs.folder import RunFolder
from model.runs.plan import Plan
from model.runs.session import Session
from model.text.pairs import Pair
from tests.model.runs.run_samples import files_of

MODEL = ModelConfig(
    300, d_model=32, n_heads=2, d_ff=64, n_encoder_layers=1, n_decoder_layers=1, dropout=0.0,
    norm="pre", max_len=40,
)  # fmt: skip
TRAIN = TrainConfig(
    steps=120, batch_tokens=400, optimizer="muon", schedule="wsd", cooldown=0.6,
    learning_rate=2e-2, warmup=10, validate_every=30, validate_pairs=16,
)  # fmt: skip


def reversed_words(n: int, seed: int = 0, longest: int = 5) -> list[Pair]:
    rng = random.Random(seed)
    rows = [rng.sample("abcdefgh", rng.randint(3, longest)) for _ in range(n)]
    return [Pair(" ".join(row), " ".join(row[::-1])) for row in rows]


def torn_apart(pairs: list[Pair]) -> list[Pair]:
    """Give each source the target of another, so that it tells nothing."""
    targets = [pair.tgt for pair in pairs]
    random.Random(1).shuffle(targets)
    return [Pair(pair.src, tgt) for pair, tgt in zip(pairs, targets, strict=True)]


@dataclass(frozen=True)
class Trained:
    plan: Plan
    rows: list[dict[str, Any]]
    samples: list[dict[str, Any]]
    frame: Frame

    def findings(self) -> dict[str, Finding]:
        found = diagnose(self.plan, self.rows, self.samples, self.frame)
        for finding in found:
            assert all(isinstance(value, int | float | str) for value in finding.values.values()), (
                finding
            )
        return {finding.code: finding for finding in found}


def train(
    folder: Path,
    pairs: list[Pair],
    spoil: Callable[[Session], object] = lambda run: None,
    **settings: Any,
) -> Trained:
    """Train on pairs, filmed and validated on others."""
    config = replace(TRAIN, **settings)
    plan = Plan(
        "x", "reverse", "", "", MODEL, config, ("a b c d e", "e d c b a"), len(pairs),
        data=("train.tsv",), valid="valid.tsv",
    )  # fmt: skip
    written = RunFolder(folder / "x")
    written.create(plan, files_of(pairs, reversed_words(64, seed=7)))
    run = Session(written, plan)
    run.kept = set()  # the doctor looks at no weights of filmed moments,
    run.moments = {config.steps}  # and at the newest frame alone
    spoil(run)
    try:
        for _ in run.train():
            pass
    except UserError:
        run.film()
    plan = replace(plan, model=run.model.config)
    newest = Frame.load(written.frame_file(written.frames()[-1]))
    return Trained(plan, written.log(), written.samples(), newest)


def poison(run: Session) -> None:
    """Make one number of the gradient of each step after the 60th infinite."""

    def change(gradient: torch.Tensor) -> torch.Tensor:
        return gradient * (math.inf if run.trainer.step >= 60 else 1.0)

    run.model.generator.bias.register_hook(change)


# Runs, and what is found of each: nothing else that is bad or doubtful.
RUNS: Mapping[str, tuple[Callable[[Path], Trained], set[str]]] = {
    "healthy": (lambda at: train(at, reversed_words(3000), steps=260), set()),
    "poisoned": (lambda at: train(at, reversed_words(3000), poison), {"not_finite"}),
    "raised": (
        lambda at: train(
            at, reversed_words(3000), optimizer="adam", learning_rate=3e-3, rates=((70, 1.0),)
        ),
        {"rate_high"},
    ),
    "torn": (lambda at: train(at, torn_apart(reversed_words(3000))), {"ignores_source"}),
    "by heart": (
        lambda at: train(at, reversed_words(25), steps=200, validate_every=20),
        {"overfits", "few_data"},
    ),
    "peeking": (lambda at: train(at, reversed_words(3000), causal=False), {"peeks"}),
}


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Trained]:
    made: dict[str, Trained] = {}

    def of(name: str) -> Trained:
        if name not in made:
            made[name] = RUNS[name][0](tmp_path_factory.mktemp("run"))
        return made[name]

    return of


def number(finding: Finding, name: str) -> float:
    value = finding.values[name]
    assert not isinstance(value, str)
    return value


def of_level(findings: Mapping[str, Finding], level: str) -> set[str]:
    return {code for code, finding in findings.items() if finding.level == level}


@pytest.mark.parametrize("name", RUNS)
def test_each_run_gets_its_diagnosis(name: str, trained: Callable[[str], Trained]) -> None:
    found = trained(name).findings()
    ill = {code for code, finding in found.items() if finding.level != "good"}
    expected = RUNS[name][1]
    assert expected <= ill, found
    # A run that is torn from its course may end with one word for all, or not.
    assert ill - expected <= ({"same_word", "ignores_source"} if "rate_high" in ill else set())


def test_a_healthy_run_is_praised_with_its_numbers(trained: Callable[[str], Trained]) -> None:
    found = trained("healthy").findings()
    assert of_level(found, "good") == {"learns", "generalises", "aligned"}
    assert number(found["generalises"], "exact") >= 90
    assert number(found["aligned"], "weight") > 0.9
    first, last, floor = (number(found["learns"], name) for name in ("from", "to", "floor"))
    assert first > math.log(250) > 1.5 * floor
    assert last == pytest.approx(floor, abs=0.1)


def test_numbers_are_those_of_the_run(trained: Callable[[str], Trained]) -> None:
    poisoned = trained("poisoned").findings()["not_finite"].values
    assert (poisoned["step"], poisoned["count"]) == (61, 10 - 1)  # the tenth ends it, unlogged
    raised, rows = trained("raised").findings()["rate_high"].values, trained("raised").rows
    assert raised["norm"] == max(row["gradient_norm"] for row in rows)
    by_heart = trained("by heart")
    few, overfits = (by_heart.findings()[name].values for name in ("few_data", "overfits"))
    assert few["pairs"] == 25
    assert few["tokens"] == pytest.approx(25 * 2 * 5, abs=25)
    assert float(few["parameters"]) > 100 * float(few["tokens"])
    losses = [row["validation"]["loss"] for row in by_heart.rows if row.get("validation")]
    assert (overfits["best"], overfits["last"]) == (min(losses), losses[-1])


def test_before_anything_is_known_nothing_is_said(trained: Callable[[str], Trained]) -> None:
    one = trained("raised")
    assert diagnose(one.plan, []) == ()
    assert diagnose(one.plan, one.rows[: FEWEST_ROWS - 1]) == ()
    assert diagnose(one.plan, one.rows)[0].code == "rate_high"  # without samples and film


N_STEPS = 100
FALLING = [5 * 0.9**step for step in range(N_STEPS)]
SLOWLY = [5 * 0.985**step for step in range(N_STEPS)]
DIFFERENT = ("a b", "b c", "c d", "d e")


@dataclass(frozen=True)
class Story:
    """A run as it might be written down: a loss a step, and how it was judged at some steps.

    `judged` are steps with the validation loss and the share of exact sentences in %.
    """

    losses: list[float]
    judged: tuple[tuple[int, float, float], ...] = ()
    outputs: tuple[str, ...] = DIFFERENT
    pairs_a_step: int = 1  # of 200
    train: Mapping[str, Any] = field(default_factory=dict)

    def verdict(self) -> set[str]:
        config = replace(TRAIN, **{"steps": N_STEPS, **self.train})
        plan = Plan("x", "reverse", "", "", MODEL, config, ("a b", "b a"), 200)
        scores = {step: {"loss": loss, "exact": exact} for step, loss, exact in self.judged}
        rows = [
            {
                "step": step, "epoch": self.pairs_a_step * step // 200,
                "tokens": 5 * self.pairs_a_step, "loss": loss, "cross_entropy": loss,
                "gradient_norm": 1.0, "learning_rate": 0.01, "validation": scores.get(step),
            }
            for step, loss in enumerate(self.losses, 1)
        ]  # fmt: skip
        told = [{"src": f"s{i}", "tgt": f"t{i}", "output": o} for i, o in enumerate(self.outputs)]
        exact = self.judged[-1][2] / 100 if self.judged else 0.0
        samples = [{"step": N_STEPS, "exact": exact, "samples": told}]
        return {finding.code for finding in diagnose(plan, rows, samples)}


LEAP = [9.0 if 20 < step < 25 else loss for step, loss in enumerate(FALLING)]
LATE_LEAP = [*FALLING[:-5], *[9.0] * 5]
SAME = ("a",) * 4
STORIES: Mapping[str, tuple[Story, set[str]]] = {
    "it falls and understands": (
        Story(FALLING, ((100, 0.1, 98.0),)), {"learns", "generalises"}
    ),
    "each pair seen 100 times, and yet it understands": (
        Story(FALLING, ((100, 0.1, 98.0),), pairs_a_step=200), {"learns", "generalises"}
    ),
    "each pair seen 100 times, others hardly known": (
        Story(FALLING, ((100, 2.0, 10.0),), pairs_a_step=200), {"learns", "few_data"}
    ),
    "each pair seen 100 times, others as well known, but not to the word": (
        Story(FALLING, ((100, 0.1, 60.0),), pairs_a_step=200), {"learns"}
    ),
    "validation rises, and nearly all is right": (
        Story(FALLING, ((25, 0.1, 90.0), (50, 0.3, 95.0), (75, 0.4, 96.0), (100, 0.4, 97.0))),
        {"learns", "generalises"},
    ),
    "validation rises, and little is right": (
        Story(FALLING, ((25, 1.0, 20.0), (50, 1.5, 20.0), (75, 2.0, 15.0), (100, 2.5, 15.0))),
        {"learns", "overfits"},
    ),
    "a leap that was made up for": (
        Story(LEAP, ((100, 0.1, 97.0),)), {"learns", "generalises"}
    ),
    "a leap that was not": (Story(LEAP, ((100, 2.0, 40.0),)), {"rate_high"}),
    "a leap after it was judged": (Story(LATE_LEAP, ((90, 0.1, 97.0),)), {"rate_high"}),
    "nothing to gain, as it could it before": (
        Story([0.5] * N_STEPS, ((100, 0.4, 97.0),)), {"generalises"}
    ),
    "the loss stands still": (Story([5.0] * N_STEPS, ((100, 5.0, 0.0),)), {"rate_low"}),
    "the loss stands still, and all is one sentence": (
        Story([5.0] * N_STEPS, ((100, 5.0, 0.0),), outputs=("a b",) * 4), {"rate_low"}
    ),
    "all is one word": (Story(FALLING, ((100, 2.0, 0.0),), outputs=SAME), {"same_word"}),
    "all is one sentence": (
        Story(FALLING, ((100, 2.0, 0.0),), outputs=("a b",) * 4), {"ignores_source"}
    ),
    "nearly all is one sentence": (  # once this was called healthy
        Story(FALLING, ((100, 2.0, 0.0),), outputs=("a b", "b c", "a b", "a b", "b c")),
        {"ignores_source"},
    ),
    "half of it is one sentence": (
        Story(FALLING, ((100, 2.0, 0.0),), outputs=("a b", "b c", "a b", "c d")),
        {"learns", "none_right"},
    ),
    "it ended, and nothing is right": (  # the doctor found nothing wrong
        Story(SLOWLY[:40], ((40, 2.0, 0.0),), train={"steps": 40}),
        {"learns", "none_right"},
    ),
    "it goes on, and nothing is right yet": (
        Story(FALLING[:40], ((40, 2.0, 0.0),)), {"learns"}
    ),
    "it falls to the end": (Story(SLOWLY, ((100, 2.0, 40.0),)), {"learns", "unfinished"}),
    "it peeks, and says one word": (
        Story(FALLING, ((100, 0.05, 0.0),), outputs=SAME, train={"causal": False}), {"peeks"}
    ),
    "one batch by heart, and nothing else": (
        Story(FALLING, ((100, 6.0, 0.0),), outputs=SAME, train={"one_batch": True}),
        {"learns", "one_batch"},
    ),
    "one batch, not by heart": (
        Story([5.0] * N_STEPS, ((100, 6.0, 0.0),), outputs=SAME, train={"one_batch": True}),
        {"rate_low", "one_batch_not"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", STORIES)
def test_findings_are_weighed_against_each_other(name: str) -> None:
    """It told of one run that there was too little data and that it understood 98 %."""
    story, verdict = STORIES[name]
    assert story.verdict() == verdict


@pytest.mark.parametrize("name", ["reverse", "phrases-es"])
def test_the_recorded_runs_are_healthy_at_every_moment(name: str) -> None:
    folder = RunFolder(Path(__file__).parents[3] / "pretrained" / "recorded" / name)
    plan, rows, samples = folder.plan(), folder.log(), folder.samples()
    for step in folder.frames():
        found = diagnose(
            plan,
            [row for row in rows if row["step"] <= step],
            [row for row in samples if row["step"] <= step],
            Frame.load(folder.frame_file(step)),
        )
        assert not [one.code for one in found if one.level != "good"], step


def test_the_share_of_right_sentences_is_that_of_all_validated_ones() -> None:
    """The phrase book's run got 97.5 % of its 200 held-out sentences right, and all 32 of a frame:
    the doctor said 100 %.
    """
    folder = RunFolder(Path(__file__).parents[3] / "pretrained" / "recorded" / "phrases-es")
    rows, samples = folder.log(), folder.samples()
    assert samples[-1]["exact"] == 1
    found = {one.code: one for one in diagnose(folder.plan(), rows, samples)}
    assert found["generalises"].values["exact"] == rows[-1]["validation"]["exact"] == 97.5
