"""Six kinds of attention on the same few vectors, by the modules that the translators are made of.

T queries, S keys, D numbers a vector, H heads.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final, Literal

import numpy as np
import torch
from torch import Tensor, nn

from model.nn.alignment import AdditiveAttention
from model.nn.attention import MultiHeadAttention
from model.nn.hooks import Hook, Intervention

Name = Literal["additive", "dot", "scaled", "self", "cross", "multi_head"]
HEADS: Final = 2


@dataclass(frozen=True, eq=False)
class Inputs:
    """The decoder's vectors s (T, D), the encoder's h (S, D), and all that is learned.

    The matrices are (D, D), of which an attention uses its own; v_a is (D,).
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
class Attention:
    """What goes into the softmax and what comes out, (H, T, S) both; `out` is (T, D)."""

    scores: np.ndarray
    weights: np.ndarray
    out: np.ndarray


def attentions(inputs: Inputs) -> dict[Name, Attention]:
    """Compute all six in float64; in self-attention the queries are made of h, else of s."""
    return {name: attend(inputs) for name, attend in _ATTENTIONS.items()}


def _additive(inputs: Inputs) -> Attention:
    s, h = _batch(inputs.s), _batch(inputs.h)
    D = s.shape[-1]
    module = AdditiveAttention(D, D, D).double()
    _set(module.w_a, inputs.w_a)
    _set(module.u_a, inputs.u_a)
    with torch.no_grad():
        module.v_a.copy_(torch.from_numpy(inputs.v_a))
    k, v = module.key_value(h)
    return _recorded(lambda hook: module.attend(s, k, v, None, hook))


def _plain(inputs: Inputs, factor: float) -> Attention:
    """Multiply s and h as they are; the queries are multiplied before."""
    s, h = _batch(inputs.s), _batch(inputs.h)
    module = MultiHeadAttention(s.shape[-1], 1, dropout=0.0).double()
    _set(module.w_o, np.eye(s.shape[-1]))
    q, k = factor * s[:, None], h[:, None]  # (1, 1, T, D), (1, 1, S, D)
    return _recorded(lambda hook: module.attend(q, k, k, None, hook))


def _self(inputs: Inputs) -> Attention:
    module, h = _projecting(inputs, 1), _batch(inputs.h)
    q, k, v = module.self_qkv(h)
    return _recorded(lambda hook: module.attend(q, k, v, None, hook))


def _multi_head(inputs: Inputs) -> Attention:
    module = _projecting(inputs, HEADS)
    _set(module.w_o, inputs.w_o)
    return _over(module, inputs)


def _over(module: MultiHeadAttention, inputs: Inputs) -> Attention:
    q, (k, v) = module.query(_batch(inputs.s)), module.key_value(_batch(inputs.h))
    return _recorded(lambda hook: module.attend(q, k, v, None, hook))


_ATTENTIONS: Final[Mapping[Name, Callable[[Inputs], Attention]]] = {
    "additive": _additive,
    # The module divides by √D: with queries √D times as long, nothing is divided.
    "dot": lambda inputs: _plain(inputs, math.sqrt(inputs.s.shape[-1])),
    "scaled": lambda inputs: _plain(inputs, 1.0),
    "self": _self,
    "cross": lambda inputs: _over(_projecting(inputs, 1), inputs),
    "multi_head": _multi_head,
}


def _projecting(inputs: Inputs, n_heads: int) -> MultiHeadAttention:
    """Build an attention with W_Q, W_K and W_V, which leaves its output as it is."""
    D = inputs.s.shape[-1]
    module = MultiHeadAttention(D, n_heads, dropout=0.0).double()
    _set(module.w_qkv, np.concatenate([inputs.w_q, inputs.w_k, inputs.w_v], axis=1))
    _set(module.w_o, np.eye(D))
    return module


def _set(linear: nn.Linear, matrix: np.ndarray) -> None:
    """Make a module multiply with a matrix (in, out), and add nothing."""
    with torch.no_grad():
        linear.weight.copy_(torch.from_numpy(matrix.T))
        if linear.bias is not None:
            linear.bias.zero_()


@torch.inference_mode()
def _recorded(attend: Callable[[Hook], Tensor]) -> Attention:
    """Run an attention and keep its scores and weights."""
    kept: dict[str, np.ndarray] = {}

    def keep(stage: str, tensor: Tensor) -> Tensor:
        kept[stage] = tensor[0].numpy()  # (H, T, S)
        return tensor

    out = attend(Intervention({stage: partial(keep, stage) for stage in ("masked", "weights")}))
    return Attention(kept["masked"], kept["weights"], out[0].numpy())


def _batch(vectors: np.ndarray) -> Tensor:
    """Make a batch of one: (T, D) -> (1, T, D)."""
    return torch.from_numpy(np.asarray(vectors, dtype=np.float64))[None]
