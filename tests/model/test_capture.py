"""A capture changes nothing, names everything, and each of its stages follows from the others."""

from __future__ import annotations

import threading
from pathlib import Path

import numpy as np
import pytest
import torch

from model.capture import KINDS, Capture, Kind, capture
from model.config import ModelConfig, Norm
from model.hooks import Recorder
from model.layers import AddNorm
from model.tokenizer import BOS, EOS
from model.transformer import Transformer
from tests.model.samples import letters_tokenizer, tiny_model

ATTENTION = ("q", "k", "v", "scores", "scaled", "masked", "weights", "context", "concat", "out")
LAYER_NAMES = {
    "encoder": ["self_attn", "add_norm_1", "ffn", "add_norm_2"],
    "decoder": ["self_attn", "add_norm_1", "cross_attn", "add_norm_2", "ffn", "add_norm_3"],
}
PARTS = {"attn": ATTENTION, "norm": ("add", "norm"), "ffn": ("pre", "hidden", "out")}


def make(norm: Norm = "post", seed: int = 0) -> tuple[Transformer, Capture]:
    model, tokenizer = tiny_model(seed, norm=norm), letters_tokenizer()
    src = [*tokenizer.encode("a b c d"), EOS]
    return model, capture(model, tokenizer, src, [BOS, *tokenizer.encode("d c b")])


def expected_names(config: ModelConfig) -> list[str]:
    names = [f"{side}.{name}" for side in ("src", "tgt") for name in ("embed", "pos", "sum")]
    for side, n_layers in (
        ("encoder", config.n_encoder_layers),
        ("decoder", config.n_decoder_layers),
    ):
        for layer in range(n_layers):
            for part in LAYER_NAMES[side]:
                stages = next(stages for kind, stages in PARTS.items() if kind in part)
                names += [f"{side}.{layer}.{part}.{stage}" for stage in stages]
        names += [f"{side}.norm"] if config.norm == "pre" else []
    return [*names, "memory", "logits"]


@pytest.mark.parametrize("norm", ["post", "pre"])
def test_names_are_pinned(norm: Norm) -> None:
    model, made = make(norm)
    assert sorted(made.arrays) == sorted(expected_names(model.config))
    assert "encoder.1.add_norm_2.norm" in made.arrays
    assert "decoder.1.cross_attn.weights" in made.arrays


def test_shapes() -> None:
    model, made = make()
    heads, d_k, d_model = model.config.n_heads, model.config.d_k, model.config.d_model
    shapes = {
        "src.sum": (5, d_model),
        "memory": (5, d_model),
        "encoder.0.self_attn.scores": (heads, 5, 5),
        "decoder.0.cross_attn.q": (heads, 4, d_k),
        "decoder.0.cross_attn.k": (heads, 5, d_k),
        "decoder.0.cross_attn.weights": (heads, 4, 5),
        "decoder.0.cross_attn.context": (heads, 4, d_k),
        "decoder.0.cross_attn.concat": (4, d_model),
        "decoder.0.ffn.hidden": (4, model.config.d_ff),
        "logits": (4, model.config.vocab_size),
    }
    assert {name: made.arrays[name].shape for name in shapes} == shapes


@pytest.mark.parametrize("norm", ["post", "pre"])
def test_capture_on_or_off_gives_the_same_bits(norm: Norm) -> None:
    model, made = make(norm)
    with torch.inference_mode():
        src, tgt = ([[token.id for token in side]] for side in (made.src, made.tgt))
        plain = model(torch.tensor(src), torch.tensor(tgt))
    assert np.array_equal(plain[0].numpy(), made.logits)


