"""Six kinds of attention on the same few vectors, computed by the translators' own modules.

T queries, S keys, D numbers a vector, H heads.
"""

import math
from dataclasses import dataclass
from functools import partial
from typing import Final, Literal

import numpy as np
import torch
from torch import Tensor, nn

from model.nn.attention import MultiHeadAttention
from model.nn.hooks import Intervention
from model.nn.rnnsearch import AdditiveAttention

Name = Literal["additive", "dot", "scaled", "self", "cross", "multi_head"]
HEADS: Final = 2


@dataclass(frozen=True, eq=False)
class Inputs:
    """The decoder's vectors s (T, D), the encoder's h (S, D), and all learned parameters.

    The matrices are (D, D), and each attention uses some of them; v_a is (D,).
    """

    s: np.ndarray
    h: np.ndarray
    w_a: np.ndarray
    u_a: np.ndarray
    v_a: np.ndarray
    w_q: np.ndarray
    w_k: np.ndarray
    w_v: np.ndarray
    w_o: np.ndarray


@dataclass(frozen=True, eq=False)
class AttentionOutput:
    """The softmax's input and output, both (H, T, S); `out` is (T, D)."""

    scores: np.ndarray
    weights: np.ndarray
    out: np.ndarray


@torch.no_grad()
def attentions(inputs: Inputs) -> dict[Name, AttentionOutput]:
    """Compute all six in float64; queries come from h in self-attention, otherwise from s."""
    s, h = torch.from_numpy(inputs.s)[None], torch.from_numpy(inputs.h)[None]  # (1, T or S, D)
    D = len(inputs.v_a)
    additive = AdditiveAttention(D, D, D).double()
    _set(additive.w_a, inputs.w_a)
    _set(additive.u_a, inputs.u_a)
    additive.v_a.copy_(torch.from_numpy(inputs.v_a))
    single, double = _projecting(inputs, 1), _projecting(inputs, HEADS)
    _set(double.w_o, inputs.w_o)
    q, k = s[:, None], h[:, None]  # (1, 1, T, D), (1, 1, S, D)
    return {
        "additive": _attend(additive, s, *additive.key_value(h)),
        # The module divides by √D; making the queries √D times as long cancels that.
        "dot": _attend(single, math.sqrt(s.shape[-1]) * q, k, k),
        "scaled": _attend(single, q, k, k),
        "self": _attend(single, *single.self_qkv(h)),
        "cross": _attend(single, single.query(s), *single.key_value(h)),
        "multi_head": _attend(double, double.query(s), *double.key_value(h)),
    }


def _projecting(inputs: Inputs, n_heads: int) -> MultiHeadAttention:
    """Build an attention with W_Q, W_K and W_V whose output projection is the identity."""
    D = len(inputs.w_o)
    module = MultiHeadAttention(D, n_heads, dropout=0.0).double()
    _set(module.w_qkv, np.concatenate([inputs.w_q, inputs.w_k, inputs.w_v], axis=1))
    _set(module.w_o, np.eye(D))
    return module


def _set(linear: nn.Linear, matrix: np.ndarray) -> None:
    """Set a linear layer's weights to a matrix (in, out) and its bias to zero."""
    linear.weight.copy_(torch.from_numpy(matrix.T))
    if linear.bias is not None:
        linear.bias.zero_()


def _attend(
    module: AdditiveAttention | MultiHeadAttention, q: Tensor, k: Tensor, v: Tensor
) -> AttentionOutput:
    kept: dict[str, Tensor] = {}
    stages = ("masked", "weights")
    hook = Intervention({stage: partial(kept.setdefault, stage) for stage in stages})
    out = module.attend(q, k, v, None, hook)
    scores, weights = (kept[stage][0].numpy() for stage in stages)  # (H, T, S)
    return AttentionOutput(scores, weights, out[0].numpy())
