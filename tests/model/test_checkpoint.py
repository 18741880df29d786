"""A model on disk is whole or refused, in one sentence; saving never costs the one before."""

import json
import math
import pickle
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save

from model import checkpoint
from model.checkpoint import CheckpointError
from model.files import sha256
from tests.model.samples import letters_tokenizer, same_weights, save_tiny, tiny_model

ROOT = Path(__file__).parents[2]
STATE = ({"rng": torch.arange(3)}, {"step": 7})


def rewrite(folder: Path, name: str, content: bytes) -> None:
    """Replace a file and its checksum, as a forger would."""
    (folder / name).write_bytes(content)
    manifest = {
        file.name: sha256(file) for file in folder.iterdir() if file.name != "manifest.json"
    }
    (folder / "manifest.json").write_text(json.dumps(manifest))


def change_head(folder: Path, **changes: object) -> None:
    config = json.loads((folder / "config.json").read_text()) | changes
    rewrite(folder, "config.json", json.dumps(config).encode())


def change_config(folder: Path, **changes: object) -> None:
    model = json.loads((folder / "config.json").read_text())["model"]
    change_head(folder, model=model | changes)


def test_what_is_saved_is_loaded_and_replaces_what_was(tmp_path: Path) -> None:
    model = save_tiny(tmp_path / "m", state=STATE)
    loaded = checkpoint.load(tmp_path / "m")
    assert same_weights(model, loaded.model)
    assert not loaded.model.training
    assert loaded.config == model.config
    assert loaded.metrics == {"seed": 0}
    assert loaded.tokenizer.encode("a b") == letters_tokenizer().encode("a b")
    tensors, position = checkpoint.load_state(tmp_path / "m")
    assert torch.equal(tensors["rng"], STATE[0]["rng"])
    assert position == STATE[1]
    second = save_tiny(tmp_path / "m", seed=1)
    assert same_weights(second, checkpoint.load(tmp_path / "m").model)
    with pytest.raises(CheckpointError, match="holds no training run to resume"):
        checkpoint.load_state(tmp_path / "m")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["m"]


@pytest.mark.parametrize(("bits", "smaller", "error"), [(16, 0.62, 1e-3), (8, 0.4, 1 / 250)])
def test_fewer_bits_take_less_room(
    tmp_path: Path, bits: checkpoint.Bits, smaller: float, error: float
) -> None:
    """A number of a matrix is off by half a step, of which its row's largest has 127, at most."""
    model = save_tiny(tmp_path / "small", bits=bits)
    save_tiny(tmp_path / "whole")
    sizes = [(tmp_path / n / "weights.safetensors").stat().st_size for n in ("small", "whole")]
    assert sizes[0] < smaller * sizes[1]
    loaded = checkpoint.load(tmp_path / "small").model
    for p, q in zip(model.parameters(), loaded.parameters(), strict=True):
        assert q.dtype == torch.float32
        largest = p.abs().amax(dim=-1, keepdim=True)
        assert bool(((p - q).abs() <= error * largest + 1e-6).all())


def test_a_matrix_in_8_bits_needs_its_scales(tmp_path: Path) -> None:
    folder = tmp_path / "m"
    save_tiny(folder, bits=8)
    weights = load_file(folder / "weights.safetensors")
    name = "src_embed.weight.scale"
    weights.pop(name)
    rewrite(folder, "weights.safetensors", save(weights))
    with pytest.raises(CheckpointError, match=f"Missing: {name}"):
        checkpoint.load(folder)
    weights["src_embed.weight"] = torch.zeros_like(weights["src_embed.weight"], dtype=torch.int64)
    rewrite(folder, "weights.safetensors", save(weights))
    with pytest.raises(CheckpointError, match="is stored as I64"):
        checkpoint.load(folder)


def test_names_folders_and_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoint, "PRETRAINED", tmp_path)
    save_tiny(tmp_path / "es-en")
    save_tiny(tmp_path / "run" / "best")
    assert checkpoint.pretrained_names() == ["es-en"]
    assert checkpoint.load("es-en").folder == tmp_path / "es-en"
    assert checkpoint.load(tmp_path / "run").folder == tmp_path / "run" / "best"
    monkeypatch.setattr("model.files.RUNS", tmp_path / "kept")
    monkeypatch.chdir(tmp_path)
    model = save_tiny(tmp_path / "kept" / "my run" / "best")
    assert same_weights(model, checkpoint.load("runs/my run").model)
    save_tiny(tmp_path / "outside" / "best")
    for name in ("runs/../outside", "runs/other", "runs/", "runs/CON"):
        with pytest.raises(CheckpointError, match="There is no model"):
            checkpoint.load(name)


def test_unknown_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoint, "PRETRAINED", tmp_path / "pretrained")
    monkeypatch.chdir(tmp_path)
    for name in ("nobody", "", "x" * 5000, "a\0b", "../../etc", "/proc/1", "\u200b"):
        with pytest.raises(CheckpointError, match=r"^There is no model .*\.$"):
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


