"""The recurrent translators learn, in full and half precision, and go on bit for bit."""

from __future__ import annotations

import math

import pytest
import torch

from model.config import Arch, TrainConfig
from model.interpret.capture import capture
from model.nn.architectures import build
from model.nn.translator import Translator
from model.text.batches import Dataset, collate
from model.text.tokenizer import BOS, EOS, PAD
from model.training.trainer import Trainer, seed_everything
from tests.model.nn.samples import RECURRENT, tiny_config
from tests.model.samples import letters_tokenizer, reversed_pairs


def make_trainer(arch: Arch, dropout: float = 0.0, **settings: object) -> Trainer:
    config = TrainConfig(**{"steps": 10, "batch_tokens": 200, "warmup": 5, **settings})  # type: ignore[arg-type]
    seed_everything(config.seed)
    model = build(tiny_config(arch, dropout=dropout))
    return Trainer(model, Dataset(reversed_pairs(60), letters_tokenizer()), config)


@pytest.fixture(scope="module")
def reverser() -> Translator:
    """An RNNsearch that has learnt to write letters backwards."""
    seed_everything(0)
    tokenizer = letters_tokenizer()
    sizes = {"vocab_size": tokenizer.vocab_size, "d_model": 32, "d_hidden": 48}
    config = TrainConfig(
        steps=160, batch_tokens=700, schedule="linear", learning_rate=1e-2, warmup=20,
        optimizer="muon", label_smoothing=0.0,
    )  # fmt: skip
    model = build(tiny_config("rnnsearch", **sizes))
    trainer = Trainer(model, Dataset(reversed_pairs(2000), tokenizer), config)
    losses = [report.loss for report in trainer.train_steps()]
    assert sum(losses[-20:]) < 0.1 * sum(losses[:20])
    return model.eval()


def test_it_learns_to_reverse(reverser: Translator) -> None:
    batch = collate(Dataset(reversed_pairs(200, seed=9), letters_tokenizer()).examples)
    with torch.no_grad():
        chosen = reverser(batch.src, batch.tgt_in).argmax(-1)
    right = ((chosen == batch.tgt_out) | (batch.tgt_out == PAD)).all(1)
    assert float(right.float().mean()) > 0.9


def test_its_attention_is_the_anti_diagonal(reverser: Translator) -> None:
    tokenizer = letters_tokenizer()
    hits = []
    for pair in reversed_pairs(50, seed=9):
        src = [*tokenizer.encode(pair.src), EOS]
        made = capture(reverser, tokenizer, src, [BOS, *tokenizer.encode(pair.tgt)])
        looked_at = made.weights("cross", 0, head=0).argmax(-1)  # (T,)
        n = len(src) - 1
        hits += [int(looked_at[t]) == n - 1 - t for t in range(n)]
    assert sum(hits) / len(hits) > 0.9


@pytest.mark.parametrize(("arch", "optimizer"), [("rnn", "adam"), ("rnnsearch", "muon")])
def test_a_restored_trainer_goes_on_bit_for_bit(arch: Arch, optimizer: str) -> None:
    whole, broken_off, resumed = (
        make_trainer(arch, dropout=0.3, optimizer=optimizer) for _ in range(3)
    )
    # One after the other: dropout draws from the one generator of the process.
    seed_everything(0)
    list(whole.train_steps())
    seed_everything(0)
    for report in broken_off.train_steps():
        if report.step == 4:
            break
    tensors, position = broken_off.state()
    tensors = {name: tensor.clone() for name, tensor in tensors.items()}
    resumed.model.load_state_dict(broken_off.model.state_dict())
    resumed.restore(tensors, position)
    assert [report.step for report in resumed.train_steps()] == list(range(5, 11))
    for ours, theirs in zip(whole.model.parameters(), resumed.model.parameters(), strict=True):
        assert torch.equal(ours, theirs)


@pytest.mark.parametrize("arch", RECURRENT)
def test_it_learns_in_16_bits_too(arch: Arch) -> None:
    settings = {"bf16": True, "steps": 30, "learning_rate": 2e-2, "one_batch": True}
    reports = list(make_trainer(arch, **settings).train_steps())
    assert reports[-1].loss < 0.8 * reports[0].loss


@pytest.mark.parametrize("arch", RECURRENT)
def test_blocks_and_what_muon_takes(arch: Arch) -> None:
    trainer = make_trainer(arch, optimizer="muon", clip=0.01)
    report = next(trainer.train_steps())
    blocks = trainer.block_norms(report)
    assert blocks.keys() == {"src_embed", "generator", "encoder.0", "decoder.0"}
    assert math.hypot(*blocks.values()) == pytest.approx(report.gradient_norm, rel=1e-4)
    taken = {id(p) for group in trainer.optimizers[0].param_groups for p in group["params"]}
    matrices = {n for n, p in trainer.model.named_parameters() if id(p) in taken}
    assert {"encoder.0", "decoder.0"} == {".".join(name.split(".")[:2]) for name in matrices}
    assert not any("embed" in name or "bias" in name or "v_a" in name for name in matrices)
