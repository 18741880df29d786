"""The recurrent translators do all that the Transformer does for decoding, capture and disk."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from model import checkpoint
from model.config import Arch, CellName, ModelConfig
from model.decoding.search import beam, greedy, sample, translate_ids
from model.decoding.trace import best, captures, path
from model.interpret.capture import KINDS, Capture, capture
from model.interpret.gradients import attention_gradients
from model.nn.hooks import Intervention, Recorder
from model.nn.packed import PackedLinear, packed
from model.nn.translator import Translator
from model.nn.translator import n_parameters as counted
from model.runs.archive import pack, unpack
from model.text.tokenizer import BOS, EOS
from model.training.estimate import n_parameters
from model.training.presets import PRESETS, preset
from tests.model.nn.samples import CELLS, RECURRENT, tiny_capture, tiny_config, tiny_model
from tests.model.samples import letters_tokenizer, same_weights

SENTENCES = [[5, 9, 30, EOS], [7, EOS], [12, 13, 14, 15, 16, 17, 18, EOS], [33, 4, 4, EOS]]


@pytest.fixture(params=RECURRENT)
def arch(request: pytest.FixtureRequest) -> Arch:
    chosen: Arch = request.param
    return chosen


@pytest.fixture(params=CELLS)
def model(arch: Arch, request: pytest.FixtureRequest) -> Translator:
    """A model whose next token depends on the source and on the past."""
    return tiny_model(arch, vocab_size=40, tie_generator=False, cell=request.param)


@torch.inference_mode()
def forced(model: Translator, src: list[int], tokens: tuple[int, ...]) -> Recorder:
    recorder = Recorder()
    model(torch.tensor([src]), torch.tensor([[BOS, *tokens[:-1]]]), recorder)
    return recorder


def test_cached_equals_uncached(model: Translator) -> None:
    for src in SENTENCES:
        streams = (greedy(model, src), beam(model, src, 4), sample(model, src, seed=3))
        for steps in map(list, streams):
            for hypothesis in [best(steps), *steps[-1].hypotheses]:
                logits = torch.tensor(forced(model, src, hypothesis.tokens).arrays["logits"][0])
                found = [one.log_probs for one in path(steps, hypothesis)]
                expected = torch.log_softmax(logits, -1).numpy()
                np.testing.assert_allclose(np.stack(found), expected, atol=1e-5)


def test_a_beam_is_reordered_in_these_sentences(model: Translator) -> None:
    """Otherwise the test above would pass though no state followed its hypothesis."""
    parents = [h.parent for src in SENTENCES for s in beam(model, src, 4) for h in s.hypotheses]
    assert {1, 2} & set(parents)


@pytest.mark.parametrize("width", [1, 2, 5])
def test_a_batch_of_many_equals_batches_of_one(model: Translator, width: int) -> None:
    together = translate_ids(model, SENTENCES, width)
    assert together == [translate_ids(model, [src], width)[0] for src in SENTENCES]
    assert len(set(map(tuple, together))) > 1


@torch.no_grad()
def test_padding_leaks_nothing(model: Translator) -> None:
    longest = max(map(len, SENTENCES))
    src = torch.tensor([[*ids, *[0] * (longest - len(ids))] for ids in SENTENCES])
    tgt = torch.tensor([[BOS, 8, 9, 10]]).expand(len(SENTENCES), -1)
    together = model(src, tgt)
    for i, ids in enumerate(SENTENCES):
        alone = model(torch.tensor([ids]), tgt[:1])[0]
        torch.testing.assert_close(together[i], alone, atol=1e-5, rtol=1e-5)


def test_captures_of_a_decoding_equal_those_of_a_full_pass(model: Translator) -> None:
    for src in SENTENCES:
        for steps in (list(greedy(model, src, capture=True)), list(beam(model, src, capture=True))):
            won = best(steps)
            found, whole = captures(steps, won), forced(model, src, won.tokens).arrays
            for i in range(len(won.tokens)):
                scope = f"step.{i}."
                names = {name for name in found if name.startswith(scope)}
                assert {f"{scope}{n}" for n in ("logits", "decoder.0.state")} <= names
                for name in names:
                    expected = whole[name.removeprefix(scope)][0]
                    if not name.endswith(("cross_attn.k", "cross_attn.v")):
                        expected = expected[..., i : i + 1, :]
                    np.testing.assert_allclose(found[name], expected, atol=1e-5, err_msg=name)


def test_capture_on_or_off_gives_the_same_bits(arch: Arch) -> None:
    model, made = tiny_capture(arch)
    with torch.inference_mode():
        src, tgt = ([[token.id for token in side]] for side in (made.src, made.tgt))
        plain = model(torch.tensor(src), torch.tensor(tgt))
    assert np.array_equal(plain[0].numpy(), made.logits)


def test_which_attention_there_is() -> None:
    for arch, expected in (("rnn", (0, 0, 0)), ("rnnsearch", (0, 0, 1))):
        made = tiny_capture(arch)[1]  # type: ignore[arg-type]
        assert tuple(map(made.n_layers, KINDS)) == expected
        found = any("attn" in name for name in made.arrays)
        assert found == bool(expected[-1])


def test_weights_are_distributions_over_the_source() -> None:
    made = tiny_capture("rnnsearch")[1]
    weights = made.weights("cross", 0)
    assert weights.shape == (1, len(made.tgt), len(made.src))
    np.testing.assert_allclose(weights.sum(-1), 1, atol=1e-6)


def test_a_saved_capture_is_the_same(arch: Arch, tmp_path: Path) -> None:
    made = tiny_capture(arch)[1]
    made.save(tmp_path / "one.safetensors")
    loaded = Capture.load(tmp_path / "one.safetensors")
    assert loaded.config == made.config
    assert loaded.arrays.keys() == made.arrays.keys()


@torch.no_grad()
def test_an_intervention_reaches_each_step() -> None:
    """Told to look at the first token only, the decoder finds that token's annotation."""
    model, recorder = tiny_model("rnnsearch"), Recorder()

    def first(weights: torch.Tensor) -> torch.Tensor:
        return torch.nn.functional.one_hot(torch.zeros(weights.shape[:-1]).long(), 4).float()

    scope = "decoder.0.cross_attn"
    hook = Intervention({f"{scope}.weights": first}, then=recorder)
    model(torch.tensor([[5, 6, 7, EOS]]), torch.tensor([[BOS, 8, 9]]), hook)
    context, memory = recorder.arrays[f"{scope}.context"], recorder.arrays["memory"]
    assert np.array_equal(context[0, 0], np.repeat(memory[0, :1], 3, axis=0))


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


