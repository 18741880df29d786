"""What cannot be built or run is refused by name; the rest survives JSON."""

import json
import math
from typing import Any

import pytest

from model.config import ModelConfig, TrainConfig
from model.errors import UserError
from model.settings import settings_of
from model.training.presets import PRESETS
from tests.model.samples import tiny_config


def test_defaults_are_the_papers_base_model() -> None:
    config = ModelConfig(37_000)
    assert (config.d_model, config.n_heads, config.d_k, config.d_ff) == (512, 8, 64, 2048)
    assert (config.n_encoder_layers, config.n_decoder_layers) == (6, 6)
    assert (config.norm, config.positions, config.dropout) == ("post", "interleaved", 0.1)
    assert config.n_tgt_vocab == 37_000


NO_MODEL: list[tuple[dict[str, Any], str, str]] = [
    ({"d_model": 15}, "d_model", "not_multiple"),
    ({"d_model": 15, "n_heads": 3}, "d_model", "odd"),
    ({"n_heads": -1}, "n_heads", "too_small"),
    ({"d_ff": 2.5}, "d_ff", "too_small"),
    ({"d_ff": "8"}, "d_ff", "too_small"),
    ({"max_len": 10**12}, "max_len", "too_large"),
    ({"n_encoder_layers": 10**9}, "n_encoder_layers", "too_large"),
    ({"d_model": 2**60}, "d_model", "too_large"),
    ({"dropout": 1.0}, "dropout", "not_a_share"),
    ({"dropout": float("nan")}, "dropout", "not_a_share"),
    ({"dropout": "much"}, "dropout", "not_a_share"),
    ({"norm": "middle"}, "norm", "not_one_of"),
    ({"positions": "learned"}, "positions", "not_one_of"),
    ({"arch": "lstm"}, "arch", "not_one_of"),
    ({"cell": "tanh"}, "cell", "not_for_arch"),
    ({"arch": "rnn", "n_heads": 2}, "n_heads", "one_for_arch"),
    ({"arch": "rnnsearch", "n_encoder_layers": 2}, "n_encoder_layers", "one_for_arch"),
    ({"arch": "rnn", "n_decoder_layers": 2}, "n_decoder_layers", "one_for_arch"),
    ({"arch": "rnn", "cell": "lstm"}, "cell", "not_one_of"),
    ({"tgt_vocab_size": 40}, "tgt_vocab_size", "vocabularies_differ"),
    ({"tgt_vocab_size": 0, "share_embeddings": False}, "tgt_vocab_size", "too_small"),
    ({"pad_id": 300}, "pad_id", "not_in_vocabulary"),
]
NO_TRAINING: list[tuple[dict[str, Any], str, str]] = [
    ({"steps": 0}, "steps", "too_small"),
    ({"label_smoothing": 1}, "label_smoothing", "not_a_share"),
    ({"learning_rate": 0}, "learning_rate", "not_above_0"),
    ({"rates": ((3, 0.0),)}, "learning_rate", "not_above_0"),
    ({"clip": -1}, "clip", "not_above_0"),
    ({"weight_decay": -0.1}, "weight_decay", "negative"),
    ({"schedule": "cosine"}, "schedule", "not_one_of"),
]


def test_what_cannot_be_built_or_run_is_refused_by_the_name_of_its_field() -> None:
    for make, cases in ((tiny_config, NO_MODEL), (TrainConfig, NO_TRAINING)):
        for changes, field, code in cases:
            with pytest.raises(UserError) as raised:
                make(**changes)
            assert (raised.value.field, raised.value.code) == (field, code)
            assert str(raised.value).startswith(f"{field}: ")


def test_what_the_form_offers_is_valid() -> None:
    offered = settings_of(ModelConfig) | settings_of(TrainConfig)
    for name, (kind, names, setting) in offered.items():
        if setting.choices is not None:
            assert tuple(setting.choices) == names, name
        if setting.form is not None and setting.valid is not None:
            whole = kind is not float
            assert not any(setting.valid.problem(end, whole) for end in setting.form[:2]), name


def test_a_number_typed_on_a_page_has_one_range() -> None:
    setting = settings_of(ModelConfig)["d_model"].setting
    for value in (0, 1025, math.nan):
        problem = setting.problem("d_model", value)
        assert problem is not None
        assert (problem.field, problem.code) == ("d_model", "out_of_range")
        assert problem.text == f"{value} does not work: choose 8 to 1024."
    assert setting.problem("d_model", 1024) is None


def test_through_json_and_back() -> None:
    """What is from before there were other architectures is a Transformer's."""
    model = tiny_config(norm="pre", positions="half")
    assert ModelConfig.from_dict(json.loads(json.dumps(model.to_dict()))) == model
    train = TrainConfig(schedule="wsd", vary=0.1)
    assert TrainConfig.from_dict(json.loads(json.dumps(train.to_dict()))) == train
    values = tiny_config().to_dict()
    del values["arch"], values["d_hidden"]
    assert ModelConfig.from_dict(values) == tiny_config()
    assert not tiny_config().recurrent
    values = tiny_config("rnn").to_dict()
    del values["cell"]  # from before there were two
    assert ModelConfig.from_dict(values).cell == "gru"


def test_unknown_and_missing_settings() -> None:
    with pytest.raises(ValueError, match="There is no setting depth"):
        ModelConfig.from_dict({"vocab_size": 10, "depth": 3})
    with pytest.raises(ValueError, match=r"Settings are missing: .*vocab_size"):
        ModelConfig.from_dict({})


def test_what_json_may_hold_in_place_of_a_setting() -> None:
    """A file of other people's may hold anything: a text for a number, or one beyond all."""
    odd = [1e18, -1, math.nan, math.inf, "1", None, True, [1], {}, 10**400]
    for name in ("steps", "learning_rate", "seed", "bf16", "rates", "schedule"):
        for value in odd:
            if (name == "bf16" and value is True) or (name == "rates" and value == {}):
                continue
            with pytest.raises((ValueError, TypeError)):
                TrainConfig.from_dict({name: value})


def test_what_ships_is_within_the_form_and_above_it_is_for_the_command_line_alone() -> None:
    for configs in PRESETS.values():
        for config in configs:
            config.check_form()
    free = TrainConfig(accumulate=1000)
    with pytest.raises(UserError, match="accumulate is 1000: at most 64"):
        free.check_form()
