"""Marian models run through our one Transformer as they run in their own library."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch

from model import checkpoint
from model.checkpoint import Checkpoint
from model.decoding.search import translate_ids
from model.interpret.calculation.check import check
from model.interpret.calculation.parameters import parameters
from model.interpret.capture import capture
from model.marian import import_marian
from model.tasks import make_pairs
from tests.model.marian_samples import SIZES, save_marian, theirs

VARIANTS: list[dict[str, Any]] = [
    {},
    {"tie_word_embeddings": False},
    {"share_encoder_decoder_embeddings": False},
    {"scale_embedding": False},
]


def sentences(n: int) -> list[str]:
    return [pair.src for pair in make_pairs("phrases-es", n, 0, 1)[0]]


def imported(tmp_path: Path, model: Any, pickled: bool = False) -> Checkpoint:
    import_marian(save_marian(tmp_path / "theirs", model, pickled), tmp_path / "ours")
    return checkpoint.load(tmp_path / "ours")


@pytest.mark.parametrize("pickled", [False, True], ids=["safetensors", "pickled"])
@pytest.mark.parametrize("settings", VARIANTS, ids=["tied", "untied", "separate", "unscaled"])
@pytest.mark.parametrize("size", SIZES)
def test_same_logits_and_translations(
    tmp_path: Path, size: str, settings: dict[str, Any], pickled: bool
) -> None:
    model = theirs(size, **settings)
    ours = imported(tmp_path, model, pickled)
    config = ours.config
    sources = [[*ours.tokenizer.encode(text), config.eos_id] for text in sentences(4)]
    longest = max(map(len, sources))
    src = torch.tensor([ids + [config.pad_id] * (longest - len(ids)) for ids in sources])
    tgt = torch.randint(1, config.pad_id, (len(sources), 9))
    tgt[:, 0] = config.pad_id
    mask = (src != config.pad_id).long()
    with torch.inference_mode():
        expected = model(input_ids=src, attention_mask=mask, decoder_input_ids=tgt).logits
        found = ours.model(src, tgt)
    torch.testing.assert_close(found, expected, atol=1e-4, rtol=0)
    for width in (1, 4):
        generated = model.generate(
            src, attention_mask=mask, num_beams=width, max_new_tokens=20, do_sample=False,
            bad_words_ids=[[config.pad_id]], early_stopping=False, length_penalty=1.0,
        )  # fmt: skip
        special = (config.pad_id, config.eos_id)
        theirs_ids = [[i for i in row if i not in special] for row in generated.tolist()]
        assert translate_ids(ours.model, sources, width, max_len=20) == theirs_ids
    source, target = sources[0], tgt[0].tolist()
    made = capture(ours.model, ours.tokenizer, source, target)
    assert check(made, parameters(ours.model)).passed
