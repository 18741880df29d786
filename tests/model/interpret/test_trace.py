"""A trace of any model is read whatever is missing in it, and a hostile file refused at once."""

import json
import re
import struct
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.numpy import save
from safetensors.torch import save as save_tensors

from model.errors import UserError
from model.interpret.trace import MOST_TOKENS, Trace
from tests.model.samples import letters_tokenizer, tiny_capture

DOCS = Path(__file__).parents[3] / "docs" / "traces.md"
EVEN = np.full((2, 3, 3), 1 / 3, np.float32)  # (H, T, T)
ENCODER = "encoder.0.self_attn.weights"


def trace_of(arrays: dict[str, Any], **metadata: Any) -> bytes:
    """Return a file of three source tokens."""
    texts = {"format": "1", "src": ["a", "b", "c"], **metadata}
    written = {key: v if isinstance(v, str) else json.dumps(v) for key, v in texts.items()}
    return save(arrays, metadata=written)


def test_our_own_captures_are_traces(tmp_path: Path) -> None:
    _, made = tiny_capture()
    made.save(tmp_path / "one.safetensors")
    trace = Trace.load(tmp_path / "one.safetensors")
    assert (trace.src, trace.tgt, trace.stages) == (made.src, made.tgt, True)
    assert trace.kinds == ("encoder", "decoder", "cross")
    for kind in trace.kinds:
        assert np.array_equal(trace.weights(kind), made.all_weights(kind))
    assert trace.arrays.keys() == made.arrays.keys()
    assert Trace.parse(made.to_bytes()).src == made.src


def test_bfloat16_and_a_batch_of_one_are_read() -> None:
    """Both were refused, though models are kept in the one and hand over the other."""
    weights = torch.rand(1, 2, 3, 3).softmax(-1)
    arrays = {ENCODER: weights.bfloat16(), "encoder.0.ffn.hidden": torch.ones(1, 3, 8)}
    text = {"format": "1", "src": json.dumps(["a", "b", "c"])}
    trace = Trace.parse(save_tensors(arrays, metadata=text))
    np.testing.assert_array_equal(trace.weights("encoder")[0], weights[0].bfloat16().float())
    assert trace.arrays["encoder.0.ffn.hidden"].shape == (3, 8)
    one_head = Trace.parse(trace_of({ENCODER: EVEN[:1], "x": np.zeros((1, 3, 8), np.float32)}))
    assert one_head.n_heads("encoder") == 1
    assert one_head.arrays["x"].shape == (1, 3, 8), "a head is no batch"


def test_weights_alone_are_enough() -> None:
    trace = Trace.parse(trace_of({ENCODER: EVEN, "encoder.1.self_attn.weights": EVEN}))
    assert trace.kinds == ("encoder",)
    assert (trace.n_layers("encoder"), trace.n_heads("encoder")) == (2, 2)
    assert not trace.stages
    assert [token.text for token in trace.src] == ["a", "b", "c"]


