"""A model on disk is whole or refused, in one sentence; saving never costs the one before."""

from __future__ import annotations

import contextlib
import json
import os
import pickle
import resource
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import pytest
import torch
from safetensors.torch import save_file

from model import checkpoint
from model.checkpoint import CheckpointError
from model.transformer import Transformer
from tests.model.samples import letters_tokenizer, tiny_model

ROOT = Path(__file__).parents[2]
STATE = ({"rng": torch.arange(3)}, {"step": 7})


def save(folder: Path, seed: int = 0, **settings: object) -> Transformer:
    model = tiny_model(seed)
    checkpoint.save(folder, model, letters_tokenizer(), {"seed": seed}, **settings)  # type: ignore[arg-type]
    return model


def rewrite(folder: Path, name: str, content: bytes) -> None:
    """Replace a file and its checksum, as a forger would."""
    (folder / name).write_bytes(content)
    manifest = {
        file.name: checkpoint._sha256(file)
        for file in folder.iterdir()
        if file.name != "manifest.json"
    }
    (folder / "manifest.json").write_text(json.dumps(manifest))


def change_config(folder: Path, **changes: object) -> None:
    config = json.loads((folder / "config.json").read_text())
    config["model"] |= changes
    rewrite(folder, "config.json", json.dumps(config).encode())


def same_weights(one: Transformer, other: Transformer) -> bool:
    pairs = zip(one.parameters(), other.parameters(), strict=True)
    return all(torch.equal(a, b) for a, b in pairs)


def test_what_is_saved_is_loaded(tmp_path: Path) -> None:
    model = save(tmp_path / "m", state=STATE)
    loaded = checkpoint.load(tmp_path / "m")
    assert same_weights(model, loaded.model)
    assert not loaded.model.training
    assert loaded.config == model.config
    assert loaded.metrics == {"seed": 0}
    assert loaded.tokenizer.encode("a b") == letters_tokenizer().encode("a b")
    tensors, position = checkpoint.load_state(tmp_path / "m")
    assert torch.equal(tensors["rng"], STATE[0]["rng"])
    assert position == STATE[1]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["m"]


def test_half_the_bits_half_the_size(tmp_path: Path) -> None:
    model = save(tmp_path / "half", half=True)
    save(tmp_path / "whole")
    sizes = [(tmp_path / n / "weights.safetensors").stat().st_size for n in ("half", "whole")]
    assert sizes[0] < 0.62 * sizes[1]
    loaded = checkpoint.load(tmp_path / "half").model
    for p, q in zip(model.parameters(), loaded.parameters(), strict=True):
        assert q.dtype == torch.float32
        torch.testing.assert_close(p, q, atol=2e-3, rtol=1e-3)


def test_saving_again_replaces(tmp_path: Path) -> None:
    save(tmp_path / "m", state=STATE)
    second = save(tmp_path / "m", seed=1)
    assert same_weights(second, checkpoint.load(tmp_path / "m").model)
    with pytest.raises(CheckpointError, match="holds no training that could be resumed"):
        checkpoint.load_state(tmp_path / "m")


def test_names_and_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoint, "PRETRAINED", tmp_path)
    save(tmp_path / "es-en")
    save(tmp_path / "run" / "best")
    assert checkpoint.pretrained_names() == ["es-en"]
    assert checkpoint.load("es-en").folder == tmp_path / "es-en"
    assert checkpoint.load(tmp_path / "run").folder == tmp_path / "run" / "best"


@pytest.mark.parametrize(
    "name", ["nobody", "", "x" * 5000, "a\0b", "../../etc", "/proc/1", "\u200b"]
)
def test_unknown_names(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoint, "PRETRAINED", tmp_path / "pretrained")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(CheckpointError, match=r"^There is no model .*: none yet\.$"):
        checkpoint.load(name)


