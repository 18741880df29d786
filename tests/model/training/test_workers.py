"""Processes that share each batch arrive where one process alone arrives."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from safetensors import safe_open

from model.errors import UserError
from model.training.presets import bf16_is_fast
from model.training.workers import Workers, device_of
from tests.model.runs.run_samples import ROOT
from tests.model.runs.train_together import BUDGETS, new_trainer, train
from tests.model.samples import tiny_model


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The weights that two processes trained together."""
    folder = tmp_path_factory.mktemp("together")
    done = subprocess.run(
        [sys.executable, "-m", "tests.model.runs.train_together", str(folder)], cwd=ROOT,
        env=os.environ | {"OMP_NUM_THREADS": "1", "CUDA_VISIBLE_DEVICES": ""},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
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
