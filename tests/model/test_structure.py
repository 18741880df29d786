"""The blocks of a model are told once: whatever lists its parts follows from that entry."""

import pytest

from model.atlas.sample import heads_of
from model.config import STACKS, Layers
from model.interpret.calculation.attention import attention_scopes
from model.interpret.calculation.stages import PARAM, stages
from model.interpret.calculation.stream import stream_names
from model.training.estimate import n_parameters
from tests.model.samples import tiny_config, tiny_model


def test_a_decoder_alone_is_another_entry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stages, attentions, heads, stream and parameters are those of a model without an encoder."""
    whole = tiny_model()
    gone = ("encoder.", "cross_attn", "add_norm_3")
    lost = [p.numel() for name, p in whole.named_parameters() if any(one in name for one in gone)]
    before = n_parameters(whole.config)

    alone = {"decoder": Layers("tgt", ("self_attn", "ffn"), causal=True)}
    monkeypatch.setitem(STACKS, "transformer", alone)
    config = tiny_config(vocab_size=301)  # one that no cache knows
    assert (config.n_layers("encoder"), config.n_layers("decoder")) == (0, 2)
    assert attention_scopes(config) == ("decoder.0.self_attn", "decoder.1.self_attn")
    assert {(one.kind, one.layer) for one in heads_of(config)} == {("decoder", 0), ("decoder", 1)}
    assert [name.removeprefix("decoder.") for name in stream_names(config, "decoder")] == [
        "tgt.sum",
        *(f"{layer}.add_norm_{n}.norm" for layer in (0, 1) for n in (1, 2)),
    ]
    assert n_parameters(tiny_config()) == before - sum(lost)

    known, learned = set[str](), set[str]()
    for stage in stages(config).values():
        assert known.issuperset(stage.inputs), "computed from what came before"
        known.add(stage.name)
        learned.update(stage.params)
    assert not any("encoder" in name or "cross" in name for name in known | learned)
    assert {"memory", "src.embed"}.isdisjoint(known)
    assert {f"{PARAM}decoder.1.ffn.W_2", f"{PARAM}generator.W"} <= learned
