"""The attention of any module is recorded as it computes, and the module is left as it was."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from model.interpret.trace import Trace
from model.interpret.watch import Recording, recorded
from model.interpret.weights import stacked

SRC: Final = torch.tensor([[3, 4, 5, 6, 7, 1]])
TGT: Final = torch.tensor([[2, 8, 9, 10]])
VOCABULARY: Final[dict[str, Any]] = {"vocab_size": 40}
IDS: Final[dict[str, Any]] = {"pad_token_id": 0, "bos_token_id": 2, "eos_token_id": 1}
BART: Final[dict[str, Any]] = {
    **VOCABULARY, **IDS, "d_model": 16, "encoder_layers": 2, "decoder_layers": 3,
    "encoder_attention_heads": 4, "decoder_attention_heads": 2, "encoder_ffn_dim": 32,
    "decoder_ffn_dim": 32, "max_position_embeddings": 64, "decoder_start_token_id": 2,
    "forced_eos_token_id": None,
}  # fmt: skip
BERT: Final[dict[str, Any]] = {
    **VOCABULARY, "hidden_size": 16, "num_hidden_layers": 3, "num_attention_heads": 4,
    "intermediate_size": 32,
}  # fmt: skip
T5: Final[dict[str, Any]] = {
    **VOCABULARY, "d_model": 16, "d_kv": 4, "d_ff": 32, "num_layers": 2, "num_heads": 4,
    "decoder_start_token_id": 0, "pad_token_id": 0, "eos_token_id": 1,
}  # fmt: skip
# The model's and its configuration's names in transformers, and its settings.
MODELS: Final[dict[str, tuple[str, str, dict[str, Any]]]] = {
    "BERT": ("BertModel", "BertConfig", BERT),
    "ALBERT": ("AlbertModel", "AlbertConfig", BERT | {"embedding_size": 8}),
    "GPT-2": (
        "GPT2LMHeadModel",
        "GPT2Config",
        {**VOCABULARY, **IDS, "n_embd": 16, "n_layer": 2, "n_head": 4},
    ),
    "Llama": ("LlamaForCausalLM", "LlamaConfig", BERT | IDS | {"num_key_value_heads": 2}),
    "T5": ("T5ForConditionalGeneration", "T5Config", T5),
    "BART": ("BartForConditionalGeneration", "BartConfig", BART),
    "Marian": ("MarianMTModel", "MarianConfig", BART),
}
DECODERS: Final = ("GPT-2", "Llama")
TRANSLATORS: Final = ("T5", "BART", "Marian")
THEIRS: Final = {
    "encoder": ("encoder_attentions", "attentions"),
    "decoder": ("decoder_attentions", "attentions"),
    "cross": ("cross_attentions",),
}


@cache
def tiny(name: str) -> Any:
    """Return a model with random weights, as its users load it: not in eager mode."""
    transformers = pytest.importorskip("transformers", reason="transformers is not installed")
    model, config, settings = MODELS[name]
    torch.manual_seed(0)
    return getattr(transformers, model)(getattr(transformers, config)(**settings)).eval()


@contextmanager
def watching(module: nn.Module) -> Iterator[Recording]:
    """Record a module."""
    recording = Recording()
    with recorded(module, recording):
        yield recording


def state_of(module: nn.Module) -> list[object]:
    """Return all that watching could leave behind."""
    modules: list[Any] = [*module.modules()]
    hooks = [
        len(hooks)
        for one in modules
        for name, hooks in vars(one).items()
        if "hooks" in name and hasattr(hooks, "__len__")
    ]
    modes = [one.config._attn_implementation for one in modules if hasattr(one, "config")]
    return [hooks, modes, torch.backends.mha.get_fastpath_enabled(), module.training]


def inputs_of(model: Any) -> dict[str, Tensor]:
    """Return what a model reads."""
    both = {"input_ids": SRC, "decoder_input_ids": TGT}
    return both if model.config.is_encoder_decoder else {"input_ids": SRC}


@contextmanager
def eager(model: Any) -> Iterator[None]:
    """Let a model say its attention itself."""
    model.set_attn_implementation("eager")
    yield
    model.set_attn_implementation("sdpa")


@pytest.mark.parametrize("name", MODELS)
@torch.no_grad()
def test_a_model_of_transformers_gives_what_it_says_itself(name: str) -> None:
    model = tiny(name)
    before = state_of(model)
    assert "sdpa" in before[1]  # type: ignore[operator]
    with watching(model) as run:
        model(**inputs_of(model))
    assert state_of(model) == before
    with eager(model):
        said = model(**inputs_of(model), output_attentions=True)
    groups = run.groups()
    assert len(groups) == (3 if name in TRANSLATORS else 1)
    for group in groups:
        theirs = next(said[key] for key in THEIRS[group.kind] if key in said)
        np.testing.assert_allclose(group.weights, stacked(theirs), atol=1e-6, rtol=0)


@pytest.mark.parametrize("cached", [True, False])
@pytest.mark.parametrize("name", [*DECODERS, *TRANSLATORS])
@torch.no_grad()
def test_a_text_is_written_row_by_row(name: str, cached: bool) -> None:
    """The rows of its steps are those of one pass over the finished text, all but its last token.

    The first of two texts is over and gone, and its rows are not those of the second.
    """
    model = tiny(name)
    how: dict[str, Any] = {"max_new_tokens": 4, "min_new_tokens": 4, "do_sample": False}
    with watching(model) as run:
        model.generate(SRC[:, 2:], use_cache=cached, **how)
        written = model.generate(SRC, use_cache=cached, **how)
    with eager(model):
        told = model.generate(
            SRC, use_cache=cached, **how, output_attentions=True, return_dict_in_generate=True
        )
    own = "input_ids" if name in DECODERS else "decoder_input_ids"
    with watching(model) as once:
        model(**inputs_of(model) | {own: written[:, :-1]})
    for group, whole in zip(run.groups(), once.groups(), strict=True):
        np.testing.assert_allclose(group.weights, whole.weights, atol=1e-5, rtol=0)
        if group.kind != "encoder":
            theirs = next(told[key] for key in THEIRS[group.kind] if key in told)
            np.testing.assert_allclose(stacked(theirs), whole.weights, atol=1e-5, rtol=0)


@torch.no_grad()
def test_the_rows_of_a_beam_are_refused() -> None:
    model = tiny("BART")
    with watching(model) as run:
        model.generate(SRC, max_new_tokens=3, num_beams=2)
    with pytest.raises(ValueError, match="beam search mixes the rows"):
        run.groups()


def transformer(**settings: Any) -> nn.Transformer:
    """Return PyTorch's own Transformer with random weights, in eval mode."""
    torch.manual_seed(0)
    return nn.Transformer(16, 4, 2, 2, 32, batch_first=True, **settings).eval()