class Recompute:
    """The same arithmetic in NumPy, float64: each stage from those before it."""

    def __init__(self, model: Transformer, arrays: dict[str, np.ndarray]) -> None:
        self.model = model
        self.weights = {n: p.detach().double().numpy() for n, p in model.named_parameters()}
        self.arrays = {name: array.astype(np.float64) for name, array in arrays.items()}
        self.checked: set[str] = {"src.embed", "tgt.embed", "src.pos", "tgt.pos"}

    def check(self, name: str, expected: np.ndarray) -> None:
        largest = np.abs(expected[np.isfinite(expected)]).max(initial=1.0)
        np.testing.assert_allclose(
            self.arrays[name], expected, rtol=0, atol=1e-6 * largest, err_msg=name
        )
        self.checked.add(name)

    def linear(self, x: np.ndarray, name: str) -> np.ndarray:
        return x @ self.weights[f"{name}.weight"].T + self.weights[f"{name}.bias"]

    def normed(self, x: np.ndarray, name: str) -> np.ndarray:
        centred = x - x.mean(-1, keepdims=True)
        scaled = centred / np.sqrt((centred**2).mean(-1, keepdims=True) + 1e-5)
        return scaled * self.weights[f"{name}.weight"] + self.weights[f"{name}.bias"]

    def attention(self, scope: str, x: np.ndarray, source: np.ndarray, causal: bool) -> np.ndarray:
        config, a = self.model.config, self.arrays
        q, k, v = (
            self.linear(side, f"{scope}.w_qkv")[:, i * config.d_model : (i + 1) * config.d_model]
            .reshape(-1, config.n_heads, config.d_k)
            .swapaxes(0, 1)
            for i, side in enumerate((x, source, source))
        )
        for name, array in (("q", q), ("k", k), ("v", v)):
            self.check(f"{scope}.{name}", array)
        self.check(f"{scope}.scores", a[f"{scope}.q"] @ a[f"{scope}.k"].swapaxes(-1, -2))
        self.check(f"{scope}.scaled", a[f"{scope}.scores"] / np.sqrt(config.d_k))
        allowed = np.tri(len(x), len(source), dtype=bool) if causal else True
        self.check(f"{scope}.masked", np.where(allowed, a[f"{scope}.scaled"], -np.inf))
        masked = a[f"{scope}.masked"]
        powers = np.exp(masked - masked.max(-1, keepdims=True))
        self.check(f"{scope}.weights", powers / powers.sum(-1, keepdims=True))
        self.check(f"{scope}.context", a[f"{scope}.weights"] @ a[f"{scope}.v"])
        concat = a[f"{scope}.context"].swapaxes(0, 1).reshape(-1, config.d_model)
        self.check(f"{scope}.concat", concat)
        self.check(f"{scope}.out", self.linear(a[f"{scope}.concat"], f"{scope}.w_o"))
        return a[f"{scope}.out"]

    def ffn(self, scope: str, x: np.ndarray) -> np.ndarray:
        self.check(f"{scope}.pre", self.linear(x, f"{scope}.w_1"))
        self.check(f"{scope}.hidden", np.maximum(0, self.arrays[f"{scope}.pre"]))
        self.check(f"{scope}.out", self.linear(self.arrays[f"{scope}.hidden"], f"{scope}.w_2"))
        return self.arrays[f"{scope}.out"]

    def sublayer(self, layer: str, part: str, x: np.ndarray, causal: bool) -> np.ndarray:
        if part == "ffn":
            return self.ffn(f"{layer}.ffn", x)
        source = self.arrays["memory"] if part == "cross_attn" else x
        return self.attention(f"{layer}.{part}", x, source, causal and part == "self_attn")

    def stack(self, side: str, n_layers: int, x: np.ndarray) -> np.ndarray:
        pre, a = self.model.config.norm == "pre", self.arrays
        for layer in (f"{side}.{i}" for i in range(n_layers)):
            parts = [part for part in LAYER_NAMES[side] if "norm" not in part]
            for i, part in enumerate(parts, start=1):
                scope = f"{layer}.add_norm_{i}"
                if pre:
                    self.check(f"{scope}.norm", self.normed(x, f"{scope}.norm"))
                inside = a[f"{scope}.norm"] if pre else x
                out = self.sublayer(layer, part, inside, causal=side == "decoder")
                self.check(f"{scope}.add", x + out)
                if not pre:
                    self.check(f"{scope}.norm", self.normed(a[f"{scope}.add"], f"{scope}.norm"))
                x = a[f"{scope}.add" if pre else f"{scope}.norm"]
        if pre:
            self.check(f"{side}.norm", self.normed(x, f"{side}_norm"))
            x = a[f"{side}.norm"]
        return x


@pytest.mark.parametrize("norm", ["post", "pre"])
def test_every_stage_recomputes_from_the_others(norm: Norm) -> None:
    model, made = make(norm)
    check = Recompute(model, dict(made.arrays))
    for side, tokens, embed in (("src", made.src, "src_embed"), ("tgt", made.tgt, "src_embed")):
        rows = check.weights[f"{embed}.weight"][[token.id for token in tokens]]
        check.check(f"{side}.embed", rows * np.sqrt(model.config.d_model))
        check.check(f"{side}.pos", model.pos[: len(tokens)].numpy())
        check.check(f"{side}.sum", check.arrays[f"{side}.embed"] + check.arrays[f"{side}.pos"])
    memory = check.stack("encoder", model.config.n_encoder_layers, check.arrays["src.sum"])
    check.check("memory", memory)
    x = check.stack("decoder", model.config.n_decoder_layers, check.arrays["tgt.sum"])
    generator = check.weights["src_embed.weight"]  # tied
    check.check("logits", x @ generator.T + check.weights["generator.bias"])
    assert check.checked == set(made.arrays), "a stage was not checked"


@pytest.mark.parametrize("kind", KINDS)
def test_weights_are_distributions_over_the_keys(kind: Kind) -> None:
    _, made = make()
    for layer in range(made.n_layers(kind)):
        weights = made.weights(kind, layer)
        assert weights.shape == (2, len(made.queries(kind)), len(made.keys(kind)))
        np.testing.assert_allclose(weights.sum(-1), 1, atol=1e-6)
        assert (weights >= 0).all()
        assert np.array_equal(made.weights(kind, layer, head=1), weights[1])


