"""Multi-head attention (section 3.2), the only softmax(QKᵀ/√d_k)V in this repository.

B batch, H heads, T query tokens, S key tokens, D = d_model, d_k = D / H.
"""

import math

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from model.nn.dropout import ByteDropout
from model.nn.hooks import NO_HOOK, Hook
from model.nn.masks import Mask

STAGES = ("q", "k", "v", "scores", "scaled", "masked", "weights", "context", "concat", "out")
MAPS = ("scores", "scaled", "masked", "weights")  # (B, H, T, S), the others are (B, …, T, D)


class StackedLinear(nn.Linear):
    """Matrices stacked into one, so that one product computes them all, or only some rows."""

    def rows(self, x: Tensor, start: int, end: int) -> Tensor:
        """Multiply by the rows from `start` to `end`: (…, in) -> (…, end - start)."""
        return F.linear(x, self.weight[start:end], self.bias[start:end])


class MultiHeadAttention(nn.Module):
    """MultiHead(Q, K, V) = Concat(head₁ … head_H) W_O; W_Q, W_K and W_V are stacked in `w_qkv`."""

    def __init__(self, d_model: int, n_heads: int, dropout: float) -> None:
        super().__init__()
        self.d_model, self.n_heads, self.d_k = d_model, n_heads, d_model // n_heads
        self.w_qkv = StackedLinear(d_model, 3 * d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = ByteDropout(dropout)
        for linear in (self.w_qkv, self.w_o):
            nn.init.xavier_uniform_(linear.weight)
            nn.init.zeros_(linear.bias)

    def split_heads(self, x: Tensor) -> Tensor:
        """Cut the vectors into heads: (B, T, D) -> (B, H, T, d_k)."""
        return x.view(x.shape[0], -1, self.n_heads, self.d_k).transpose(1, 2)  # (B, H, T, d_k)

    def self_qkv(self, x: Tensor) -> Tensor:
        """Make queries, keys and values of one sentence in one product: (3, B, H, T, d_k)."""
        qkv = self.w_qkv(x).view(x.shape[0], -1, 3, self.n_heads, self.d_k)  # (B, T, 3, H, d_k)
        return qkv.permute(2, 0, 3, 1, 4)  # (3, B, H, T, d_k)

    def query(self, x: Tensor) -> Tensor:
        """Make the queries alone: (B, T, D) -> (B, H, T, d_k)."""
        return self.split_heads(self.w_qkv.rows(x, 0, self.d_model))

    def key_value(self, memory: Tensor) -> Tensor:
        """Make the keys and values of the memory: (B, S, D) -> (2, B, H, S, d_k)."""
        kv = self.w_qkv.rows(memory, self.d_model, 3 * self.d_model)  # (B, S, 2D)
        kv = kv.view(memory.shape[0], -1, 2, self.n_heads, self.d_k)  # (B, S, 2, H, d_k)
        return kv.permute(2, 0, 3, 1, 4)  # (2, B, H, S, d_k)

    def attend(self, q: Tensor, k: Tensor, v: Tensor, mask: Mask, hook: Hook = NO_HOOK) -> Tensor:
        """Attend with queries (B, H, T, d_k) to keys and values (B, H, S, d_k): (B, T, D).

        `mask` broadcasts to (B, H, T, S) and is True where attention is allowed; None allows all.
        """
        q, k, v = hook("q", q), hook("k", k), hook("v", v)
        scores = hook("scores", q @ k.transpose(-2, -1))  # (B, H, T, S)
        scaled = hook("scaled", scores / math.sqrt(self.d_k))  # (B, H, T, S)
        if mask is not None:
            scaled = torch.where(mask, scaled, -math.inf)  # (B, H, T, S)
        weights = hook("weights", torch.softmax(hook("masked", scaled), dim=-1))  # (B, H, T, S)
        context = hook("context", self.dropout(weights) @ v)  # (B, H, T, d_k)
        concat = context.transpose(1, 2).flatten(2)  # (B, T, D)
        return hook("out", self.w_o(hook("concat", concat)))  # (B, T, D)