def test_a_packed_model_equals_the_plain_one(model: Translator) -> None:
    model.half().float()  # a checkpoint's weights are half precision
    fast = packed(model)
    assert isinstance(fast.generator, PackedLinear)
    for src in SENTENCES:
        for slow, quick in zip(greedy(model, src), greedy(fast, src), strict=True):
            assert slow.tokens == quick.tokens
            slow_p, quick_p = (step.hypotheses[0].log_probs for step in (slow, quick))
            np.testing.assert_allclose(slow_p, quick_p, atol=1e-5)


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
            assert n_parameters(config) == counted(type(tiny_model(arch))(config)), config


def test_the_small_preset_is_as_large_as_the_transformers(arch: Arch) -> None:
    same = n_parameters(preset("small", arch)[0]) / n_parameters(PRESETS["small"][0])
    assert 0.9 < same < 1


def test_a_recurrent_model_has_one_head_and_one_layer(arch: Arch) -> None:
    for name in ("n_heads", "n_encoder_layers", "n_decoder_layers"):
        with pytest.raises(
            ValueError, match=f"^{name}: 2 does not work: the architecture {arch} has exactly 1"
        ):
            tiny_config(arch, **{name: 2})


def test_a_folder_from_before_there_were_two_cells_has_a_gru(arch: Arch) -> None:
    text = (checkpoint.PRETRAINED / arch / "es-en" / "config.json").read_text(encoding="utf-8")
    old = json.loads(text)["model"]
    old.pop("cell", None)
    assert ModelConfig.from_dict(old).cell == "gru"


def test_only_a_recurrent_translator_has_a_plain_cell(arch: Arch) -> None:
    assert tiny_config(arch, cell="tanh").cell == "tanh"
    with pytest.raises(ValueError, match=r"^cell: lstm does not work: choose one of gru, tanh"):
        tiny_config(arch, cell="lstm")
    with pytest.raises(ValueError, match=r"^cell: The architecture transformer has no use for it"):
        ModelConfig(300, cell="tanh")


def test_threads_get_their_own_numbers(arch: Arch) -> None:
    from concurrent.futures import ThreadPoolExecutor

    model, tokenizer = tiny_model(arch), letters_tokenizer()
    jobs = [([*tokenizer.encode(s), EOS], [BOS, *tokenizer.encode(s)]) for s in ("a b c", "l k j")]
    alone = [capture(model, tokenizer, *job).arrays for job in jobs]
    with ThreadPoolExecutor(2) as pool:
        many = list(pool.map(lambda job: capture(model, tokenizer, *job).arrays, jobs * 10))
    for i, arrays in enumerate(many):
        for name, array in alone[i % 2].items():
            assert np.array_equal(arrays[name], array), name
