"""What cannot be built or run is refused by name; the rest survives JSON."""

from __future__ import annotations

import json
from typing import Any

import pytest

from model.config import ModelConfig, TrainConfig
from tests.model.samples import tiny_config


def test_defaults_are_the_papers_base_model() -> None:
    config = ModelConfig(37_000)
    assert (config.d_model, config.n_heads, config.d_k, config.d_ff) == (512, 8, 64, 2048)
    assert (config.n_encoder_layers, config.n_decoder_layers) == (6, 6)
    assert (config.norm, config.positions, config.dropout) == ("post", "interleaved", 0.1)
    assert config.n_tgt_vocab == 37_000


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"d_model": 15}, "d_model must be a multiple of n_heads"),
        ({"d_model": 15, "n_heads": 3}, "d_model must be even"),
        ({"vocab_size": 0}, "vocab_size must be a positive whole number"),
        ({"n_heads": -1}, "n_heads must be a positive whole number"),
        ({"d_ff": 2.5}, "d_ff must be a positive whole number"),
        ({"d_ff": "8"}, "d_ff must be a positive whole number"),
        ({"max_len": 10**12}, "max_len must be"),
        ({"n_encoder_layers": 10**9}, "n_encoder_layers must be"),
        ({"d_model": 2**60}, "d_model must be"),
        ({"dropout": 1.0}, "dropout must be at least 0 and below 1"),
        ({"dropout": float("nan")}, "dropout must be at least 0 and below 1"),
        ({"dropout": "much"}, "dropout must be"),
        ({"norm": "middle"}, "norm must be one of post, pre"),
        ({"positions": "learned"}, "positions must be one of interleaved, half, none"),
        ({"tgt_vocab_size": 40}, "tgt_vocab_size must be the size of the source vocabulary"),
        ({"tgt_vocab_size": 0, "share_embeddings": False}, "tgt_vocab_size must be"),
        ({"pad_id": 300}, "pad_id must be"),
    ],
)
def test_a_model_that_cannot_be_built(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        tiny_config(**changes)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"steps": 0}, "steps must be a positive whole number"),
        ({"label_smoothing": 1}, "label_smoothing must be at least 0 and below 1"),
        ({"learning_rate": 0}, "learning_rate must be above 0"),
        ({"clip": -1}, "clip must be above 0"),
        ({"weight_decay": -0.1}, "weight_decay must be at least 0"),
        ({"schedule": "cosine"}, "schedule must be one of noam, linear, wsd, constant"),
    ],
)
def test_a_training_that_cannot_be_run(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        TrainConfig(**changes)


def test_through_json_and_back() -> None:
    model = tiny_config(norm="pre", positions="half")
    assert ModelConfig.from_dict(json.loads(json.dumps(model.to_dict()))) == model
    train = TrainConfig(schedule="wsd", vary=0.1)
    assert TrainConfig.from_dict(json.loads(json.dumps(train.to_dict()))) == train


def test_a_configuration_from_before_there_were_others_is_a_transformers() -> None:
    values = tiny_config().to_dict()
    del values["arch"], values["d_hidden"]
    assert ModelConfig.from_dict(values) == tiny_config()
    assert not tiny_config().recurrent
    with pytest.raises(ValueError, match="arch must be one of transformer, rnn, rnnsearch"):
        tiny_config(arch="lstm")


def test_unknown_and_missing_settings() -> None:
    with pytest.raises(ValueError, match="Unknown setting 'depth' in ModelConfig"):
        ModelConfig.from_dict({"vocab_size": 10, "depth": 3})
    with pytest.raises(ValueError, match="ModelConfig is not complete"):
        ModelConfig.from_dict({})


def test_frozen() -> None:
    with pytest.raises(AttributeError):
        tiny_config().d_model = 3  # type: ignore[misc]
