"""Every captured stage follows from the others: the whole model again, in NumPy."""

from __future__ import annotations

import numpy as np
import pytest

from model.config import Norm
from model.nn.transformer import Transformer
from tests.model.samples import LAYER_NAMES, tiny_capture


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
    model, made = tiny_capture(norm)
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