def test_the_code_of_the_docs_writes_traces(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each example is run as it stands, but for the name of its model."""
    import transformers

    monkeypatch.chdir(tmp_path)
    torch.manual_seed(0)
    vocabulary = letters_tokenizer().vocab_size
    ids = {"pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2}
    sizes: dict[str, Any] = {**ids, "vocab_size": vocabulary}
    layers: dict[str, Any] = {"encoder_layers": 3, "decoder_layers": 2, "d_model": 16}
    heads: dict[str, Any] = {"encoder_attention_heads": 4, "decoder_attention_heads": 2}
    both = transformers.BartConfig(**sizes, **layers, **heads, encoder_ffn_dim=8, decoder_ffn_dim=8)
    decoder = transformers.GPT2Config(**sizes, n_layer=2, n_head=2, n_embd=16)
    examples = re.findall(r"```python\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL)
    models = (
        transformers.BartForConditionalGeneration(both),
        transformers.GPT2LMHeadModel(decoder),
    )
    found = []
    for example, model in zip(examples, models, strict=True):
        model.save_pretrained(tmp_path / "model")
        fast = transformers.PreTrainedTokenizerFast(tokenizer_object=letters_tokenizer().bpe)
        fast.save_pretrained(tmp_path / "model")
        with torch.no_grad():
            exec(re.sub('NAME = ".*"', 'NAME = "model"', example), {})
        found.append(Trace.load(tmp_path / "trace.safetensors"))
    shapes = {kind: found[0].weights(kind).shape for kind in found[0].kinds}
    S, T = len(found[0].src), len(found[0].tgt)
    assert shapes == {"encoder": (3, 4, S, S), "decoder": (2, 2, T, T), "cross": (2, 2, T, S)}
    assert (found[1].kinds, found[1].src) == (("decoder",), ())
    np.testing.assert_allclose(found[1].weights("decoder").sum(-1), 1, atol=1e-5)


def forged(header: Any, data: bytes = b"") -> bytes:
    """Return a file with a header of one's own."""
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + data


CLAIM = {"dtype": "F32", "shape": [2**20, 2**20], "data_offsets": [0, 2**42]}
HOSTILE: dict[str, tuple[bytes, str]] = {
    "nothing": (b"", "not a trace"),
    "pickle": (b"\x80\x04K\x01.", "not a trace"),
    "only half": (trace_of({ENCODER: EVEN})[:-40], "not a trace"),
    "deep": (forged(b"[" * 100_000), "not a trace"),
    "huge header": (struct.pack("<Q", 2**60) + b"{}", "not a trace"),
    "claims much": (forged({ENCODER: CLAIM}), "not a trace"),
    "metadata": (forged({"__metadata__": [1]}), "not a trace"),
    "too large": (bytes(2**26 + 1), "64 MB"),
    "no arrays": (trace_of({}), "arrays"),
    "name": (trace_of({"<script>": EVEN}), "names of letters"),
    "integers": (trace_of({"ids": np.arange(3)}), "F16, BF16, F32, F64"),
    "a batch of two": (trace_of({ENCODER: np.stack([EVEN, EVEN])}), "shape"),
    "axes": (trace_of({"x": np.zeros((1, 1, 1, 1, 1))}), "axes"),
    "tokens are no list": (trace_of({ENCODER: EVEN}, src={"a": 1}), "src"),
    "tokens are broken": (trace_of({ENCODER: EVEN}, src="["), "src"),
    "many tokens": (trace_of({ENCODER: EVEN}, src=["a"] * (MOST_TOKENS + 1)), "at most 256"),
    "long token": (trace_of({ENCODER: EVEN}, src=["a" * 101, "b", "c"]), "100 characters"),
    "odd token": (trace_of({ENCODER: EVEN}, src=[{"id": "x"}]), "src"),
    "shape": (trace_of({ENCODER: EVEN[:, :2]}), "shape"),
    "no weights": (trace_of({ENCODER: EVEN * 9}), "0 to 1"),
    "not finite": (trace_of({ENCODER: EVEN * np.nan}), "not a number"),
    "gap": (trace_of({ENCODER: EVEN, "encoder.2.self_attn.weights": EVEN}), "layer before"),
    "heads": (trace_of({ENCODER: EVEN, "encoder.1.self_attn.weights": EVEN[:1]}), "shape"),
    "many layers": (
        trace_of(
            {f"encoder.{i}.self_attn.weights": EVEN * (1 if i < 3999 else 9) for i in range(4000)}
        ),
        "0 to 1",
    ),
    "version": (trace_of({ENCODER: EVEN}, format="2"), "format 2"),
}


def test_what_is_no_trace_is_refused_in_one_sentence_within_a_second() -> None:
    for name, (data, said) in HOSTILE.items():
        start = time.thread_time()
        with pytest.raises(UserError, match=said) as refused:
            Trace.parse(data)
        assert time.thread_time() - start < 1, name
        assert len(refused.value.text) < 300
