"""The whole encoder-decoder Transformer (figure 1 of the paper).

B batch, T target tokens, S source tokens, D = d_model, V = size of the target vocabulary.
"""

from dataclasses import dataclass

from torch import Tensor, nn

from model.config import ModelConfig
from model.nn.hooks import NO_HOOK, Hook
from model.nn.layers import DecoderLayer, EncoderLayer, LayerCache
from model.nn.masks import Mask
from model.nn.positional import positional_encoding
from model.nn.translator import Cache, Translator, stack


@dataclass
class Keys:
    """What decoding carries from step to step: a value, never a part of the model.

    `memory_kv` are the keys and values of the memory for each layer, computed once; `position`
    is that of the next token.
    """

    layers: tuple[LayerCache, ...]
    memory_kv: tuple[Tensor, ...]
    src_mask: Mask
    position: int = 0

    def select(self, rows: Tensor) -> "Keys":
        """Return the cache of the given sentences of the batch, in their order."""
        layers = tuple(layer.select(rows) for layer in self.layers)
        memory_kv = tuple(kv.index_select(1, rows) for kv in self.memory_kv)
        src_mask = None if self.src_mask is None else self.src_mask.index_select(0, rows)
        return Keys(layers, memory_kv, src_mask, self.position)

    def follow(self, rows: Tensor) -> None:
        """Do nothing: a mask selects each hypothesis's own past among the keys of all."""


class Transformer(Translator):
    """Encoder, decoder, embeddings and generator; raises ValueError if a sentence is too long."""

    pos: Tensor

    def __init__(self, config: ModelConfig) -> None:
        super().__init__(config)
        self.encoder = stack(EncoderLayer(config) for _ in range(config.n_encoder_layers))
        self.decoder = stack(DecoderLayer(config) for _ in range(config.n_decoder_layers))
        pre = config.norm == "pre"
        self.encoder_norm = nn.LayerNorm(config.d_model) if pre else None
        self.decoder_norm = nn.LayerNorm(config.d_model) if pre else None
        pos = positional_encoding(config.max_len, config.d_model, config.positions)
        self.register_buffer("pos", pos, persistent=False)

    def embed(
        self, embed: nn.Embedding, tokens: Tensor, start: int, end: int, hook: Hook
    ) -> Tensor:
        """Return √d_model · embedding + position (section 3.4): (B, T) -> (B, T, D).

        The tokens are at the positions from `start` to `end`, or all at the same one.
        """
        if end > self.config.max_len:
            raise ValueError(f"{end} tokens are more than this model's {self.config.max_len}.")
        x = self.lookup(embed, tokens, hook)  # (B, T, D)
        p = hook("pos", self.pos[start:end].expand(x.shape))  # (B, T, D)
        return self.dropout(hook("sum", x + p))

    def encode(self, src: Tensor, src_mask: Mask, hook: Hook = NO_HOOK) -> Tensor:
        """Return the memory: (B, S) -> (B, S, D)."""
        x = self.embed(self.src_embed, src, 0, src.shape[1], hook.at("src"))
        for i, layer in enumerate(self.encoder):
            x = layer(x, src_mask, hook.at(f"encoder.{i}"))
        if self.encoder_norm is not None:
            x = hook("encoder.norm", self.encoder_norm(x))
        return hook("memory", x)

    def decode(
        self, tgt: Tensor, memory: Tensor, tgt_mask: Mask, src_mask: Mask, hook: Hook = NO_HOOK
    ) -> Tensor:
        """Return the decoder's last vectors: (B, T), (B, S, D) -> (B, T, D)."""
        x = self.embed(self.tgt_embed, tgt, 0, tgt.shape[1], hook.at("tgt"))
        for i, layer in enumerate(self.decoder):
            memory_kv = layer.cross_attn.key_value(memory)
            x = layer(x, memory_kv, src_mask, tgt_mask, None, hook.at(f"decoder.{i}"))
        return self.finish(x, hook)

    def finish(self, x: Tensor, hook: Hook) -> Tensor:
        """Apply the last normalisation, which only pre-norm has: (B, T, D) -> (B, T, D)."""
        if self.decoder_norm is None:
            return x
        return hook("decoder.norm", self.decoder_norm(x))

    def start_cache(self, memory: Tensor, src_mask: Mask) -> Keys:
        """Prepare to decode over a memory (B, S, D)."""
        memory_kv = tuple(layer.cross_attn.key_value(memory).contiguous() for layer in self.decoder)
        empty = tuple(LayerCache(kv[:, :, :, :0]) for kv in memory_kv)
        return Keys(empty, memory_kv, src_mask)

    def decode_step(
        self, tokens: Tensor, cache: Cache, tgt_mask: Mask = None, hook: Hook = NO_HOOK
    ) -> Tensor:
        """Read the next token of W hypotheses, (B, W), and score what follows, (B, W, V).

        Their keys and values are added to the cache. Each hypothesis of a sentence is one query
        over the n keys of all its hypotheses; `tgt_mask`, (B, 1, W, n), is True for the keys of a
        hypothesis's own past. So nothing has to be moved when a beam is reordered.
        """
        assert isinstance(cache, Keys), "a cache of this model's own"
        start = cache.position
        cache.position = start + 1
        x = self.embed(self.tgt_embed, tokens, start, start + 1, hook.at("tgt"))  # (B, W, D)
        for i, layer in enumerate(self.decoder):
            past, memory_kv = cache.layers[i], cache.memory_kv[i]
            x = layer(x, memory_kv, cache.src_mask, tgt_mask, past, hook.at(f"decoder.{i}"))
        return self.logits(self.finish(x, hook), hook)  # (B, W, V)
