"""One encoder layer and one decoder layer (section 3.1), with post- or pre-norm.

B batch, T target tokens, S source tokens, D = d_model.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from model.config import Activation, ModelConfig
from model.nn.attention import MultiHeadAttention
from model.nn.dropout import ByteDropout
from model.nn.hooks import NO_HOOK, Hook
from model.nn.masks import Mask

Sublayer = Callable[[Tensor], Tensor]
ACTIVATIONS: Mapping[Activation, Callable[[Tensor], Tensor]] = {
    "relu": torch.relu,
    "gelu": F.gelu,  # x Φ(x)
    "swish": F.silu,  # x σ(x)
}
LEAST_ROOM = 16  # tokens in a cache's buffer


class AddNorm(nn.Module):
    """The residual connection and its normalisation.

    post (the paper): norm(x + sublayer(x)); pre: x + sublayer(norm(x)).
    """

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.pre = config.norm == "pre"
        self.norm = nn.LayerNorm(config.d_model)
        self.dropout = ByteDropout(config.dropout)

    def forward(self, x: Tensor, sublayer: Sublayer, hook: Hook = NO_HOOK) -> Tensor:
        """(B, T, D) -> (B, T, D); `add` is the residual stream and `norm` its normalised form."""
        if self.pre:
            normed = hook("norm", self.norm(x))
            return hook("add", x + self.dropout(sublayer(normed)))
        added = hook("add", x + self.dropout(sublayer(x)))
        return hook("norm", self.norm(added))


class FeedForward(nn.Module):
    """FFN(x) = f(x W₁ + b₁) W₂ + b₂ (equation 2), where the paper's f is the ReLU, max(0, x)."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.w_1 = nn.Linear(config.d_model, config.d_ff)
        self.w_2 = nn.Linear(config.d_ff, config.d_model)
        self.activation = ACTIVATIONS[config.activation]
        for linear in (self.w_1, self.w_2):
            nn.init.xavier_uniform_(linear.weight)
            nn.init.zeros_(linear.bias)

    def forward(self, x: Tensor, hook: Hook = NO_HOOK) -> Tensor:
        """(B, T, D) -> (B, T, D), through `pre` and `hidden` of (B, T, d_ff)."""
        hidden = hook("hidden", self.activation(hook("pre", self.w_1(x))))
        return hook("out", self.w_2(hidden))


class EncoderLayer(nn.Module):
    """Self-attention, then the feed-forward network."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.self_attn = MultiHeadAttention(config.d_model, config.n_heads, config.dropout)
        self.ffn = FeedForward(config)
        self.add_norm_1, self.add_norm_2 = AddNorm(config), AddNorm(config)

    def forward(self, x: Tensor, src_mask: Mask, hook: Hook = NO_HOOK) -> Tensor:
        """(B, S, D) -> (B, S, D)."""
        attn = self.self_attn

        def self_attention(x: Tensor) -> Tensor:
            q, k, v = attn.self_qkv(x)
            return attn.attend(q, k, v, src_mask, hook.at("self_attn"))

        x = self.add_norm_1(x, self_attention, hook.at("add_norm_1"))
        return self.add_norm_2(x, lambda x: self.ffn(x, hook.at("ffn")), hook.at("add_norm_2"))


class DecoderLayer(nn.Module):
    """Masked self-attention, attention to the encoder's memory, then the feed-forward network."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.self_attn = MultiHeadAttention(config.d_model, config.n_heads, config.dropout)
        self.cross_attn = MultiHeadAttention(config.d_model, config.n_heads, config.dropout)
        self.ffn = FeedForward(config)
        self.add_norm_1, self.add_norm_2 = AddNorm(config), AddNorm(config)
        self.add_norm_3 = AddNorm(config)

    def forward(
        self,
        x: Tensor,
        memory_kv: Tensor,
        src_mask: Mask,
        tgt_mask: Mask,
        past: LayerCache | None = None,
        hook: Hook = NO_HOOK,
    ) -> Tensor:
        """(B, T, D) -> (B, T, D), given the keys and values of the memory, (2, B, H, S, d_k).

        With a `past`, x holds only the new tokens, whose keys and values are appended to the past.
        """
        self_attn, cross_attn = self.self_attn, self.cross_attn

        def self_attention(x: Tensor) -> Tensor:
            qkv = self_attn.self_qkv(x)  # (3, B, H, T, d_k)
            kv = qkv[1:] if past is None else past.extend(qkv[1:])  # (2, B, H, …, d_k)
            return self_attn.attend(qkv[0], kv[0], kv[1], tgt_mask, hook.at("self_attn"))

        def cross_attention(x: Tensor) -> Tensor:
            k, v = memory_kv[0], memory_kv[1]
            return cross_attn.attend(cross_attn.query(x), k, v, src_mask, hook.at("cross_attn"))

        x = self.add_norm_1(x, self_attention, hook.at("add_norm_1"))
        x = self.add_norm_2(x, cross_attention, hook.at("add_norm_2"))
        return self.add_norm_3(x, lambda x: self.ffn(x, hook.at("ffn")), hook.at("add_norm_3"))


class LayerCache:
    """The keys and values of the tokens written so far, in a buffer with room to grow.

    The buffer is (2, B, H, room, d_k); its first `length` tokens are filled.
    """

    def __init__(self, kv: Tensor, length: int = 0) -> None:
        self.kv, self.length = kv, length

    def extend(self, new: Tensor) -> Tensor:
        """Append keys and values (2, B, H, T, d_k); return all so far, (2, B, H, length, d_k)."""
        start, self.length = self.length, self.length + new.shape[3]
        if self.length > self.kv.shape[3]:
            full, room = self.kv, max(2 * start, self.length, LEAST_ROOM)
            self.kv = full.new_empty(*full.shape[:3], room, full.shape[4])
            self.kv[:, :, :, :start] = full[:, :, :, :start]
        self.kv.narrow(3, start, new.shape[3]).copy_(new)
        return self.kv.narrow(3, 0, self.length)

    def select(self, rows: Tensor) -> LayerCache:
        """Return the cache of the given rows of the batch, in their order."""
        return LayerCache(self.kv.index_select(1, rows), self.length)
