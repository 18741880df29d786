"""Sentences of different lengths in one padded batch, and what the padding does to them.

B sentences, S source tokens.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import torch

from model.nn.masks import Mask, padding_mask
from model.nn.translator import Translator
from model.text.batches import pad
from model.text.tokenizer import Token, Tokenizer


@dataclass(frozen=True, eq=False)
class Padded:
    """Sentences as one padded tensor of ids (B, S); `mask` (B, S) is True where one may look."""

    ids: np.ndarray
    tokens: tuple[tuple[Token, ...], ...]
    mask: np.ndarray

    @cached_property
    def padding(self) -> int:
        """How many places are padding."""
        return int((~self.mask).sum())


@dataclass(frozen=True, eq=False)
class EncodedBatch(Padded):
    """A padded batch that the encoder has read.

    `difference` is how far its output for row `shortest`, in this batch, is from its output for
    that sentence alone: the largest of all numbers, with the mask and without it.
    """

    shortest: int
    difference: float
    difference_unmasked: float


def pad_rows(tokenizer: Tokenizer, rows: Sequence[Sequence[int]]) -> Padded:
    """Fill up sentences of ids to the length of the longest."""
    ids = pad(rows, tokenizer.pad_id)  # (B, S)
    tokens = tuple(tokenizer.tokens(row) for row in ids.tolist())
    return Padded(ids.numpy(), tokens, (ids != tokenizer.pad_id).numpy())


@torch.inference_mode()
def encode_padded(
    model: Translator, tokenizer: Tokenizer, rows: Sequence[Sequence[int]]
) -> EncodedBatch:
    """Encode sentences of ids together, and the shortest one alone as well."""
    block = pad_rows(tokenizer, rows)
    ids = torch.from_numpy(block.ids)  # (B, S)
    shortest = min(range(len(rows)), key=lambda i: len(rows[i]))
    alone = model.encode(torch.tensor([rows[shortest]]), None)[0]

    def difference(src_mask: Mask) -> float:
        memory = model.encode(ids, src_mask)[shortest, : len(rows[shortest])]
        return float((memory - alone).abs().max())

    masked, unmasked = difference(padding_mask(ids, model.config.pad_id)), difference(None)
    return EncodedBatch(block.ids, block.tokens, block.mask, shortest, masked, unmasked)
