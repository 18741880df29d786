"""A copy of a model for inference: the same weights, multiplied and called as the CPU does it best.

Translating a sentence means reading 19 MB of weights for each token, and some 130 operations of a
few microseconds each. So the weights are kept in half precision, as in the checkpoints, multiplied
and summed in single precision, by the calls with the least overhead. (8-bit weights were another
fifth faster, but changed the translation of one everyday sentence in ten.)

A Transformer has passes of its own here, with as few calls as possible: the vectors of a step are
the rows of one matrix, the heads of all sentences are one batch of products, and the keys and
values of all layers lie in one buffer. No hook looks in; `tests/model/nn/test_packed.py` compares
them with the plain ones.

B sentences, T tokens (of the source, or one of each hypothesis), R = B · T rows, D = d_model,
H heads, G = B · H, S source tokens, n keys so far, L layers, V = size of the target vocabulary.
"""

from __future__ import annotations

import copy
import math
import warnings
from collections.abc import Callable
from functools import cached_property
from typing import Any, Final

import torch
from torch import Tensor, nn

from model.nn.attention import MultiHeadAttention
from model.nn.dropout import ByteDropout
from model.nn.hooks import NO_HOOK, Hook
from model.nn.layers import LEAST_ROOM, AddNorm, DecoderLayer, EncoderLayer, FeedForward
from model.nn.masks import Mask
from model.nn.transformer import Transformer
from model.nn.translator import Cache, Decodable, Translator

# A later torch than the pinned one warns; the replacement takes ten microseconds more per call.
warnings.filterwarnings("ignore", r"fbgemm_\w+ is deprecated")

# With fewer rows than this, using several threads costs more time than it saves.
MANY_ROWS: Final = 16
CALLED: Final = (nn.Embedding, ByteDropout)  # their forward suffices
NO_BIAS: Final = torch.zeros(1, 1, 1)
Rows = Callable[[Tensor], Tensor]  # maps each row of a matrix
KeysValues = tuple[Tensor, Tensor]  # of one layer: (G, d_k, n), (G, n, d_k)


def packed(model: Decodable) -> Decodable:
    """Return a packed copy of a model, or the model itself where torch lacks the kernels."""
    if not _has_kernels():
        return model
    if isinstance(model, Transformer):
        return PackedTransformer(model)
    return _packed_modules(model) if isinstance(model, Translator) else model


def _has_kernels() -> bool:
    return "fbgemm" in torch.backends.quantized.supported_engines


def packs_exactly(model: nn.Module) -> bool:
    """Return whether a model can be packed without rounding: its matrices have half precision."""
    if not _has_kernels():
        return False
    linears = [module for module in model.modules() if isinstance(module, nn.Linear)]
    return all(torch.equal(one.weight, one.weight.half().float()) for one in linears)


@torch.no_grad()
def _packed_modules(model: Translator) -> Translator:
    """Return a copy that runs the same code, and multiplies by packed matrices."""
    inference = copy.deepcopy(model).cpu().eval().requires_grad_(False)
    for module in list(inference.modules()):
        # A module looks up anything but its own attributes in three tables, which takes time.
        vars(module).update(module.named_parameters(recurse=False))
        for name, child in list(module.named_children()):
            if isinstance(child, nn.Linear):
                delattr(module, name)
                vars(module)[name] = PackedLinear.of(child)
            else:
                vars(module)[name] = child.forward if isinstance(child, CALLED) else child
    return inference


class PackedLinear:
    """x Wᵀ + b with weights packed once; both products give the same numbers."""

    def __init__(self, weight: Tensor, bias: Tensor) -> None:
        self.weight, self.bias = weight.detach().cpu().contiguous(), bias.detach().cpu()
        self.few = torch.fbgemm_pack_gemm_matrix_fp16(self.weight)

    @classmethod
    def of(cls, linear: nn.Linear) -> PackedLinear:
        """Pack a module's weights."""
        weight, bias = linear.weight, linear.bias
        return cls(weight, torch.zeros(len(weight)) if bias is None else bias)

    def __call__(self, x: Tensor) -> Tensor:
        if len(x) < MANY_ROWS or torch.get_num_threads() == 1:
            return torch.fbgemm_linear_fp16_weight(x, self.few, self.bias)
        return torch.ops.quantized.linear_dynamic_fp16(x, self.many)

    @cached_property
    def many(self) -> torch.ScriptObject:
        return torch.ops.quantized.linear_prepack_fp16(self.weight, self.bias)