@pytest.mark.parametrize("norm_first", [False, True])
@torch.no_grad()
def test_a_transformer_of_pytorch_is_recorded_where_its_fast_path_would_run(
    norm_first: bool,
) -> None:
    """Its fast path calls no attention at all, and then nothing would be recorded."""
    module = transformer(norm_first=norm_first)
    src, tgt = torch.randn(2, 5, 16), torch.randn(2, 3, 16)
    mask = nn.Transformer.generate_square_subsequent_mask(3)
    expected, before = module(src, tgt, tgt_mask=mask), state_of(module)
    with watching(module) as run:
        out = module(src, tgt, tgt_mask=mask)
    assert state_of(module) == before
    torch.testing.assert_close(out, expected, atol=1e-5, rtol=0)
    assert {group.path: (group.kind, group.weights.shape) for group in run.groups()} == {
        "encoder.layers.N.self_attn": ("encoder", (2, 4, 5, 5)),
        "decoder.layers.N.self_attn": ("decoder", (2, 4, 3, 3)),
        "decoder.layers.N.multihead_attn": ("cross", (2, 4, 3, 5)),
    }
    first: Any = module.encoder.layers[0]
    x = first.norm1(src) if norm_first else src
    theirs = first.self_attn(x, x, x, average_attn_weights=False)[1]
    recorded_ = run.weights["encoder.layers.0.self_attn"]
    np.testing.assert_allclose(recorded_, theirs.numpy(), atol=1e-6)
    assert np.array_equal(run.groups(item=1)[0].weights[0], recorded_[1])


