"""Every captured number of the recurrent translators again, in NumPy, from the weights alone."""

from __future__ import annotations

import numpy as np
import pytest

from model.config import Arch, CellName, ModelConfig
from tests.model.nn.samples import CELLS, RECURRENT, tiny_capture


class Again:
    """A recurrent translator in float64, step by step, from its parameters and token ids."""

    def __init__(self, weights: dict[str, np.ndarray], config: ModelConfig) -> None:
        self.weights, self.d_model, self.d_hidden = weights, config.d_model, config.d_hidden
        self.gated = config.cell == "gru"
        self.made: dict[str, np.ndarray] = {}

    def linear(self, x: np.ndarray, name: str) -> np.ndarray:
        bias = self.weights.get(f"{name}.bias", np.zeros(1))
        return x @ self.weights[f"{name}.weight"].T + bias

    def cell(
        self, name: str, wx: np.ndarray, h: np.ndarray, context: np.ndarray | None = None
    ) -> tuple[np.ndarray, ...]:
        w = wx if context is None else wx + self.linear(context, "decoder.0.w_context")
        if not self.gated:
            return (np.tanh(w + self.linear(h, f"{name}.u")),)
        w_r, w_z, w_n = np.split(w, 3)
        u_r, u_z, u_n = np.split(self.linear(h, f"{name}.u"), 3)
        r, z = 1 / (1 + np.exp(-w_r - u_r)), 1 / (1 + np.exp(-w_z - u_z))
        n = np.tanh(w_n + r * u_n)
        return r, z, n, (1 - z) * n + z * h

    def keep(self, scope: str, state: str, steps: list[tuple[np.ndarray, ...]]) -> None:
        names = ("reset", "update", "candidate", state) if self.gated else (state,)
        for name, rows in zip(names, zip(*steps, strict=True), strict=True):
            self.made[f"{scope}.{name}"] = np.stack(rows)

    def read(self, x: np.ndarray, gru: str, scope: str, backwards: bool = False) -> np.ndarray:
        h, steps = np.zeros(self.d_hidden), []
        for row in self.linear(x, f"{gru}.w")[:: -1 if backwards else 1]:
            steps.append(self.cell(gru, row, h))
            h = steps[-1][-1]
        self.keep(scope, "hidden", steps[:: -1 if backwards else 1])
        return self.made[f"{scope}.hidden"]

    def embed(self, ids: list[int], side: str) -> np.ndarray:
        x = self.weights["src_embed.weight"][ids] * np.sqrt(self.d_model)
        self.made[f"{side}.embed"] = x
        return x

    def finish(self, every: np.ndarray) -> None:
        readout = np.tanh(self.linear(every, "decoder.0.readout"))
        self.made["decoder.0.readout"] = readout
        logits = readout @ self.weights["src_embed.weight"].T + self.weights["generator.bias"]
        self.made["logits"] = logits

    def rnn(self, src: list[int], tgt: list[int]) -> None:
        x = self.embed(src, "src")
        h = self.read(x, "encoder.0.gru", "encoder.0.forward")[-1]
        self.made["memory"] = h[None]
        steps = []
        for row in self.linear(self.embed(tgt, "tgt"), "decoder.0.gru.w"):
            steps.append(self.cell("decoder.0.gru", row, h))
            h = steps[-1][-1]
        self.keep("decoder.0", "state", steps)
        self.finish(self.made["decoder.0.state"])

    def rnnsearch(self, src: list[int], tgt: list[int]) -> None:
        x = self.embed(src, "src")
        ahead = self.read(x, "encoder.0.gru_forward", "encoder.0.forward")
        back = self.read(x, "encoder.0.gru_backward", "encoder.0.backward", backwards=True)
        memory = self.made["memory"] = np.concatenate([ahead, back], axis=-1)
        scope = "decoder.0.cross_attn"
        k = self.linear(memory, f"{scope}.u_a")
        s = np.tanh(self.linear(back[0], "decoder.0.begin"))
        self.made["decoder.0.begin"] = s[None]
        y = self.embed(tgt, "tgt")
        steps, looks = [], []
        for row in self.linear(y, "decoder.0.gru.w"):
            q = self.linear(s, f"{scope}.w_a")
            scores = np.tanh(q + k) @ self.weights[f"{scope}.v_a"]
            weights = np.exp(scores) / np.exp(scores).sum()
            context = weights @ memory
            looks.append((q, scores, scores, weights, context))
            steps.append(self.cell("decoder.0.gru", row, s, context))
            s = steps[-1][-1]
        self.keep("decoder.0", "state", steps)
        names = ("q", "scores", "masked", "weights", "context")
        for name, rows in zip(names, zip(*looks, strict=True), strict=True):
            self.made[f"{scope}.{name}"] = np.stack(rows)[None]
        self.made[f"{scope}.k"], self.made[f"{scope}.v"] = k[None], memory[None]
        contexts = self.made[f"{scope}.context"][0]
        self.finish(np.concatenate([self.made["decoder.0.state"], contexts, y], axis=-1))


@pytest.mark.parametrize("arch", RECURRENT)
@pytest.mark.parametrize("cell", CELLS)
@pytest.mark.parametrize("seed", range(3))
def test_every_number_follows_from_weights_and_tokens(
    arch: Arch, cell: CellName, seed: int
) -> None:
    model, captured = tiny_capture(arch, seed=seed, cell=cell)
    weights = {n: p.detach().double().numpy() for n, p in model.named_parameters()}
    again = Again(weights, model.config)
    src, tgt = ([token.id for token in side] for side in (captured.src, captured.tgt))
    getattr(again, arch)(src, tgt)
    assert again.made.keys() == captured.arrays.keys()
    for name, array in captured.arrays.items():
        np.testing.assert_allclose(array, again.made[name], rtol=0, atol=2e-5, err_msg=name)


def test_the_state_before_is_what_asks() -> None:
    """Bahdanau's order: the first query is made of the first state, before any token is read."""
    model, captured = tiny_capture("rnnsearch")
    weights = {n: p.detach().double().numpy() for n, p in model.named_parameters()}
    scope = "decoder.0.cross_attn"
    before = np.concatenate(
        [captured.arrays["decoder.0.begin"], captured.arrays["decoder.0.state"][:-1]]
    )
    expected = before @ weights[f"{scope}.w_a.weight"].T + weights[f"{scope}.w_a.bias"]
    np.testing.assert_allclose(captured.arrays[f"{scope}.q"][0], expected, atol=1e-5)