class PackedTransformer:
    """Encodes and decodes with the packed parts of a model; nothing of a translation stays here."""

    def __init__(self, model: Transformer) -> None:
        self.config, self.training = model.config, False
        self.src_embed, self.tgt_embed, pos = (
            one.detach().cpu()
            for one in (model.src_embed.weight, model.tgt_embed.weight, model.pos)
        )
        self.pos = pos.split(1)  # (1, D) of each position
        self.generator = PackedLinear.of(model.generator)
        self.encoder = [PackedEncoderLayer(layer) for layer in model.encoder]
        self.decoder = [PackedDecoderLayer(layer) for layer in model.decoder]
        self.encoder_norm, self.decoder_norm = norm(model.encoder_norm), norm(model.decoder_norm)

    def encode(self, src: Tensor, src_mask: Mask, hook: Hook = NO_HOOK) -> Tensor:
        """Return the memory: (B, S) -> (B, S, D)."""
        assert hook is NO_HOOK, "a packed model is not looked into"
        B, S = src.shape
        self._check_length(S)
        x = torch.cat(self.pos[:S]).repeat(B, 1)  # (R, D)
        x = x.add_(self.src_embed[src.flatten()], alpha=self.config.embedding_scale)
        bias = bias_of(src_mask, self.config.n_heads)
        for layer in self.encoder:
            x = layer(x, B, bias)
        return self.encoder_norm(x).view(B, S, -1)

    def start_cache(self, memory: Tensor, src_mask: Mask) -> PackedCache:
        """Prepare to decode over a memory (B, S, D)."""
        rows = memory.flatten(0, 1)
        kv = torch.stack([layer.cross_attn.key_value(rows, len(memory)) for layer in self.decoder])
        return PackedCache(kv, bias_of(src_mask, self.config.n_heads), kv[..., :0, :])

    def decode_step(
        self, tokens: Tensor, cache: Cache, tgt_mask: Mask = None, hook: Hook = NO_HOOK
    ) -> Tensor:
        """Read the next token of W hypotheses, (B, W), and score what follows, (B, W, V)."""
        assert hook is NO_HOOK, "a packed model is not looked into"
        assert isinstance(cache, PackedCache), "a cache of this model's own"
        B, W = tokens.shape
        self._check_length(cache.position + 1)
        x = self.tgt_embed.index_select(0, tokens.flatten())  # (R, D)
        x = torch.add(self.pos[cache.position], x, alpha=self.config.embedding_scale)
        cache.make_room(W)
        bias = bias_of(tgt_mask, self.config.n_heads)
        for layer, past, memory in zip(self.decoder, cache.layers, cache.memory_kv, strict=True):
            x = layer(x, B, past, bias, memory, cache.src_bias)
        cache.position += 1
        return self.generator(self.decoder_norm(x)).view(B, W, -1)

    def _check_length(self, n: int) -> None:
        if n > len(self.pos):
            raise ValueError(f"{n} tokens are more than this model's {len(self.pos)}.")


class PackedAttention:
    """What self-attention and cross-attention have in common, on rows."""

    def __init__(self, attn: MultiHeadAttention) -> None:
        self.d_model, self.n_heads, self.d_k = attn.d_model, attn.n_heads, attn.d_k
        self.scale = 1 / math.sqrt(attn.d_k)
        self.w_o = PackedLinear.of(attn.w_o)

    def heads(self, x: Tensor, B: int) -> Tensor:
        """Cut rows into heads: (R, N · D) -> (N, B, H, T, d_k)."""
        R, width = x.shape
        N = width // self.d_model
        if R == 1:
            return x.view(N, 1, self.n_heads, 1, self.d_k)
        return x.view(B, -1, N, self.n_heads, self.d_k).permute(2, 0, 3, 1, 4)

    def attend(self, q: Tensor, B: int, kv: KeysValues, bias: Tensor) -> Tensor:
        """Attend with queries (G, T, d_k): (R, D)."""
        T = q.shape[1]
        scores = torch.baddbmm(bias, q, kv[0], alpha=self.scale)  # (G, T, n)
        context = torch.bmm(torch.softmax(scores, dim=-1), kv[1])  # (G, T, d_k)
        if T > 1:
            context = context.view(B, -1, T, self.d_k).transpose(1, 2)  # (B, T, H, d_k)
        return self.w_o(context.reshape(-1, self.d_model))