def rewrite_weights(folder: Path, change: Callable[[dict[str, torch.Tensor]], object]) -> None:
    """Change the tensors of a model, and their checksum."""
    weights = {
        name: p.detach().clone() for name, p in checkpoint.load(folder).model.named_parameters()
    }
    change(weights)
    rewrite(folder, "weights.safetensors", save(weights))


def other_shapes(weights: dict[str, torch.Tensor]) -> None:
    weights.update({name: tensor[:1].clone() for name, tensor in weights.items()})


def with_number(folder: Path, number: float) -> None:
    """One weight in thousands made every number of every page NaN, and none said why."""
    rewrite_weights(folder, lambda weights: weights["generator.bias"][3].fill_(number))


FILES = (*checkpoint.FILES, checkpoint.STATE)
DAMAGES: dict[str, tuple[Callable[[Path], object], str]] = {
    **{f"flipped {n}": (lambda f, n=n: flip(f, n), "is damaged") for n in FILES},  # type: ignore[misc]
    **{f"missing {n}": (lambda f, n=n: (f / n).unlink(), "does not hold") for n in FILES},  # type: ignore[misc]
    "no manifest": (lambda f: (f / "manifest.json").unlink(), "There is no model"),
    "empty manifest": (lambda f: (f / "manifest.json").write_text(""), "does not hold a model"),
    "number manifest": (lambda f: (f / "manifest.json").write_text("3"), "does not hold a model"),
    "short manifest": (lambda f: (f / "manifest.json").write_text("{}"), "config.json is missing"),
    "deep manifest": (lambda f: (f / "manifest.json").write_text("[" * 10**5), "does not hold"),
    "other version": (lambda f: change_head(f, format=99), "another version of this project"),
    "other architecture": (lambda f: change_head(f, arch="rnn"), "does not hold a model"),
    "config is a list": (lambda f: rewrite(f, "config.json", b"[1]"), "does not hold a model"),
    "config is bytes": (lambda f: rewrite(f, "config.json", b"\xff\xfe"), "does not hold a model"),
    "huge width": (lambda f: change_config(f, d_model=2**40), "does not hold a model"),
    "huge depth": (lambda f: change_config(f, n_encoder_layers=10**9), "does not hold a model"),
    "large vocabulary": (lambda f: change_config(f, vocab_size=10**6), "to another model"),
    "text for a number": (lambda f: change_config(f, n_heads="2"), "does not hold a model"),
    "deep configuration": (lambda f: rewrite(f, "config.json", b"[" * 60_000), "does not hold"),
    "number for a switch": (lambda f: change_config(f, tie_generator=1), "does not hold a model"),
    "null": (lambda f: change_config(f, vocab_size=None), "does not hold a model"),
    "unknown setting": (lambda f: change_config(f, depth=1), "does not hold a model"),
    "other heads": (lambda f: change_config(f, d_model=32), "do not fit"),
    "other norm": (lambda f: change_config(f, norm="pre"), "do not fit"),
    "small vocabulary": (lambda f: change_config(f, vocab_size=10), "to another model"),
    "other shapes": (
        lambda f: rewrite_weights(f, other_shapes),
        r"do not fit .*Of another shape: decoder\.0\.",
    ),
    "other names": (
        lambda f: rewrite_weights(f, lambda w: w.update({"x" * 500: w.pop("src_embed.weight")})),
        r"Missing: src_embed\.weight\. Not of this model: x{40}\. Of",
    ),
    "NaN": (lambda f: with_number(f, math.nan), r"are not finite: generator\.bias\.$"),
    "infinity": (lambda f: with_number(f, math.inf), r"are not finite: generator\.bias\.$"),
    "pickle": (pickled, "does not hold a model"),
    "torch.save": (torch_saved, "does not hold a model"),
    "no weights": (lambda f: rewrite(f, "weights.safetensors", b""), "does not hold a model"),
    "tokenizer": (lambda f: rewrite(f, "tokenizer.json", b'{"a": 1}'), "does not hold a model"),
    "deep tokenizer": (lambda f: rewrite(f, "tokenizer.json", b"[" * 100_000), "does not hold"),
}  # fmt: skip


def test_damaged_foreign_or_forged(tmp_path: Path) -> None:
    save_tiny(tmp_path / "whole", state=STATE)
    for damage, (harm, message) in DAMAGES.items():
        folder = Path(shutil.copytree(tmp_path / "whole", tmp_path / damage))
        harm(folder)
        with pytest.raises(CheckpointError, match=message) as raised:
            checkpoint.load(folder)
        text = str(raised.value)
        assert text.endswith(".")
        assert "\n" not in text
        assert len(text) < 300 + len(str(folder))


def test_a_foreign_training_state(tmp_path: Path) -> None:
    save_tiny(tmp_path / "m", state=STATE)
    for content in (b"", b"\x80\x04.", b"{}"):
        rewrite(tmp_path / "m", checkpoint.STATE, content)
        with pytest.raises(CheckpointError, match="holds no training run to resume"):
            checkpoint.load_state(tmp_path / "m")
