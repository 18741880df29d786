"""Training learns, resumes to the bit, adds up gradients, and survives a NaN."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import pytest
import torch
from torch import Tensor

from model.config import Arch, ModelConfig, TrainConfig
from model.errors import UserError
from model.interpret.recording import capture
from model.nn.architectures import build
from model.text.batches import Batch, Dataset, Example, collate
from model.text.byte_level import BOS, EOS, PAD
from model.training.evaluate import validation_loss
from model.training.loss import batch_loss
from model.training.trainer import (
    MAX_SKIPPED,
    Trainer,
    seed_everything,
)
from tests.model.samples import (
    ONE_LAYER,
    RECURRENT,
    letters_tokenizer,
    reversed_pairs,
    tiny_config,
)


def make_trainer(
    arch: Arch = "transformer", dropout: float = 0.0, n_pairs: int = 60, **settings: object
) -> Trainer:
    config = TrainConfig(**{"steps": 10, "batch_tokens": 200, "warmup": 5, **settings})  # type: ignore[arg-type]
    seed_everything(config.seed)
    dataset = Dataset(reversed_pairs(n_pairs), letters_tokenizer(), seed=config.seed)
    return Trainer(build(tiny_config(arch, dropout=dropout)), dataset, config)


def weights(trainer: Trainer) -> dict[str, Tensor]:
    return {name: p.detach().clone() for name, p in trainer.model.named_parameters()}


# Models and their trainings that learn to reverse up to four letters, for the least of a processor.
REVERSERS: Mapping[Arch, tuple[ModelConfig, dict[str, Any]]] = {
    "transformer": (
        tiny_config(d_model=32, n_heads=4, d_ff=64, norm="pre", **ONE_LAYER),
        {"steps": 280, "batch_tokens": 250, "optimizer": "muon", "learning_rate": 2e-2},
    ),
    "rnnsearch": (
        tiny_config("rnnsearch", d_model=32, d_hidden=48),
        {"steps": 160, "batch_tokens": 400, "learning_rate": 1e-2},
    ),
}


@pytest.mark.parametrize("arch", REVERSERS)
def test_it_learns_to_reverse_and_looks_where_it_should(arch: Arch) -> None:
    """Unseen lines come out right; all choices right given the truth is greedy decoding right.

    Before writing the t-th letter from the end, it looks at just that letter.
    """
    tokenizer, (sizes, settings) = letters_tokenizer(), REVERSERS[arch]
    config = TrainConfig(schedule="linear", warmup=20, label_smoothing=0.0, **settings)
    seed_everything(0)
    model = build(replace(sizes, vocab_size=tokenizer.vocab_size))
    trainer = Trainer(model, Dataset(reversed_pairs(2000, longest=4), tokenizer), config)
    losses = [report.loss for report in trainer.train_steps()]
    assert sum(losses[-20:]) < 0.1 * sum(losses[:20])
    model.eval()
    unseen = reversed_pairs(200, seed=9, longest=4)
    batch = collate(Dataset(unseen, tokenizer).examples)
    with torch.no_grad():
        chosen = model(batch.src, batch.tgt_in).argmax(-1)
    right = ((chosen == batch.tgt_out) | (batch.tgt_out == PAD)).all(1)
    assert float(right.float().mean()) > 0.9
    hits = []
    for pair in unseen[:50]:
        src = [*tokenizer.encode(pair.src), EOS]
        made = capture(model, tokenizer, src, [BOS, *tokenizer.encode(pair.tgt)])
        looked_at = made.weights("cross", 0).sum(0).argmax(-1)  # (T,)
        n = len(src) - 1
        hits += [int(looked_at[t]) == n - 1 - t for t in range(n)]
    assert sum(hits) / len(hits) > 0.9


def test_reports_tell_what_happened() -> None:
    trainer = make_trainer(steps=1000)
    dataset_tokens = sum(len(src) + len(tgt) for src, tgt in trainer.dataset.examples)
    n_batches = len(trainer.dataset.epoch(0, 200))
    steps = trainer.train_steps()
    first = [next(steps) for _ in range(n_batches)]
    assert [report.step for report in first] == list(range(1, n_batches + 1))
    assert sum(report.tokens for report in first) == dataset_tokens
    for report in first:
        assert (report.epoch, report.skipped) == (0, False)
        assert math.isfinite(report.loss)
        assert min(report.gradient_norm, report.seconds) > 0
    assert next(steps).epoch == 1


def test_a_step_of_a_billion_batches_gathers_none_of_them_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It took 1.6 GB a minute, while Stop did nothing and all others waited in the queue."""
    trainer = make_trainer(accumulate=10**9)
    batches, computed = trainer._batches, [torch.zeros(4, dtype=torch.float64)] * 2

    def few() -> Iterator[list[Example]]:
        for i, batch in enumerate(batches()):
            assert i < 5, "gathered before the first one was computed"
            yield batch

    monkeypatch.setattr(trainer, "_batches", few)
    monkeypatch.setattr(trainer, "_backward", lambda _batch: computed.pop())
    with pytest.raises(IndexError, match="pop from empty list"):
        next(trainer.train_steps())


