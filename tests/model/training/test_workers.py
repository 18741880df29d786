"""Processes that share each batch arrive where one process alone arrives."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from safetensors import safe_open

from model.training.workers import Workers
from tests.model.runs.train_together import BUDGETS, train
from tests.model.samples import tiny_model

ROOT = Path(__file__).parents[3]


def torchrun(n: int, *arguments: str) -> None:
    """Run tests.model.runs.train_together in n processes."""
    command = [sys.executable, "-m", "torch.distributed.run", "--standalone"]
    done = subprocess.run(
        [*command, "--nproc-per-node", str(n), "-m", "tests.model.runs.train_together", *arguments],
        cwd=ROOT, env=os.environ | {"OMP_NUM_THREADS": "1", "CUDA_VISIBLE_DEVICES": ""},
        capture_output=True, text=True, timeout=200, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The weights that two processes trained together."""
    folder = tmp_path_factory.mktemp("together")
    torchrun(2, str(folder))
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
