"""Saving never costs the checkpoint before: under kill -9, on full and on read-only disks."""

import os
import random
import resource
import shutil
import signal
import subprocess
import time
from functools import partial
from itertools import pairwise
from pathlib import Path

import pytest
import torch

from model import checkpoint
from model.checkpoint import CheckpointError
from model.config import TrainConfig
from model.nn.transformer import Transformer
from model.text.batches import Dataset
from model.training.trainer import Trainer, seed_everything
from tests.model.disks import mounted
from tests.model.forks import ends, fork
from tests.model.samples import (
    ONE_OF_EACH,
    letters_tokenizer,
    reversed_pairs,
    same_weights,
    save_tiny,
    tiny_config,
)


def test_killed_between_the_two_renames(tmp_path: Path) -> None:
    """The moment when only the old one stands, aside: it is found, and saving goes on."""
    first = save_tiny(tmp_path / "m")
    (tmp_path / "m").rename(tmp_path / ".m.old")
    assert same_weights(first, checkpoint.load(tmp_path / "m").model)
    second = save_tiny(tmp_path / "m", seed=1)
    assert same_weights(second, checkpoint.load(tmp_path / "m").model)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["m"]


def train_and_save(folder: Path, ready: int) -> None:
    """Train what the folder holds, and save after every step, for ever; tell once that it began."""
    tokenizer, config = letters_tokenizer(), TrainConfig(steps=10**6, batch_tokens=100)
    seed_everything(0)
    dataset = Dataset(reversed_pairs(30), tokenizer)
    if folder.exists() or folder.with_name(f".{folder.name}.old").exists():
        saved = checkpoint.load(folder)
        trainer = Trainer(saved.model, dataset, config)
        trainer.restore(*checkpoint.load_state(saved.folder))
    else:
        sizes = tiny_config(vocab_size=tokenizer.vocab_size, **ONE_OF_EACH)
        trainer = Trainer(Transformer(sizes), dataset, config)
    for report in trainer.train_steps():
        metrics = {"step": report.step}
        checkpoint.save(folder, trainer.model, tokenizer, metrics, trainer.state())
        os.write(ready, b".")


def test_killed_25_times_the_last_checkpoint_loads_and_training_resumes(tmp_path: Path) -> None:
    """Forks are killed at random moments: starting Python and PyTorch takes seconds."""
    folder, rng, steps = tmp_path / "last", random.Random(), list[int]()
    for _ in range(25):
        began, ready = os.pipe()
        child = fork(partial(train_and_save, folder, ready))
        os.close(ready)
        assert os.read(began, 1), "the child failed"
        time.sleep(rng.uniform(0, 0.06))
        os.kill(child, signal.SIGKILL)
        assert ends(child) == [-signal.SIGKILL]
        os.close(began)
        saved = checkpoint.load(folder)
        _, position = checkpoint.load_state(saved.folder)
        assert position["step"] == saved.metrics["step"]
        steps.append(position["step"])
    assert all(before < after for before, after in pairwise(steps)), steps


def assert_one_sentence(folder: Path, why: str) -> None:
    """A save into `folder` fails with one sentence."""
    with pytest.raises(CheckpointError, match=why) as raised:
        save_tiny(folder, seed=1, state=({"big": torch.zeros(200_000)}, {}))
    text = str(raised.value)
    assert text.startswith("The model could not be saved in ")
    assert text.endswith("what was saved before is intact.")
    assert "\n" not in text


def test_a_full_disk_loses_nothing(tmp_path: Path) -> None:
    """With any number of KiB left the new one fails and the former one stays."""
    disk = tmp_path / "disk"
    with mounted(disk, "size=2m"):
        first = save_tiny(disk / "m")
        for left in (2, 12, 60, 200, 600):
            (disk / "ballast").unlink(missing_ok=True)
            free = shutil.disk_usage(disk).free
            (disk / "ballast").write_bytes(b"x" * max(0, free - left * 1024))
            assert_one_sentence(disk / "m", "no space is left on the disk")
            assert same_weights(first, checkpoint.load(disk / "m").model)
            assert sorted(path.name for path in disk.iterdir()) == ["ballast", "m"]


def test_a_file_size_limit_loses_nothing(tmp_path: Path) -> None:
    first = save_tiny(tmp_path / "m")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    for limit in (100, 20_000, 500_000):
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, hard))
        try:
            assert_one_sentence(tmp_path / "m", "File too large")
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        assert same_weights(first, checkpoint.load(tmp_path / "m").model)


def test_a_read_only_disk_loses_nothing(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    with mounted(disk, "size=2m"):
        first = save_tiny(disk / "m")
        subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
        assert_one_sentence(disk / "m", "the disk is read-only")
        assert same_weights(first, checkpoint.load(disk / "m").model)


def test_a_folder_that_cannot_be(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    assert_one_sentence(tmp_path / "file" / "m", "Not a directory")
    assert_one_sentence(tmp_path / ("x" * 300), "File name too long")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_without_permission(tmp_path: Path) -> None:
    first = save_tiny(tmp_path / "m")
    tmp_path.chmod(0o500)
    try:
        assert_one_sentence(tmp_path / "m", "the permission is missing")
        assert same_weights(first, checkpoint.load(tmp_path / "m").model)
    finally:
        tmp_path.chmod(0o700)
