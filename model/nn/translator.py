"""The interface of every translator to training, decoding and capture, whatever its architecture.

B batch, W hypotheses, T target tokens, S source tokens, D = d_model, V = size of the target
vocabulary; the memory consists of M vectors of `d_memory` numbers.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Protocol, Self, TypeVar, cast

from torch import Tensor, nn

from model.config import ModelConfig
from model.nn.dropout import ByteDropout
from model.nn.hooks import NO_HOOK, Hook
from model.nn.masks import Mask, padding_mask, target_mask

Layer = TypeVar("Layer", bound=nn.Module)


class Cache(Protocol):
    """What decoding carries from step to step: a value, never a part of the model."""

    def select(self, rows: Tensor) -> Self:
        """Return the cache of the given sentences of the batch, in their order."""
        ...

    def follow(self, rows: Tensor) -> None:
        """Give each hypothesis the state of the one that it continues, `rows` (B, W)."""
        ...


class Decodable(Protocol):
    """What decoding asks of a model."""

    @property
    def config(self) -> ModelConfig: ...

    @property
    def training(self) -> bool: ...

    def encode(self, src: Tensor, src_mask: Mask, hook: Hook = NO_HOOK) -> Tensor:
        """Return the memory: (B, S) -> (B, M, d_memory)."""
        ...

    def start_cache(self, memory: Tensor, src_mask: Mask) -> Cache:
        """Prepare to decode over a memory (B, M, d_memory)."""
        ...

    def decode_step(
        self, tokens: Tensor, cache: Cache, tgt_mask: Mask = None, hook: Hook = NO_HOOK
    ) -> Tensor:
        """Read the next token of W hypotheses, (B, W), and score what follows, (B, W, V)."""
        ...


class Translator(nn.Module, ABC):
    """Embeddings, an encoder, a decoder and the generator."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.config = config
        self.src_embed = nn.Embedding(config.vocab_size, config.d_model)
        self.tgt_embed = self.src_embed
        if not config.share_embeddings:
            self.tgt_embed = nn.Embedding(config.n_tgt_vocab, config.d_model)
        self.generator = nn.Linear(config.d_model, config.n_tgt_vocab)
        nn.init.zeros_(self.generator.bias)
        for embed in (self.src_embed, self.tgt_embed):
            nn.init.normal_(embed.weight, std=config.d_model**-0.5)
        if config.tie_generator:
            self.generator.weight = self.tgt_embed.weight
        self.dropout = ByteDropout(config.dropout)

    def forward(
        self, src: Tensor, tgt: Tensor, hook: Hook = NO_HOOK, memory: Tensor | None = None
    ) -> Tensor:
        """Return the logits of every next token: (B, S), (B, T) -> (B, T, V).

        Nothing is encoded where the `memory` of the source is given.
        """
        src_mask = padding_mask(src, self.config.pad_id)
        if memory is None:
            memory = self.encode(src, src_mask, hook)
        tgt_mask = target_mask(tgt, self.config.pad_id)
        return self.logits(self.decode(tgt, memory, tgt_mask, src_mask, hook), hook)

    def lookup(self, embed: nn.Embedding, tokens: Tensor, hook: Hook) -> Tensor:
        """Return √d_model · embedding (section 3.4): (B, T) -> (B, T, D)."""
        return hook("embed", embed(tokens) * self.config.embedding_scale)  # (B, T, D)

    def logits(self, x: Tensor, hook: Hook = NO_HOOK) -> Tensor:
        """Score the whole vocabulary: (…, D) -> (…, V)."""
        return hook("logits", self.generator(x))

    @abstractmethod
    def encode(self, src: Tensor, src_mask: Mask, hook: Hook = NO_HOOK) -> Tensor:
        """Return the memory: (B, S) -> (B, M, d_memory)."""

    @abstractmethod
    def decode(
        self, tgt: Tensor, memory: Tensor, tgt_mask: Mask, src_mask: Mask, hook: Hook = NO_HOOK
    ) -> Tensor:
        """Return what the generator scores: (B, T), (B, M, d_memory) -> (B, T, D)."""

    @abstractmethod
    def start_cache(self, memory: Tensor, src_mask: Mask) -> Cache:
        """Prepare to decode over a memory (B, M, d_memory)."""

    @abstractmethod
    def decode_step(
        self, tokens: Tensor, cache: Cache, tgt_mask: Mask = None, hook: Hook = NO_HOOK
    ) -> Tensor:
        """Read the next token of W hypotheses, (B, W), and score what follows, (B, W, V)."""


def stack(layers: Iterable[Layer]) -> Sequence[Layer]:
    """Return layers as a ModuleList, whose items have a type."""
    return cast("Sequence[Layer]", nn.ModuleList(layers))


def n_parameters(model: nn.Module) -> int:
    """Count the trainable parameters; tied matrices count once."""
    return sum(p.numel() for p in model.parameters() if p.requires_grad)