def test_weights_in_training_are_recorded_before_dropout() -> None:
    model = tiny_model(dropout=0.5).train()
    recorder = Recorder()
    model(torch.tensor([[5, 6, 7]]), torch.tensor([[1, 5, 6]]), recorder)
    for name, array in recorder.arrays.items():
        if name.endswith(".weights"):
            np.testing.assert_allclose(array.sum(-1), 1, atol=1e-6)


def test_tokens_of_rows_and_columns() -> None:
    _, made = make()
    assert [token.text for token in made.src] == ["a", "b", "c", "d", "<eos>"]
    assert [token.text for token in made.tgt] == ["<bos>", "d", "c", "b"]
    assert (made.queries("cross"), made.keys("cross")) == (made.tgt, made.src)
    assert (made.queries("encoder"), made.keys("encoder")) == (made.src, made.src)
    assert (made.queries("decoder"), made.keys("decoder")) == (made.tgt, made.tgt)


def test_saved_and_loaded_it_is_the_same(tmp_path: Path) -> None:
    _, made = make()
    made.save(tmp_path / "one.safetensors")
    loaded = Capture.load(tmp_path / "one.safetensors")
    assert (loaded.config, loaded.src, loaded.tgt) == (made.config, made.src, made.tgt)
    assert loaded.arrays.keys() == made.arrays.keys()
    for name, array in made.arrays.items():
        assert np.array_equal(loaded.arrays[name], array), name


def test_it_cannot_be_written_to(tmp_path: Path) -> None:
    _, made = make()
    with pytest.raises(ValueError, match="read-only"):
        made.logits[0, 0] = 1
    with pytest.raises(AttributeError):
        made.src = ()  # type: ignore[misc]


@pytest.mark.parametrize(
    "content", [b"", b"no capture", b"\x80\x04K\x01.", b"\x02" + b"\0" * 7 + b"{}"]
)
def test_a_foreign_file_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "foreign.safetensors"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=r"is not a capture\.$"):
        Capture.load(path)
    with pytest.raises(ValueError, match=r"is not a capture\.$"):
        Capture.load(tmp_path / "missing.safetensors")


@pytest.mark.parametrize("broken", ["{", "[]", '{"vocab_size": -1}', "[[1]]"])
def test_damaged_metadata_is_refused(tmp_path: Path, broken: str) -> None:
    from safetensors.numpy import save_file

    path = tmp_path / "broken.safetensors"
    metadata = {"config": broken, "src": "[]", "tgt": "[]"}
    save_file({"logits": np.zeros(1)}, path, metadata=metadata)
    with pytest.raises(ValueError, match=r"is not a capture\.$"):
        Capture.load(path)


def test_what_is_not_there_is_said() -> None:
    _, made = make()
    with pytest.raises(ValueError, match="There is no head 2, only 0 to 1"):
        made.weights("cross", 0, head=2)
    with pytest.raises(ValueError, match="There is no head -1"):
        made.weights("cross", 0, head=-1)
    with pytest.raises(ValueError, match=r"holds no encoder\.7"):
        made.weights("encoder", 7)
    with pytest.raises(ValueError, match="There is no 'other' attention"):
        made.weights("other", 0)  # type: ignore[arg-type]


def test_threads_on_one_model_never_see_each_others_numbers() -> None:
    model, tokenizer = tiny_model(), letters_tokenizer()
    sentences = ["a b c d e", "l k j i h", "c c c c c", "a b"]
    jobs = [([*tokenizer.encode(s), EOS], [BOS, *tokenizer.encode(s)]) for s in sentences]
    alone = [capture(model, tokenizer, *job) for job in jobs]
    start = threading.Barrier(len(jobs))
    differing: list[str] = []

    def visit(i: int) -> None:
        start.wait()
        for _ in range(40):
            arrays = capture(model, tokenizer, *jobs[i]).arrays
            differing.extend(
                name
                for name, array in alone[i].arrays.items()
                if not np.array_equal(array, arrays[name])
            )

    threads = [threading.Thread(target=visit, args=(i,)) for i in range(len(jobs))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not differing


def test_nothing_is_kept_on_the_model() -> None:
    model, tokenizer = tiny_model(), letters_tokenizer()
    before = {name: sorted(vars(module)) for name, module in model.named_modules()}
    capture(model, tokenizer, [5, EOS], [BOS])
    after = {name: sorted(vars(module)) for name, module in model.named_modules()}
    assert before == after
    assert not any(module._forward_hooks for module in model.modules())


def test_add_norm_order() -> None:
    assert AddNorm(tiny_model(norm="pre").config).pre
    assert not AddNorm(tiny_model(norm="post").config).pre
