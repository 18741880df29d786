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
class Batch:
    """Sentences as one padded tensor of ids (B, S); `mask` (B, S) is True where one may look.

    `difference` is how far the encoder's output for row `shortest`, in this batch, is from its
    output for that sentence alone: the largest of all numbers, with the mask and without it.
    """

    ids: np.ndarray
    tokens: tuple[tuple[Token, ...], ...]
    mask: np.ndarray
    shortest: int
    difference: float
    difference_unmasked: float

    @cached_property
    def padding(self) -> int:
        """How many places are padding."""
        return int((~self.mask).sum())


@torch.inference_mode()
def encode_padded(model: Translator, tokenizer: Tokenizer, rows: Sequence[Sequence[int]]) -> Batch:
    """Encode sentences of ids together, and the shortest one alone as well."""
    ids = pad(rows)  # (B, S)
    mask = padding_mask(ids, model.config.pad_id)  # (B, 1, 1, S)
    shortest = min(range(len(rows)), key=lambda i: len(rows[i]))
    alone = model.encode(torch.tensor([rows[shortest]]), None)[0]

    def difference(src_mask: Mask) -> float:
        memory = model.encode(ids, src_mask)[shortest, : len(rows[shortest])]
        return float((memory - alone).abs().max())

    return Batch(
        ids=ids.numpy(),
        tokens=tuple(tokenizer.tokens(row) for row in ids.tolist()),
        mask=mask[:, 0, 0].numpy(),
        shortest=shortest,
        difference=difference(mask),
        difference_unmasked=difference(None),
    )
