"""Parameters are counted to the one; memory and time are guessed within a factor that is stated."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import torch

from model.checkpoint import Unfilled
from model.config import ModelConfig, TrainConfig
from model.nn.architectures import build
from model.nn.translator import n_parameters as counted
from model.text.pairs import Pair
from model.training import estimate as estimates
from model.training.estimate import (
    estimate,
    machine_bytes,
    memory_bytes,
    n_parameters,
    step_seconds,
)
from model.training.presets import PRESETS, preset
from tests.memory import peak
from tests.model.runs.run_samples import files_of
from tests.model.samples import RECURRENT, tiny_config

MEMORY_FACTOR = 1.5
SMALL: dict[str, Any] = {"n_encoder_layers": 1, "n_decoder_layers": 1, "d_model": 256, "n_heads": 1}
SIZES: Mapping[str, tuple[ModelConfig, TrainConfig]] = {
    "tiny": (
        ModelConfig(
            300, d_model=64, n_heads=4, d_ff=256, n_encoder_layers=2, n_decoder_layers=2,
            norm="pre", max_len=100,
        ),
        TrainConfig(batch_tokens=2048),
    ),
    "small": (
        ModelConfig(
            2000, d_model=256, n_heads=8, d_ff=1024, n_encoder_layers=2, n_decoder_layers=2,
        ),
        TrainConfig(batch_tokens=1024),
    ),
    "wide": (
        ModelConfig(
            4000, d_model=512, n_heads=8, d_ff=2048, n_encoder_layers=3, n_decoder_layers=3,
            max_len=64,
        ),
        TrainConfig(batch_tokens=400, average=2),
    ),
    "rnn": (ModelConfig(4000, arch="rnn", d_hidden=768, **SMALL), TrainConfig(batch_tokens=2048)),
    "rnnsearch": (
        ModelConfig(4000, arch="rnnsearch", d_hidden=448, max_len=30, **SMALL),
        TrainConfig(batch_tokens=2048),
    ),
}  # fmt: skip


SLOW = [pytest.param(name, marks=pytest.mark.slow) for name in SIZES if name != "small"]


def random_config(rng: random.Random) -> ModelConfig:
    heads, share = rng.choice([1, 2, 4]), rng.random() < 0.5
    return ModelConfig(
        vocab_size=rng.randint(3, 500), share_embeddings=share, tie_generator=rng.random() < 0.5,
        tgt_vocab_size=None if share or rng.random() < 0.5 else rng.randint(3, 500),
        d_model=heads * 2 * rng.randint(1, 20), n_heads=heads, d_ff=rng.randint(1, 100),
        n_encoder_layers=rng.randint(1, 4), n_decoder_layers=rng.randint(1, 4),
        norm=rng.choice(["pre", "post"]),
    )  # fmt: skip


def test_parameters_are_counted_to_the_one() -> None:
    rng = random.Random(0)
    configs = [random_config(rng) for _ in range(20)] + [model for model, _ in PRESETS.values()]
    for arch in RECURRENT:
        own, whole = preset("small", arch)[0], n_parameters(PRESETS["small"][0])
        assert 0.9 < n_parameters(own) / whole < 1, "it is not as large as the Transformer's"
        changes: list[dict[str, Any]] = [{"share_embeddings": False}, {"tie_generator": False}]
        changes += [{"d_hidden": 5}, {"cell": "tanh"}, {}]
        configs += [tiny_config(arch, **change) for change in changes]
        configs += [preset(name, arch)[0] for name in PRESETS]
    for config in configs:
        with torch.device("meta"), Unfilled():
            assert n_parameters(config) == counted(build(config)), config


def _train(name: str, folder: str) -> int:
    """Train two steps, with all that a run does besides; return the peak of its memory."""
    from model.runs.folder import RunFolder
    from model.runs.plan import Plan
    from model.runs.session import Session
    from model.training.processor import prepare_processor

    torch.set_num_threads(1)
    prepare_processor()
    model, train = SIZES[name]
    rng = random.Random(0)
    words = ["".join(rng.choices("abcdefghijklmnop", k=6)) for _ in range(model.vocab_size // 3)]

    def sentence() -> str:
        return " ".join(rng.choices(words, k=rng.randint(3, 9)))

    pairs = [Pair(sentence(), sentence()) for _ in range(800)]
    settings = train.to_dict() | {"steps": 2, "validate_every": 2, "validate_pairs": 16}
    probe = (pairs[0].src, pairs[0].tgt)
    plan = Plan(
        name, "own", "", "", model, TrainConfig.from_dict(settings), probe,
        data=("train.tsv",), valid="valid.tsv",
    )  # fmt: skip
    run = RunFolder(Path(folder) / "run")
    run.create(plan, files_of(pairs, pairs[:16]))
    assert [made.report.step for made in Session(run, plan).train()] == [1, 2]
    assert "torch._dynamo" not in sys.modules, "torch's optimizers import it: a second, and memory"
    return peak() * 1024


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux tells the peak")
@pytest.mark.parametrize("name", ["small", *SLOW])
def test_memory_is_guessed_within_a_factor_of_one_and_a_half(name: str, tmp_path: Path) -> None:
    code = "from tests.model.training.test_estimate import _train; "
    code += f"print(_train({name!r}, {str(tmp_path)!r}))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    took, guess = int(done.stdout), memory_bytes(*SIZES[name])
    told = f"{name}: {took / 2**20:.0f} MB, guessed {guess / 2**20:.0f} MB"
    assert took / MEMORY_FACTOR < guess < took * MEMORY_FACTOR, told
    print(told)


def test_more_of_anything_needs_more() -> None:
    model, train = PRESETS["small"]
    of = estimate(model, train)
    for name in ("d_model", "d_ff", "n_encoder_layers", "n_decoder_layers", "vocab_size"):
        larger = ModelConfig.from_dict(model.to_dict() | {name: 2 * getattr(model, name)})
        assert estimate(larger, train).memory_bytes > of.memory_bytes
        assert estimate(larger, train).parameters > of.parameters
        assert step_seconds(larger, train) > step_seconds(model, train)
    batches = TrainConfig.from_dict(train.to_dict() | {"batch_tokens": 2 * train.batch_tokens})
    assert estimate(model, batches).memory_bytes > of.memory_bytes
    assert estimate(model, train, pairs=10**6).memory_bytes > of.memory_bytes
    assert step_seconds(model, batches) > step_seconds(model, train)


def test_steps_that_took_longer_than_guessed_are_expected_to_again() -> None:
    model, train = PRESETS["tiny"]
    alone = train.steps * step_seconds(model, train)
    begins = estimates.SECONDS_TO_BEGIN
    assert estimate(model, train).seconds == pytest.approx(begins + alone)
    assert estimate(model, train, slower=3.0).seconds == pytest.approx(begins + 3 * alone)


def test_what_the_machine_has_is_the_least_of_its_limits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = machine_bytes()
    assert 2**28 < whole <= os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    groups = tmp_path / "cgroup"
    groups.mkdir()
    monkeypatch.setattr(estimates, "CGROUPS", groups)
    (groups / "memory.max").write_text("max\n", encoding="ascii")
    assert machine_bytes() >= whole
    (groups / "memory.max").write_text("123456789\n", encoding="ascii")
    assert machine_bytes() in (123456789, whole)
    (groups / "memory").mkdir()
    (groups / "memory" / "memory.limit_in_bytes").write_text("123456788\n", encoding="ascii")
    assert machine_bytes() <= 123456789


def test_what_exceeds_the_machine_does_not_fit() -> None:
    model, train = PRESETS["tiny"]
    assert estimate(model, train).fits
    huge = ModelConfig(10**6, d_model=2**15, n_heads=8, n_encoder_layers=64, n_decoder_layers=64)
    assert not estimate(huge, train).fits
    batches = TrainConfig.from_dict(train.to_dict() | {"batch_tokens": 10**9})
    assert not estimate(model, batches).fits


def test_neither_asking_nor_the_tasks_load_torch() -> None:
    code = "import sys, model.tasks, model.training.estimate; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
