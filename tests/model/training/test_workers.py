"""Processes that share each batch arrive where one process alone arrives."""

from __future__ import annotations

import os
import signal
import socket
from functools import partial
from pathlib import Path

import pytest
import torch
from safetensors import safe_open
from safetensors.torch import save_file

from model.config import TrainConfig
from model.errors import UserError
from model.nn.transformer import Transformer
from model.text.batches import Dataset
from model.training.presets import bf16_is_fast
from model.training.trainer import Trainer, seed_everything
from model.training.workers import Workers, device_of
from tests.model.forks import ends, fork
from tests.model.samples import letters_tokenizer, reversed_pairs, tiny_config, tiny_model

# 30 tokens make batches of one or two pairs, so that some processes have nothing to do.
BUDGETS = (200, 30)
SECONDS = 120


def new_trainer(workers: Workers, batch_tokens: int, dropout: float = 0.0) -> Trainer:
    """Return a trainer of eight steps."""
    config = TrainConfig(
        steps=8, batch_tokens=batch_tokens, accumulate=2, warmup=4, learning_rate=1e-3, seed=2
    )
    seed_everything(config.seed)
    model = Transformer(tiny_config(norm="pre", dropout=dropout))
    return Trainer(model, Dataset(reversed_pairs(60), letters_tokenizer()), config, workers)


def train(workers: Workers, batch_tokens: int) -> Trainer:
    """Return a trainer after eight steps without dropout."""
    trainer = new_trainer(workers, batch_tokens)
    losses = torch.tensor([report.loss for report in trainer.train_steps()])
    assert torch.equal(workers.sum(losses.clone()), losses * workers.n), "reports differ"
    return trainer


def check_resume(workers: Workers) -> None:
    """A resumed run goes on bit for bit in every process.

    Only the writing process's random numbers were once saved, so that all drew its dropout.
    """
    whole = new_trainer(workers, BUDGETS[0], dropout=0.2)
    steps = whole.train_steps()
    for _ in range(4):
        next(steps)
    tensors, position = whole.state()
    tensors = {name: tensor.clone() for name, tensor in tensors.items()}
    weights = {name: p.detach().clone() for name, p in whole.model.named_parameters()}
    expected = [report.loss for report in steps]
    resumed = new_trainer(workers, BUDGETS[0], dropout=0.2)
    with torch.no_grad():
        for name, p in resumed.model.named_parameters():
            p.copy_(weights[name])
    resumed.restore(tensors, position)
    assert [report.loss for report in resumed.train_steps()] == expected, "resume differs"


def work(folder: Path, environment: dict[str, str]) -> None:
    """Train as one of two processes, and save from the one that writes; or end with the other."""
    signal.alarm(SECONDS)
    os.environ |= environment
    workers = Workers.join("cpu")
    for budget in BUDGETS:
        trainer = train(workers, budget)
        if workers.writes:
            weights = {name: p.detach() for name, p in trainer.model.named_parameters()}
            metadata = {"workers": str(workers.n)}
            save_file(weights, folder / f"{budget}.safetensors", metadata=metadata)
    check_resume(workers)
    workers.leave()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The weights that two processes trained together, with what torchrun tells its own."""
    folder = tmp_path_factory.mktemp("together")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address, port = free.getsockname()
    told = {"MASTER_ADDR": address, "MASTER_PORT": str(port), "WORLD_SIZE": "2"}
    ranks = [told | {"RANK": rank, "LOCAL_RANK": rank} for rank in "01"]
    assert ends(*[fork(partial(work, folder, rank)) for rank in ranks]) == [0, 0]
    return folder


@pytest.mark.parametrize("budget", BUDGETS)
def test_two_processes_equal_one_with_the_same_global_batch(budget: int, folder: Path) -> None:
    with safe_open(folder / f"{budget}.safetensors", framework="pt") as file:
        assert file.metadata() == {"workers": "2"}
        together = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    alone = train(Workers(), budget)
    d = alone.model.config.d_model
    for name, p in alone.model.named_parameters():
        one, other = p.detach(), together[name]
        if name.endswith("w_qkv.bias"):
            # Adding a constant to all scores of a row changes nothing, so the keys' bias has no
            # gradient but rounding noise, which Adam scales up to whole steps.
            one, other = torch.cat((one[:d], one[2 * d :])), torch.cat((other[:d], other[2 * d :]))
        assert float((one - other).abs().max()) < 1e-5, name


def test_one_process_needs_no_group(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("WORLD_SIZE", raising=False)
    workers = Workers.join()
    assert (workers.rank, workers.n, workers.writes) == (0, 1, True)
    tensor = torch.ones(2)
    assert workers.sum(tensor) is tensor
    model = tiny_model()
    workers.sum_gradients(model)
    assert all(p.grad is None for p in model.parameters())
    workers.leave()
    assert not torch.distributed.is_initialized()


def test_a_device_is_the_one_that_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a machine with two GPUs, and in a process that torchrun started there."""
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 2)
    monkeypatch.setattr(torch.cuda, "is_bf16_supported", lambda: True)
    assert [str(device_of(name)) for name in (None, "cuda", "cuda:1", "cpu")] == [
        *("cuda:0", "cuda:0", "cuda:1", "cpu"),
    ]
    assert Workers.join("cpu").device.type == "cpu"
    assert bf16_is_fast("cuda")
    assert bf16_is_fast("cpu") == torch.cpu._is_avx512_bf16_supported()
    for odd in ("cuda:2", "mps", "cpu:0", ""):
        with pytest.raises(UserError) as refused:
            device_of(odd)
        assert refused.value.field == "device"
    monkeypatch.setenv("WORLD_SIZE", "2")
    monkeypatch.setenv("LOCAL_RANK", "1")
    assert str(device_of()) == "cuda:1"
    with pytest.raises(UserError, match="say cuda"):
        device_of("cuda:0")


def test_a_run_that_changes_its_device_keeps_the_new_one_s_random_numbers() -> None:
    """A GPU's generator has another state: it could not be restored on a CPU."""
    trainer = new_trainer(Workers(device=torch.device("cpu")), 200)
    tensors, position = trainer.state()
    before = torch.get_rng_state()
    trainer.restore(tensors | {"rng.0": torch.zeros(16, dtype=torch.uint8)}, position)
    assert torch.equal(torch.get_rng_state(), before)
