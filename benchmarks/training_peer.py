"""The plain PyTorch model that the training benchmark compares with.

B batch, S source tokens, T target tokens, V vocabulary.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pad_sequence

BOS, EOS, D = 1, 2, 256


class PlainTransformer(nn.Module):
    """`nn.Transformer` with tied embeddings and positions, as its tutorials build it."""

    def __init__(self, vocab_size: int) -> None:
        super().__init__()
        self.embed = nn.Embedding(vocab_size, D, padding_idx=0)
        self.transformer = nn.Transformer(D, 8, 3, 3, 1024, dropout=0.1, batch_first=True)
        self.generator = nn.Linear(D, vocab_size)
        self.generator.weight = self.embed.weight
        nn.init.normal_(self.embed.weight, std=D**-0.5)
        self.dropout = nn.Dropout(0.1)
        rate = torch.exp(torch.arange(0, D, 2) * (-math.log(10_000.0) / D))
        angle = torch.arange(128)[:, None] * rate
        self.register_buffer("pos", torch.stack((angle.sin(), angle.cos()), -1).view(128, D))

    def embedded(self, tokens: Tensor) -> Tensor:
        """Return the embedded tokens with their positions: (B, T) -> (B, T, D)."""
        return self.dropout(self.embed(tokens) * math.sqrt(D) + self.pos[: tokens.shape[1]])  # type: ignore[index]

    def forward(self, src: Tensor, tgt: Tensor) -> Tensor:
        """Return the logits of every next token: (B, S), (B, T) -> (B, T, V)."""
        future = torch.ones(tgt.shape[1], tgt.shape[1], dtype=torch.bool).triu(1)
        x = self.transformer(
            self.embedded(src),
            self.embedded(tgt),
            tgt_mask=future,
            tgt_is_causal=True,
            src_key_padding_mask=src == 0,
            tgt_key_padding_mask=tgt == 0,
            memory_key_padding_mask=src == 0,
        )
        logits: Tensor = self.generator(x)
        return logits


def pad_batch(pairs: Sequence[tuple[list[int], list[int]]]) -> tuple[Tensor, Tensor, Tensor]:
    """Return src (B, S), tgt_in (B, T) and tgt_out (B, T), padded with 0."""
    src = [torch.tensor([*source, EOS]) for source, _ in pairs]
    tgt_in = [torch.tensor([BOS, *target]) for _, target in pairs]
    tgt_out = [torch.tensor([*target, EOS]) for _, target in pairs]
    padded = (pad_sequence(rows, batch_first=True) for rows in (src, tgt_in, tgt_out))
    first, second, third = padded
    return first, second, third
