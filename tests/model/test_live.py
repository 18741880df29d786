"""The model in NumPy alone computes and writes what the one in PyTorch does."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from model.checkpoint import PRETRAINED, Checkpoint, load, save
from model.decoding.beam import Hypothesis, Prefix
from model.decoding.search import beam, greedy
from model.decoding.trace import best
from model.interpret.calculation.parameters import parameters
from model.interpret.calculation.recompute import check
from model.interpret.capture import Capture
from model.interpret.experiments.change import Change
from model.interpret.experiments.changed import capture_changed
from model.interpret.experiments.changes import HideWords, MuteHeads, Temperature
from model.interpret.experiments.plan import plan
from model.interpret.recording import capture
from model.live import LiveModel, read_weights
from model.nn.translator import Translator
from tests.model.samples import letters_tokenizer, tiny_model

NAMES = ("es-en", "fr-en")
RELATIVE = 1e-4  # of the largest number of an array
MANY = pytest.param(200, marks=[pytest.mark.slow, pytest.mark.timeout(3600)])


@cache
def both(name: str) -> tuple[LiveModel, Checkpoint]:
    loaded = load(name)
    return LiveModel.load(loaded.folder), loaded


def sentences(name: str, count: int) -> list[str]:
    """Return everyday sentences and, every second one, some of those with names and figures."""
    rows = [
        (PRETRAINED / folder / f"{name}.tsv").read_text(encoding="utf-8").splitlines()
        for folder in ("everyday", "supplement")
    ]
    return [row.split("\t")[0] for pair in zip(*rows, strict=False) for row in pair][:count]


def searched(model: Translator, src_ids: list[int], width: int) -> Hypothesis:
    """Return what the search in PyTorch finds."""
    steps = beam(model, src_ids, width) if width > 1 else greedy(model, src_ids)
    return best(list(steps))


def assert_same(live: Capture, torch: Capture) -> None:
    assert live.arrays.keys() == torch.arrays.keys()
    assert (live.config, live.src, live.tgt) == (torch.config, torch.src, torch.tgt)
    for name, expected in torch.arrays.items():
        found, finite = live.arrays[name], np.isfinite(expected)
        assert (found.shape, found.dtype) == (expected.shape, expected.dtype), name
        assert np.array_equal(np.isfinite(found), finite), name
        scale = np.abs(expected[finite]).max()
        off = np.abs(found[finite] - expected[finite]).max()
        assert off <= RELATIVE * scale, (name, off, scale)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("count", [20, MANY])
def test_every_token_and_every_number(name: str, count: int) -> None:
    live, loaded = both(name)
    chosen = sentences(name, count)
    assert len(chosen) == count
    for text in chosen:
        src_ids = live.source(text)
        assert src_ids == [*loaded.tokenizer.encode(text), loaded.config.eos_id]
        for width in (1, 4):
            expected = searched(loaded.model, src_ids, width)
            found = live.translate(src_ids, width).best
            assert found.tokens == expected.tokens, (text, width)
            assert found.score == pytest.approx(expected.score, abs=1e-4)
        tgt_ids = [loaded.config.bos_id, *expected.tokens[:-1]]
        made = capture(loaded.model, loaded.tokenizer, src_ids, tgt_ids)
        assert_same(live.capture(src_ids, tgt_ids), made)


def test_a_sentence_becomes_its_translation_and_a_capture_that_passes_the_check() -> None:
    live, loaded = both("es-en")
    text, made = live.run(" El animal no cruzó la calle porque estaba cansado.\n")
    assert text == "The animal didn't cross the street because it was tired."
    assert live.tokenizer.decode(made.tgt_ids) == text
    learned = parameters(loaded.model)
    assert check(made, learned).passed
    for name, array in learned.arrays.items():
        assert np.array_equal(live.parameters[name], array), name


def test_steps_with_kept_keys_are_the_rows_of_the_whole_pass() -> None:
    live, _ = both("es-en")
    src_ids = live.source("Los gatos duermen.")
    tokens = live.translate(src_ids, 1).best.tokens
    whole = live.capture(src_ids, [live.config.bos_id, *tokens[:-1]]).logits
    assert whole.argmax(-1).tolist() == list(tokens)


def test_a_beam_may_begin_with_what_was_typed() -> None:
    live, loaded = both("es-en")
    src_ids = live.source("Los gatos duermen en la cama.")
    typed = Prefix.typed("Cats are sl", live.tokenizer)
    expected = best(list(beam(loaded.model, src_ids, prefix=typed)))
    assert live.translate(src_ids, prefix=typed).best.tokens == expected.tokens
    assert live.tokenizer.decode(expected.tokens).startswith("Cats are sl")


@pytest.mark.parametrize(
    "changes",
    [
        [MuteHeads("cross", 1, (3, 5))],
        [HideWords("src", (2,))],
        [Temperature(4.0, "decoder")],
        [MuteHeads("encoder"), HideWords("tgt", (1,))],
    ],
)
def test_a_changed_run(changes: Sequence[Change]) -> None:
    """What a change does to an array that was computed again, it does to one that is computed."""
    live, loaded = both("es-en")
    original = live.run("El animal no cruzó la calle.")[1]
    done = plan(loaded.model, original, changes)
    changed = live.capture(done.src_ids, original.tgt_ids, done.overrides())
    assert_same(changed, capture_changed(loaded.model, loaded.tokenizer, done))


@pytest.mark.parametrize(
    "settings",
    [
        {"norm": "post", "positions": "half", "activation": "gelu", "n_heads": 4},
        {"positions": "none", "activation": "swish", "force_end": True, "scale_embedding": False},
        {"share_embeddings": False, "tie_generator": False, "positions": "marian"},
    ],
)
def test_every_kind_of_transformer(tmp_path: Path, settings: dict[str, Any]) -> None:
    tokenizer = letters_tokenizer()
    model = tiny_model(vocab_size=tokenizer.vocab_size, **settings)
    save(tmp_path / "tiny", model, tokenizer, {})
    live = LiveModel.load(tmp_path / "tiny")
    src_ids = live.source("a b c d")
    for width in (1, 3):
        expected = searched(model, src_ids, width)
        assert live.translate(src_ids, width).best.tokens == expected.tokens
    tgt_ids = [live.config.bos_id, *expected.tokens[:-1]]
    assert_same(live.capture(src_ids, tgt_ids), capture(model, tokenizer, src_ids, tgt_ids))


def test_a_recurrent_network_is_refused() -> None:
    live = LiveModel.load(PRETRAINED / "rnnsearch" / "es-en")
    with pytest.raises(ValueError, match="Only a Transformer"):
        live.run("Hola.")


def test_weights_are_read_as_stored() -> None:
    _, loaded = both("es-en")
    read = read_weights(loaded.folder / "weights.safetensors")
    stored = dict(loaded.model.named_parameters())
    assert read.keys() == stored.keys()
    assert all(np.array_equal(read[name], stored[name].detach()) for name in stored)