def flip(folder: Path, name: str) -> None:
    content = bytearray((folder / name).read_bytes())
    content[len(content) // 2] ^= 1
    (folder / name).write_bytes(content)


def pickled(folder: Path) -> None:
    rewrite(folder, "weights.safetensors", pickle.dumps({"weights": [1.0]}))


def torch_saved(folder: Path) -> None:
    torch.save(tiny_model().state_dict(), folder / "weights.safetensors")
    rewrite(folder, "weights.safetensors", (folder / "weights.safetensors").read_bytes())


def other_shapes(folder: Path) -> None:
    weights = {name: p.detach()[:1].clone() for name, p in tiny_model().named_parameters()}
    save_file(weights, folder / "weights.safetensors")
    rewrite(folder, "weights.safetensors", (folder / "weights.safetensors").read_bytes())


def other_version(folder: Path) -> None:
    config = json.loads((folder / "config.json").read_text()) | {"format": 99}
    rewrite(folder, "config.json", json.dumps(config).encode())


FILES = (*checkpoint.FILES, checkpoint.STATE)
DAMAGES: dict[str, tuple[Callable[[Path], object], str]] = {
    **{f"flipped {n}": (lambda f, n=n: flip(f, n), "is damaged") for n in FILES},  # type: ignore[misc]
    **{f"missing {n}": (lambda f, n=n: (f / n).unlink(), "does not hold") for n in FILES},  # type: ignore[misc]
    "no manifest": (lambda f: (f / "manifest.json").unlink(), "There is no model"),
    "empty manifest": (lambda f: (f / "manifest.json").write_text(""), "does not hold a model"),
    "list manifest": (lambda f: (f / "manifest.json").write_text("[]"), "does not hold"),
    "number manifest": (lambda f: (f / "manifest.json").write_text("3"), "does not hold a model"),
    "short manifest": (lambda f: (f / "manifest.json").write_text("{}"), "config.json is missing"),
    "deep manifest": (lambda f: (f / "manifest.json").write_text("[" * 10**5), "does not hold"),
    "other version": (other_version, "another version of this project"),
    "config is a list": (lambda f: rewrite(f, "config.json", b"[1]"), "does not hold a model"),
    "config is bytes": (lambda f: rewrite(f, "config.json", b"\xff\xfe"), "does not hold a model"),
    "metrics is a list": (lambda f: rewrite(f, "metrics.json", b"[]"), "does not hold a model"),
    "huge width": (lambda f: change_config(f, d_model=2**40), "does not hold a model"),
    "huge length": (lambda f: change_config(f, max_len=10**14), "does not hold a model"),
    "huge depth": (lambda f: change_config(f, n_encoder_layers=10**9), "does not hold a model"),
    "large vocabulary": (lambda f: change_config(f, vocab_size=10**6), "do not fit"),
    "negative": (lambda f: change_config(f, d_ff=-32), "does not hold a model"),
    "text for a number": (lambda f: change_config(f, n_heads="2"), "does not hold a model"),
    "null": (lambda f: change_config(f, vocab_size=None), "does not hold a model"),
    "unknown setting": (lambda f: change_config(f, depth=1), "does not hold a model"),
    "other heads": (lambda f: change_config(f, d_model=32), "do not fit"),
    "other norm": (lambda f: change_config(f, norm="pre"), "do not fit"),
    "small vocabulary": (lambda f: change_config(f, vocab_size=10), "do not fit"),
    "other shapes": (other_shapes, "do not fit"),
    "pickle": (pickled, "does not hold a model"),
    "torch.save": (torch_saved, "does not hold a model"),
    "no weights": (lambda f: rewrite(f, "weights.safetensors", b""), "does not hold a model"),
    "tokenizer": (lambda f: rewrite(f, "tokenizer.json", b'{"a": 1}'), "does not hold a model"),
}  # fmt: skip


@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_foreign_or_forged(damage: str, tmp_path: Path) -> None:
    folder = tmp_path / "m"
    save(folder, state=STATE)
    harm, message = DAMAGES[damage]
    harm(folder)
    with pytest.raises(CheckpointError, match=message) as raised:
        checkpoint.load(folder)
    text = str(raised.value)
    assert text.endswith(".")
    assert "\n" not in text
    assert len(text) < 300 + len(str(tmp_path))


@pytest.mark.parametrize("content", [b"", b"\x80\x04.", b"{}"])
def test_a_foreign_training_state(content: bytes, tmp_path: Path) -> None:
    save(tmp_path / "m", state=STATE)
    rewrite(tmp_path / "m", checkpoint.STATE, content)
    with pytest.raises(CheckpointError, match="holds no training that could be resumed"):
        checkpoint.load_state(tmp_path / "m")


def test_killed_between_the_two_renames(tmp_path: Path) -> None:
    """The moment when only the old one stands, aside: it is found, and saving goes on."""
    first = save(tmp_path / "m")
    (tmp_path / "m").rename(tmp_path / ".m.old")
    assert same_weights(first, checkpoint.load(tmp_path / "m").model)
    second = save(tmp_path / "m", seed=1)
    assert same_weights(second, checkpoint.load(tmp_path / "m").model)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["m"]


def test_killed_25_times_the_last_checkpoint_loads_and_training_resumes(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.model.kill_rounds", str(tmp_path / "last"), "25"],
        cwd=ROOT, env=os.environ | {"OMP_NUM_THREADS": "1"}, capture_output=True, text=True,
        timeout=300, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    steps = [int(line) for line in done.stdout.split()]
    assert len(steps) == 25
    assert all(before < after for before, after in pairwise(steps)), steps


@contextlib.contextmanager
def mounted(folder: Path, options: str) -> Iterator[None]:
    """Mount a small file system of its own, where that is allowed."""
    folder.mkdir(exist_ok=True)
    mount = shutil.which("mount")
    command = [mount or "", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)]
    if mount is None or subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("mounting a file system is not allowed here")
    try:
        yield
    finally:
        subprocess.run(["umount", str(folder)], check=True)


def assert_one_sentence(folder: Path, why: str) -> None:
    """A save into `folder` fails with one sentence."""
    with pytest.raises(CheckpointError, match=why) as raised:
        save(folder, seed=1, state=({"big": torch.zeros(200_000)}, {}))
    text = str(raised.value)
    assert text.startswith("The model could not be saved in ")
    assert text.endswith("what was saved before is intact.")
    assert "\n" not in text


@pytest.mark.parametrize("left", [2, 6, 12, 30, 60, 100, 200, 600])
def test_a_full_disk_loses_nothing(left: int, tmp_path: Path) -> None:
    """With any number of KiB left the new one fails and the former one stays."""
    disk = tmp_path / "disk"
    with mounted(disk, "size=2m"):
        first = save(disk / "m")
        free = shutil.disk_usage(disk).free
        (disk / "ballast").write_bytes(b"x" * max(0, free - left * 1024))
        assert_one_sentence(disk / "m", "[Nn]o space left on device")
        assert same_weights(first, checkpoint.load(disk / "m").model)
        assert sorted(path.name for path in disk.iterdir()) == ["ballast", "m"]


@pytest.mark.parametrize("limit", [100, 5_000, 20_000, 70_000, 500_000])
def test_a_file_size_limit_loses_nothing(limit: int, tmp_path: Path) -> None:
    first = save(tmp_path / "m")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, hard))
    try:
        assert_one_sentence(tmp_path / "m", "File too large")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert same_weights(first, checkpoint.load(tmp_path / "m").model)


def test_a_read_only_disk_loses_nothing(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    with mounted(disk, "size=2m"):
        first = save(disk / "m")
        subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
        assert_one_sentence(disk / "m", "Read-only file system")
        assert same_weights(first, checkpoint.load(disk / "m").model)


def test_a_folder_that_cannot_be(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    assert_one_sentence(tmp_path / "file" / "m", "Not a directory")
    assert_one_sentence(tmp_path / ("x" * 300), "File name too long")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_without_permission(tmp_path: Path) -> None:
    first = save(tmp_path / "m")
    tmp_path.chmod(0o500)
    try:
        assert_one_sentence(tmp_path / "m", "Permission denied")
        assert same_weights(first, checkpoint.load(tmp_path / "m").model)
    finally:
        tmp_path.chmod(0o700)
