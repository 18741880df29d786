"""The six attentions equal what the papers write, computed here number by number or by torch."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch
from torch import nn

from model.history.attentions import HEADS, Inputs, Name, attentions

T, S, D = 2, 3, 4
MATRICES = ("w_a", "u_a", "w_q", "w_k", "w_v", "w_o")


def draw_inputs(**changes: np.ndarray) -> Inputs:
    draw = np.random.default_rng(0).normal
    drawn = {name: draw(size=(D, D)) for name in MATRICES}
    vectors = {"s": draw(size=(T, D)), "h": draw(size=(S, D)), "v_a": draw(size=D)}
    return Inputs(**{**drawn, **vectors, **changes})


@pytest.mark.parametrize("name", ["additive", "dot"])
def test_as_the_papers_write_it(name: Name) -> None:
    g = draw_inputs()
    scores = np.array([[s @ h for h in g.h] for s in g.s])
    if name == "additive":
        scores = np.array([[g.v_a @ np.tanh(s @ g.w_a + h @ g.u_a) for h in g.h] for s in g.s])
    weights = np.array([[math.exp(x) / sum(map(math.exp, row)) for x in row] for row in scores])
    made = attentions(g)[name]
    np.testing.assert_allclose(made.scores[0], scores, atol=1e-12)
    np.testing.assert_allclose(made.weights[0], weights, atol=1e-12)
    np.testing.assert_allclose(made.out, weights @ g.h, atol=1e-12)


@pytest.mark.parametrize("name", ["scaled", "self", "cross", "multi_head"])
def test_torch_says_the_same(name: Name) -> None:
    g = draw_inputs()
    one = np.eye(D)
    w_q, w_k, w_v = (one, one, one) if name == "scaled" else (g.w_q, g.w_k, g.w_v)
    n_heads = HEADS if name == "multi_head" else 1
    module = nn.MultiheadAttention(D, n_heads, bias=False).double()
    with torch.no_grad():
        module.in_proj_weight.copy_(torch.from_numpy(np.concatenate([w_q.T, w_k.T, w_v.T])))
        module.out_proj.weight.copy_(torch.from_numpy(g.w_o.T if n_heads > 1 else one))
        q, h = torch.from_numpy(g.h if name == "self" else g.s), torch.from_numpy(g.h)
        out, weights = module(q[:, None], h[:, None], h[:, None], average_attn_weights=False)
    made = attentions(g)[name]
    np.testing.assert_allclose(made.weights, weights[0].numpy(), atol=1e-12)
    np.testing.assert_allclose(made.out, out[:, 0].numpy(), atol=1e-12)
    assert len(made.weights) == n_heads


def test_cross_attention_with_nothing_learned_is_the_scaled_dot_product() -> None:
    one = np.eye(D)
    made = attentions(draw_inputs(w_q=one, w_k=one, w_v=one))
    np.testing.assert_allclose(made["cross"].out, made["scaled"].out, atol=1e-12)
    assert np.abs(made["cross"].weights - made["dot"].weights).max() > 0.01