@pytest.mark.parametrize(
    ("arch", "optimizer"),
    [("transformer", "adam"), ("transformer", "muon"), ("rnn", "muon"), ("rnnsearch", "adam")],
)
def test_a_restored_trainer_goes_on_bit_for_bit(arch: Arch, optimizer: str) -> None:
    # One after the other: dropout draws from the one generator of the process.
    make = partial(make_trainer, arch, dropout=0.3, steps=9, accumulate=2, optimizer=optimizer)
    whole = make()
    list(whole.train_steps())
    broken_off = make()
    next(report for report in broken_off.train_steps() if report.step == 4)
    tensors, position = broken_off.state()
    tensors = {name: tensor.clone() for name, tensor in tensors.items()}
    saved = weights(broken_off)
    resumed = make()
    resumed.model.load_state_dict(saved, strict=False)
    resumed.restore(tensors, position)
    assert [report.step for report in resumed.train_steps()] == list(range(5, 10))
    for name, p in weights(whole).items():
        assert torch.equal(p, weights(resumed)[name]), name


def test_accumulated_batches_equal_one_large_batch() -> None:
    gradients = []
    for n_batches in (1, 3):
        trainer = make_trainer(n_pairs=30)
        examples = sorted(trainer.dataset.examples, key=lambda pair: len(pair[0]))
        size = len(examples) // n_batches
        batches = [examples[i * size : (i + 1) * size] for i in range(n_batches)]
        before = weights(trainer)
        report = trainer._take_step(batches)
        gradients.append((report, [p.grad for p in trainer.model.parameters()]))
        assert any(not torch.equal(before[n], p) for n, p in weights(trainer).items())
    (one, ones), (many, manys) = gradients
    assert many.loss == pytest.approx(one.loss, rel=1e-6)
    assert many.tokens == one.tokens
    for large, summed in zip(ones, manys, strict=True):
        torch.testing.assert_close(large, summed, atol=1e-6, rtol=1e-5)


def test_clipping_bounds_the_gradient() -> None:
    trainer = make_trainer(clip=0.01)
    report = next(trainer.train_steps())
    squares = sum(
        float((p.grad**2).sum()) for p in trainer.model.parameters() if p.grad is not None
    )
    assert report.gradient_norm > 0.01
    assert math.sqrt(squares) == pytest.approx(0.01, rel=1e-3)


def poison_loss(monkeypatch: pytest.MonkeyPatch, steps: set[int]) -> None:
    """Make the loss of some steps NaN."""
    plain = Trainer._backward

    def backward(self: Trainer, batch: Batch) -> Tensor:
        totals = plain(self, batch)
        totals[0] *= math.nan if self.step + 1 in steps else 1
        return totals

    monkeypatch.setattr(Trainer, "_backward", backward)


def poison_gradient(trainer: Trainer, value: float, steps: set[int]) -> None:
    """Make one number of the gradients of some steps NaN or infinite."""

    def change(gradient: Tensor) -> Tensor:
        if trainer.step + 1 not in steps:
            return gradient
        changed = gradient.clone()
        changed[0] = value
        return changed

    trainer.model.generator.bias.register_hook(change)