class PackedSelfAttention(PackedAttention):
    """Queries, keys and values are made in one product."""

    def __init__(self, attn: MultiHeadAttention) -> None:
        super().__init__(attn)
        self.w_qkv = PackedLinear.of(attn.w_qkv)

    def all(self, x: Tensor, B: int, bias: Tensor) -> Tensor:
        """Attend to all rows of the same sentence: (R, D) -> (R, D)."""
        q, k, v = self.heads(self.w_qkv(x), B)
        return self.attend(q.flatten(0, 1), B, keys_values(k, v), bias)

    def past(self, x: Tensor, B: int, past: PackedPast, bias: Tensor) -> Tensor:
        """Attend to the past after adding to it: (R, D) -> (R, D)."""
        qkv = self.heads(self.w_qkv(x), B)  # (3, B, H, W, d_k)
        return self.attend(qkv[0].flatten(0, 1), B, past.extend(qkv[1:]), bias)


class PackedCrossAttention(PackedAttention):
    """The keys and values of the memory are made once, the queries at each step."""

    def __init__(self, attn: MultiHeadAttention) -> None:
        super().__init__(attn)
        (q, kv), (q_bias, kv_bias) = (
            one.split((attn.d_model, 2 * attn.d_model))
            for one in (attn.w_qkv.weight, attn.w_qkv.bias)
        )
        self.w_q, self.w_kv = PackedLinear(q, q_bias), PackedLinear(kv, kv_bias)

    def key_value(self, memory: Tensor, B: int) -> Tensor:
        """Make the keys and values of the memory: (B · S, D) -> (2, B, H, S, d_k)."""
        return self.heads(self.w_kv(memory), B)

    def memory(self, x: Tensor, B: int, kv: KeysValues, bias: Tensor) -> Tensor:
        """Attend to the memory: (R, D) -> (R, D)."""
        q = self.w_q(x)
        if len(x) > B:  # of several hypotheses
            q = self.heads(q, B).flatten(0, 2)
        return self.attend(q.view(-1, len(x) // B, self.d_k), B, kv, bias)


class PackedFeedForward:
    """FFN(x) = f(x W₁ + b₁) W₂ + b₂ on rows."""

    def __init__(self, ffn: FeedForward) -> None:
        self.w_1, self.w_2 = PackedLinear.of(ffn.w_1), PackedLinear.of(ffn.w_2)
        self.activation = ffn.activation

    def __call__(self, x: Tensor) -> Tensor:
        return self.w_2(self.activation(self.w_1(x)))


class PackedAddNorm:
    """The residual connection and its normalisation, after it or before it, on rows."""

    def __init__(self, add_norm: AddNorm) -> None:
        self.pre, self.norm = add_norm.pre, norm(add_norm.norm)

    def __call__(self, x: Tensor, sublayer: Callable[..., Tensor], *more: Any) -> Tensor:
        if self.pre:
            return sublayer(self.norm(x), *more).add_(x)
        return self.norm(sublayer(x, *more).add_(x))


class PackedEncoderLayer:
    """Self-attention, then the feed-forward network, on rows."""

    def __init__(self, layer: EncoderLayer) -> None:
        self.self_attn = PackedSelfAttention(layer.self_attn)
        self.ffn = PackedFeedForward(layer.ffn)
        self.add_norm_1 = PackedAddNorm(layer.add_norm_1)
        self.add_norm_2 = PackedAddNorm(layer.add_norm_2)

    def __call__(self, x: Tensor, B: int, bias: Tensor) -> Tensor:
        x = self.add_norm_1(x, self.self_attn.all, B, bias)
        return self.add_norm_2(x, self.ffn)


class PackedDecoderLayer:
    """Attention to the past, attention to the memory, then the feed-forward network, on rows."""

    def __init__(self, layer: DecoderLayer) -> None:
        self.self_attn = PackedSelfAttention(layer.self_attn)
        self.cross_attn = PackedCrossAttention(layer.cross_attn)
        self.ffn = PackedFeedForward(layer.ffn)
        self.add_norm_1 = PackedAddNorm(layer.add_norm_1)
        self.add_norm_2 = PackedAddNorm(layer.add_norm_2)
        self.add_norm_3 = PackedAddNorm(layer.add_norm_3)

    def __call__(
        self,
        x: Tensor,
        B: int,
        past: PackedPast,
        bias: Tensor,
        memory: KeysValues,
        src_bias: Tensor,
    ) -> Tensor:
        x = self.add_norm_1(x, self.self_attn.past, B, past, bias)
        x = self.add_norm_2(x, self.cross_attn.memory, B, memory, src_bias)
        return self.add_norm_3(x, self.ffn)


class PackedPast:
    """The keys and values of one layer, (2, B, H, room, d_k), of which `length` are filled."""

    def __init__(self, kv: Tensor, length: int) -> None:
        self.kv, self.length = kv, length
        self.keys, self.values = keys_values(*kv)

    def extend(self, new: Tensor) -> KeysValues:
        """Add keys and values, (2, B, H, T, d_k); return all so far."""
        start, n = self.length, new.shape[3]
        self.kv.narrow(3, start, n).copy_(new)
        self.length = end = start + n
        return self.keys.narrow(2, 0, end), self.values.narrow(1, 0, end)


class PackedCache:
    """The keys and values of the memory and of all tokens so far, and where one may look.

    `memory` is (L, 2, B, H, S, d_k), and `past` the same with room for more than the `length` keys
    so far; `src_bias`, (1 or G, 1, S), is added to the scores.
    """

    def __init__(
        self, memory: Tensor, src_bias: Tensor, past: Tensor, length: int = 0, position: int = 0
    ) -> None:
        self.memory, self.src_bias, self.past = memory, src_bias, past
        self.length, self.position = length, position
        self.memory_kv = [keys_values(*kv) for kv in memory]
        self.layers = [PackedPast(kv, length) for kv in past]

    def make_room(self, n: int) -> None:
        """Make room for n more keys in every layer."""
        *shape, room, d_k = self.past.shape
        if self.length + n > room:
            longer = self.past.new_empty(*shape, max(2 * room, self.length + n, LEAST_ROOM), d_k)
            longer[..., :room, :] = self.past
            self.past, self.layers = longer, [PackedPast(kv, self.length) for kv in longer]
        self.length += n

    def select(self, rows: Tensor) -> PackedCache:
        """Return the cache of the given sentences of the batch, in their order."""
        memory, past = (kv.index_select(2, rows) for kv in (self.memory, self.past))
        bias = self.src_bias
        if len(bias) > 1:
            bias = bias.unflatten(0, (-1, memory.shape[3])).index_select(0, rows).flatten(0, 1)
        return PackedCache(memory, bias, past, self.length, self.position)

    def follow(self, rows: Tensor) -> None:
        """Do nothing: a mask selects each hypothesis's own past among the keys of all."""


def keys_values(k: Tensor, v: Tensor) -> KeysValues:
    """Put the heads of all sentences one after the other, and the keys in columns."""
    return k.flatten(0, 1).mT, v.flatten(0, 1)


def bias_of(mask: Mask, n_heads: int) -> Tensor:
    """Return what is added to the scores for a mask, (B, 1, …, n): 0 or -inf, (1 or G, …, n)."""
    if mask is None:
        return NO_BIAS
    bias = torch.zeros(mask.shape).masked_fill_(~mask, -math.inf)
    return bias[0] if len(mask) == 1 else bias.expand(-1, n_heads, -1, -1).flatten(0, 1)


def norm(layer: nn.LayerNorm | None) -> Rows:
    """Return a normalisation, or nothing where a model has none."""
    if layer is None:
        return lambda x: x
    shape, eps = layer.normalized_shape, layer.eps
    weight, bias = layer.weight.detach().cpu(), layer.bias.detach().cpu()
    return lambda x: torch.layer_norm(x, shape, weight, bias, eps)
