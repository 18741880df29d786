"""The recurrent translators do all that the Transformer does for decoding, capture and disk."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from model import checkpoint
from model.config import KINDS, Arch, CellName, ModelConfig
from model.interpret.experiments.interventions import attention_gradients
from model.interpret.recording import capture
from model.nn.architectures import build
from model.nn.hooks import Intervention
from model.nn.translator import n_parameters as counted
from model.runs.archive import pack, unpack
from model.text.byte_level import BOS, EOS
from model.training.estimate import n_parameters
from model.training.presets import PRESETS, preset
from tests.model.nn.samples import CELLS, RECURRENT, tiny_capture, tiny_config, tiny_model
from tests.model.samples import letters_tokenizer, same_weights

SENTENCES = [[5, 9, 30, EOS], [7, EOS], [12, 13, 14, 15, 16, 17, 18, EOS], [33, 4, 4, EOS]]


@pytest.fixture(params=RECURRENT)
def arch(request: pytest.FixtureRequest) -> Arch:
    chosen: Arch = request.param
    return chosen


@torch.no_grad()
@pytest.mark.parametrize("cell", CELLS)
def test_padding_leaks_nothing(arch: Arch, cell: CellName) -> None:
    model = tiny_model(arch, vocab_size=40, cell=cell)
    longest = max(map(len, SENTENCES))
    src = torch.tensor([[*ids, *[0] * (longest - len(ids))] for ids in SENTENCES])
    tgt = torch.tensor([[BOS, 8, 9, 10]]).expand(len(SENTENCES), -1)
    together = model(src, tgt)
    for i, ids in enumerate(SENTENCES):
        alone = model(torch.tensor([ids]), tgt[:1])[0]
        torch.testing.assert_close(together[i], alone, atol=1e-5, rtol=1e-5)


def test_capture_on_or_off_gives_the_same_bits(arch: Arch) -> None:
    model, made = tiny_capture(arch)
    with torch.inference_mode():
        src, tgt = ([[token.id for token in side]] for side in (made.src, made.tgt))
        plain = model(torch.tensor(src), torch.tensor(tgt))
    assert np.array_equal(plain[0].numpy(), made.logits)
    assert tuple(map(made.n_layers, KINDS)) == ((0, 0, 1) if arch == "rnnsearch" else (0, 0, 0))
    assert any("attn" in name for name in made.arrays) == (arch == "rnnsearch")
    if arch == "rnnsearch":
        weights = made.weights("cross", 0)
        assert weights.shape == (1, len(made.tgt), len(made.src))
        np.testing.assert_allclose(weights.sum(-1), 1, atol=1e-6)


def test_gradients_of_the_scores_are_those_of_a_difference() -> None:
    model = tiny_model("rnnsearch").double()
    src, tgt, targets = [5, 6, 7, EOS], [BOS, 8, 9], [8, 9, EOS]
    found = attention_gradients(model, src, tgt, targets)
    (name,) = found.arrays
    assert found.arrays[name].shape == (1, 3, 4)

    def loss(nudge: float) -> float:
        seen = iter(range(len(tgt)))

        def change(scores: torch.Tensor) -> torch.Tensor:
            shift = torch.zeros_like(scores)
            if next(seen) == 1:
                shift[..., 2] = nudge
            return scores + shift

        with torch.no_grad():
            hook = Intervention({name: change})
            logits = model(torch.tensor([src]), torch.tensor([tgt]), hook)[0]
        nll = torch.nn.functional.cross_entropy(logits, torch.tensor(targets), reduction="sum")
        return float(nll)

    slope = (loss(1e-4) - loss(-1e-4)) / 2e-4
    assert found.arrays[name][0, 1, 2] == pytest.approx(slope, rel=1e-4)


@pytest.mark.parametrize("cell", CELLS)
def test_a_checkpoint_and_an_archive_come_back_the_same(
    arch: Arch, cell: CellName, tmp_path: Path
) -> None:
    tokenizer = letters_tokenizer()
    model = tiny_model(arch, cell=cell, vocab_size=tokenizer.vocab_size)
    checkpoint.save(tmp_path / "one", model, tokenizer, {})
    loaded = checkpoint.load(tmp_path / "one")
    assert loaded.config == model.config
    assert same_weights(loaded.model, model)
    unpacked = checkpoint.load(unpack(pack(tmp_path / "one"), tmp_path / "two"))
    assert same_weights(unpacked.model, model)


def test_parameters_are_counted_to_the_one(arch: Arch) -> None:
    shapes: list[dict[str, Any]] = [
        {"share_embeddings": False},
        {"tie_generator": False},
        {"d_hidden": 5},
        {"cell": "tanh"},
        {},
    ]
    configs = [tiny_config(arch, **shape) for shape in shapes]
    configs += [preset(name, arch)[0] for name in PRESETS]
    for config in configs:
        with torch.device("meta"):
            assert n_parameters(config) == counted(build(config)), config
    same = n_parameters(preset("small", arch)[0]) / n_parameters(PRESETS["small"][0])
    assert 0.9 < same < 1, "the small preset is not as large as the Transformer's"


def test_settings_of_a_recurrent_model(arch: Arch) -> None:
    """It has one head and one layer, and a GRU in a folder from before there were two cells."""
    for name in ("n_heads", "n_encoder_layers", "n_decoder_layers"):
        with pytest.raises(
            ValueError, match=f"^{name}: 2 does not work: the architecture {arch} has exactly 1"
        ):
            tiny_config(arch, **{name: 2})
    text = (checkpoint.PRETRAINED / arch / "es-en" / "config.json").read_text(encoding="utf-8")
    old = json.loads(text)["model"]
    old.pop("cell", None)
    assert ModelConfig.from_dict(old).cell == "gru"
    with pytest.raises(ValueError, match=r"^cell: lstm does not work: choose one of gru, tanh"):
        tiny_config(arch, cell="lstm")


def test_threads_get_their_own_numbers(arch: Arch) -> None:
    from concurrent.futures import ThreadPoolExecutor

    model, tokenizer = tiny_model(arch), letters_tokenizer()
    jobs = [([*tokenizer.encode(s), EOS], [BOS, *tokenizer.encode(s)]) for s in ("a b c", "l k j")]
    alone = [capture(model, tokenizer, *job).arrays for job in jobs]
    with ThreadPoolExecutor(2) as pool:
        many = list(pool.map(lambda job: capture(model, tokenizer, *job).arrays, jobs * 4))
    for i, arrays in enumerate(many):
        for name, array in alone[i % 2].items():
            assert np.array_equal(arrays[name], array), name
