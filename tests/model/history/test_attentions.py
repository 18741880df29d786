"""The six attentions equal what the papers write, computed here number by number or by torch."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch
from torch import nn

from model.history.attentions import HEADS, Attention, Inputs, Name, attentions

T, S, D = 2, 3, 4
MATRICES = ("w_a", "u_a", "w_q", "w_k", "w_v", "w_o")


def draw_inputs(**changes: np.ndarray) -> Inputs:
    draw = np.random.default_rng(0).normal
    drawn = {name: draw(size=(D, D)) for name in MATRICES}
    vectors = {"s": draw(size=(T, D)), "h": draw(size=(S, D)), "v_a": draw(size=D)}
    return Inputs(**{**drawn, **vectors, **changes})


def softmaxed(scores: list[list[float]]) -> np.ndarray:
    """e^x / Σ e^x of each row, as it is written."""
    return np.array([[math.exp(x) / sum(map(math.exp, row)) for x in row] for row in scores])


def holds(made: Attention, scores: list[list[float]], values: np.ndarray) -> None:
    weights = softmaxed(scores)
    np.testing.assert_allclose(made.scores[0], scores, atol=1e-12)
    np.testing.assert_allclose(made.weights[0], weights, atol=1e-12)
    np.testing.assert_allclose(made.out, weights @ values, atol=1e-12)


def test_additive() -> None:
    g = draw_inputs()
    scores = [[g.v_a @ np.tanh(s @ g.w_a + h @ g.u_a) for h in g.h] for s in g.s]
    holds(attentions(g)["additive"], scores, g.h)


@pytest.mark.parametrize(("name", "root"), [("dot", 1.0), ("scaled", 2.0)])
def test_dot_products(name: Name, root: float) -> None:
    g = draw_inputs()
    holds(attentions(g)[name], [[s @ h / root for h in g.h] for s in g.s], g.h)


@pytest.mark.parametrize("name", ["self", "cross"])
def test_one_head(name: Name) -> None:
    g = draw_inputs()
    looking = g.h if name == "self" else g.s
    scores = [[(x @ g.w_q) @ (h @ g.w_k) / 2 for h in g.h] for x in looking]
    holds(attentions(g)[name], scores, g.h @ g.w_v)


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
