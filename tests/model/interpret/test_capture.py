"""A capture changes nothing, names everything, and each of its stages follows from the others."""

from concurrent.futures import ThreadPoolExecutor
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.numpy import save

from model.config import KINDS, Arch, ModelConfig, Norm
from model.interpret.capture import Capture
from model.interpret.recording import capture
from model.nn.hooks import Recorder
from model.text.byte_level import BOS, EOS
from tests.model.interpret.experiments.reference import Reference
from tests.model.interpret.experiments.samples import NORMS, PAIRS, captured, model_of
from tests.model.samples import (
    LAYER_NAMES,
    RECURRENT,
    letters_tokenizer,
    tiny_capture,
    tiny_model,
    tiny_translator,
)

ATTENTION = ("q", "k", "v", "scores", "scaled", "masked", "weights", "context", "concat", "out")
PARTS = {"attn": ATTENTION, "norm": ("add", "norm"), "ffn": ("pre", "hidden", "out")}


def expected_names(config: ModelConfig) -> list[str]:
    names = [f"{side}.{name}" for side in ("src", "tgt") for name in ("embed", "pos", "sum")]
    for side in ("encoder", "decoder"):
        for layer, part in product((0, 1), LAYER_NAMES[side]):
            stages = next(stages for kind, stages in PARTS.items() if kind in part)
            names += [f"{side}.{layer}.{part}.{stage}" for stage in stages]
        names += [f"{side}.norm"] if config.norm == "pre" else []
    return [*names, "memory", "logits"]


@pytest.mark.parametrize("norm", NORMS)
def test_every_stage_is_the_papers_in_numpy(norm: Norm) -> None:
    model, made = model_of(norm), captured(model_of(norm), PAIRS[0])
    expected = Reference(model, model.config, made.src_ids, made.tgt_ids).arrays
    assert sorted(made.arrays) == sorted(expected) == sorted(expected_names(model.config))
    for name, array in made.arrays.items():
        np.testing.assert_allclose(array, expected[name], atol=1e-5, err_msg=name)


@pytest.mark.parametrize(
    ("arch", "attentions", "settings"),
    [
        ("transformer", (2, 2, 2), {"norm": "post"}),
        ("transformer", (2, 2, 2), {"norm": "pre"}),
        ("rnn", (0, 0, 0), {}),
        ("rnnsearch", (0, 0, 1), {}),
    ],
)
def test_capture_on_or_off_gives_the_same_bits(
    arch: Arch, attentions: tuple[int, ...], settings: dict[str, Any]
) -> None:
    model, made = tiny_capture(arch, **settings)
    with torch.inference_mode():
        plain = model(torch.tensor([made.src_ids]), torch.tensor([made.tgt_ids]))
    assert np.array_equal(plain[0].numpy(), made.logits)
    assert tuple(map(made.n_layers, KINDS)) == attentions
    assert any("attn" in name for name in made.arrays) == any(attentions)


def test_a_capture_knows_who_looks_at_whom() -> None:
    _, made = tiny_capture()
    assert [token.text for token in made.src] == ["a", "b", "c", "d", "<eos>"]
    assert [token.text for token in made.tgt] == ["<bos>", "d", "c", "b"]
    sides = {kind: (made.queries(kind), made.keys(kind)) for kind in KINDS}
    own = {"encoder": (made.src, made.src), "decoder": (made.tgt, made.tgt)}
    assert sides == own | {"cross": (made.tgt, made.src)}
    _, recurrent = tiny_capture("rnnsearch")
    np.testing.assert_allclose(recurrent.weights("cross", 0).sum(-1), 1, atol=1e-6)
    assert np.array_equal(made.weights("cross", 1, head=1), made.weights("cross", 1)[1])


def test_weights_in_training_are_recorded_before_dropout() -> None:
    model = tiny_model(dropout=0.5).train()
    recorder = Recorder()
    model(torch.tensor([[5, 6, 7]]), torch.tensor([[1, 5, 6]]), recorder)
    for name, array in recorder.arrays.items():
        if name.endswith(".weights"):
            np.testing.assert_allclose(array.sum(-1), 1, atol=1e-6)


def test_saved_and_loaded_it_is_the_same(tmp_path: Path) -> None:
    _, made = tiny_capture()
    made.save(tmp_path / "one.safetensors")
    loaded = Capture.load(tmp_path / "one.safetensors")
    assert (loaded.config, loaded.src, loaded.tgt) == (made.config, made.src, made.tgt)
    assert loaded.arrays.keys() == made.arrays.keys()
    for name, array in made.arrays.items():
        assert np.array_equal(loaded.arrays[name], array), name
    with pytest.raises(ValueError, match="read-only"):
        made.logits[0, 0] = 1


def test_a_foreign_or_damaged_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "foreign.safetensors"
    foreign = [None, b"", b"no capture", b"\x80\x04K\x01.", b"\x02" + b"\0" * 7 + b"{}"]
    for config in ("{", "[]", '{"vocab_size": -1}', "[[1]]"):
        metadata = {"config": config, "src": "[]", "tgt": "[]"}
        foreign.append(save({"logits": np.zeros(1)}, metadata=metadata))
    for content in foreign:
        if content is not None:
            path.write_bytes(content)
        with pytest.raises(ValueError, match=r"is not a capture\.$"):
            Capture.load(path)


def test_what_is_not_there_is_said() -> None:
    _, made = tiny_capture()
    asked: list[tuple[Any, int, int, str]] = [
        ("cross", 0, 2, "There is no head 2, only 0 to 1"),
        ("cross", 0, -1, "There is no head -1"),
        ("encoder", 7, 0, "There is no layer 7 of 'encoder' attention, only 0 to 1"),
        ("other", 0, 0, "There is no 'other' attention"),
    ]
    for kind, layer, head, said in asked:
        with pytest.raises(ValueError, match=said):
            made.weights(kind, layer, head)


@pytest.mark.parametrize("arch", ["transformer", *RECURRENT])
def test_threads_on_one_model_never_see_each_others_numbers(arch: Arch) -> None:
    model, tokenizer = tiny_translator(arch), letters_tokenizer()
    sentences = ["a b c d e", "l k j i h", "c c c c c", "a b"]
    jobs = [([*tokenizer.encode(s), EOS], [BOS, *tokenizer.encode(s)]) for s in sentences]
    alone = [capture(model, tokenizer, *job) for job in jobs]
    with ThreadPoolExecutor(len(jobs)) as pool:
        together = list(pool.map(lambda job: capture(model, tokenizer, *job), jobs * 6))
    for i, made in enumerate(together):
        for name, array in alone[i % len(jobs)].arrays.items():
            assert np.array_equal(array, made.arrays[name]), name


def test_nothing_is_kept_on_the_model() -> None:
    model, tokenizer = tiny_model(), letters_tokenizer()
    before = {name: sorted(vars(module)) for name, module in model.named_modules()}
    capture(model, tokenizer, [5, EOS], [BOS])
    after = {name: sorted(vars(module)) for name, module in model.named_modules()}
    assert before == after
    assert not any(module._forward_hooks for module in model.modules())