@pytest.mark.parametrize("shape", [(2, 5, 16), (5, 16)])
def test_an_attention_returns_what_its_caller_asked_for(shape: tuple[int, ...]) -> None:
    """Positional or by name, averaged, of all heads or none; with a batch and without."""
    attention = nn.MultiheadAttention(16, 4, batch_first=True)
    x = torch.randn(shape)
    ways: list[tuple[tuple[Any, ...], dict[str, Any]]] = [
        ((x, x, x), {}),
        ((x, x, x, None, False), {}),
        ((x, x, x), {"average_attn_weights": False}),
        ((), {"query": x, "key": x, "value": x, "need_weights": False}),
    ]
    for args, kwargs in ways:
        expected = attention(*args, **kwargs)
        with watching(attention) as run:
            given = attention(*args, **kwargs)
        torch.testing.assert_close(given, expected, atol=1e-6, rtol=0)
        assert run.weights[""].shape == ((2, 4, 5, 5) if len(shape) == 3 else (1, 4, 5, 5))
        np.testing.assert_allclose(run.weights[""].sum(-1), 1, atol=1e-5)


class Fails(nn.Module):
    """A module whose attention computes before an error."""

    def __init__(self) -> None:
        super().__init__()
        self.attention = nn.MultiheadAttention(16, 4)

    def forward(self, x: Tensor) -> Tensor:
        self.attention(x, x, x)
        raise RuntimeError("out of memory")


@pytest.mark.parametrize("name", ["BART", "GPT-2"])
def test_after_an_error_a_module_is_as_it_was(name: str) -> None:
    model = tiny(name)
    before = state_of(model)
    with pytest.raises(IndexError), watching(model):
        model(**inputs_of(model) | {"input_ids": SRC * 1000})
    assert state_of(model) == before


def test_what_was_recorded_before_an_error_stays() -> None:
    module = Fails()
    before, x = state_of(module), torch.randn(3, 1, 16)
    with pytest.raises(RuntimeError, match="out of memory"), watching(module) as run:
        module(x)
    assert state_of(module) == before
    assert run.weights["attention"].shape == (1, 4, 3, 3)


def test_a_module_can_be_run_again_after_an_error_within() -> None:
    module = Fails()
    x = torch.randn(3, 1, 16)
    with watching(module) as run:
        for _ in range(2):
            with pytest.raises(RuntimeError):
                module(x)
    assert [*run.weights] == ["attention"]


def test_parts_of_a_model_keep_their_own_modes() -> None:
    """Setting a model's mode sets that of its parts: each is put back to its own."""
    model = tiny("T5")
    model.encoder.set_attn_implementation("eager")
    before = state_of(model)
    with watching(model):
        pass
    assert state_of(model) == before
    model.set_attn_implementation("sdpa")


def test_dropout_is_refused_and_so_is_a_module_that_says_nothing() -> None:
    module = transformer(dropout=0.1).train()
    src = torch.randn(1, 5, 16)
    before = state_of(module)
    with pytest.raises(ValueError, match=r"call `eval\(\)` first"), watching(module):
        module(src, src)
    assert state_of(module) == before
    with watching(nn.Linear(2, 2)) as run:
        pass
    with pytest.raises(ValueError, match="No attention was recorded"):
        run.groups()


@torch.no_grad()
def test_a_trace_of_it_opens(tmp_path: Path) -> None:
    path = tmp_path / "trace.safetensors"
    model = tiny("Marian")
    with watching(model) as run:
        model(**inputs_of(model))
    src, tgt = [*"abcdef"], [*"wxyz"]
    with pytest.raises(ValueError, match="tokens of both sides"):
        run.trace(path, src)
    with pytest.raises(ValueError, match="shape"):
        run.trace(path, src, tgt[:2])
    assert not path.exists()
    run.trace(path, src, [*tgt, "!"])  # what was written last was read by none
    trace = Trace.load(path)
    assert [token.text for token in trace.src] == src
    assert [token.text for token in trace.tgt] == tgt
    for group in run.groups():
        assert np.array_equal(trace.weights(group.kind), group.weights)
    run.trace(path)
    assert [token.text for token in Trace.load(path).tgt] == ["1", "2", "3", "4"]


@pytest.mark.parametrize(("name", "kind"), [("BERT", "encoder"), ("GPT-2", "decoder")])
@torch.no_grad()
def test_a_model_with_one_side_has_one_in_its_trace(name: str, kind: str, tmp_path: Path) -> None:
    with watching(tiny(name)) as run:
        tiny(name)(SRC)
    run.trace(tmp_path / "trace", [*"abcdef"])
    trace = Trace.load(tmp_path / "trace")
    assert trace.kinds == (kind,)
    assert bool(trace.src) == (kind == "encoder") != bool(trace.tgt)