@pytest.mark.parametrize("poison", ["loss", "nan", "inf"])
def test_what_is_not_finite_never_reaches_the_weights(
    poison: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    trainer = make_trainer(steps=8)
    if poison == "loss":
        poison_loss(monkeypatch, {3, 4})
    else:
        poison_gradient(trainer, float(poison), {3, 4})
    before = weights(trainer)
    for report in trainer.train_steps():
        after = weights(trainer)
        assert report.skipped == (report.step in {3, 4})
        assert all(p.isfinite().all() for p in after.values())
        same = all(torch.equal(before[name], p) for name, p in after.items())
        assert same == report.skipped
        before = after


def test_it_gives_up_when_nothing_is_finite_any_more() -> None:
    trainer = make_trainer(steps=50)
    poison_gradient(trainer, math.nan, set(range(6, 100)))
    with pytest.raises(UserError, match=r"not finite for 10 steps in a row, the last at step 15"):
        list(trainer.train_steps())
    assert trainer.n_skipped == MAX_SKIPPED
    assert all(p.isfinite().all() for p in weights(trainer).values())


@pytest.mark.parametrize("arch", ["transformer", *RECURRENT])
def test_bf16_learns_too_and_keeps_its_weights_in_32_bits(arch: Arch) -> None:
    trainer = make_trainer(arch, bf16=True, steps=20, learning_rate=2e-2, one_batch=True)
    first, *_, last = trainer.train_steps()
    assert last.loss < 0.8 * first.loss
    assert {p.dtype for p in weights(trainer).values()} == {torch.float32}


def test_validation_loss_is_the_mean_over_all_tokens() -> None:
    trainer = make_trainer(dropout=0.5)
    examples = trainer.dataset.examples
    small = validation_loss(trainer.model, examples, batch_tokens=60)
    large = validation_loss(trainer.model, examples, batch_tokens=100_000)
    assert small == pytest.approx(large, rel=1e-5)
    assert small == validation_loss(trainer.model, examples, batch_tokens=60)


def test_one_batch_is_shown_again_and_again() -> None:
    trainer = make_trainer(one_batch=True, steps=40, learning_rate=1e-2, label_smoothing=0.0)
    reports = list(trainer.train_steps())
    assert len({report.tokens for report in reports}) == 1
    assert {report.epoch for report in reports} == {0}
    assert reports[-1].loss < 0.5 * reports[0].loss


def test_the_mask_is_off_when_asked() -> None:
    batch = collate(make_trainer(one_batch=True).dataset.epoch(0, 200)[0])
    for causal in (True, False):
        trainer = make_trainer(one_batch=True, causal=causal)
        loss, _, n = batch_loss(trainer.model, batch, 0.1, causal=causal)
        assert next(trainer.train_steps()).loss == pytest.approx(float(loss.detach()) / n)
        examples = trainer.dataset.examples
        clean = batch_loss(trainer.model.eval(), collate(examples), 0.0, causal=causal)
        found = validation_loss(trainer.model, examples, 500, causal)
        assert found == pytest.approx(float(clean[0].detach()) / clean[2], rel=1e-4)


def test_the_training_loss_is_also_measured_as_validation_measures_it() -> None:
    """The chart drew the smoothed training loss beside the unsmoothed one of validation: 0.893
    against 0.105 of the same model, as if it were far better on what it had never seen.
    """
    trainer = make_trainer(one_batch=True, label_smoothing=0.3)
    batch = trainer.dataset.epoch(0, trainer.config.batch_tokens)[0]
    expected = validation_loss(trainer.model, batch, 10_000)
    report = next(trainer.train_steps())
    assert report.cross_entropy == pytest.approx(expected, rel=1e-5)
    assert report.loss > report.cross_entropy + 0.001


@pytest.mark.parametrize(("arch", "layers"), [("transformer", "01"), ("rnnsearch", "0")])
def test_blocks_tell_the_gradient_before_it_was_clipped(arch: Arch, layers: str) -> None:
    trainer = make_trainer(arch, clip=0.01, optimizer="muon")
    for report in trainer.train_steps():
        blocks = trainer.block_norms(report)
        assert math.hypot(*blocks.values()) == pytest.approx(report.gradient_norm, rel=1e-4)
    stacks = {f"{stack}.{i}" for stack in ("encoder", "decoder") for i in layers}
    assert blocks.keys() == {"src_embed", "generator", *stacks}


def test_another_learning_rate_holds_from_the_next_step_on() -> None:
    trainer = make_trainer(schedule="constant", warmup=1, learning_rate=1e-3)
    rates = []
    for report in trainer.train_steps():
        rates.append(report.learning_rate)
        if report.step == 4:
            trainer.change_learning_rate(1e-4)
    assert rates == [1e-3] * 4 + [1e-4] * 6
    assert trainer.config.rates == ((5, 1e-4),)
    trainer.step = 2  # resumed from before the change: it is forgotten where it is made again
    trainer.change_learning_rate(5e-4)
    assert trainer.config.rates == ((3, 5e-4),)
