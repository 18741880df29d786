"""Masks: True where attention is allowed (section 3.2.3).

B batch, T query tokens, S key tokens; each mask broadcasts against scores (B, H, T, S).
"""

import torch
from torch import Tensor

Mask = Tensor | None  # None lets every query attend to every key


def padding_mask(tokens: Tensor, pad_id: int) -> Tensor:
    """Allow every key that is not padding: (B, S) -> (B, 1, 1, S)."""
    return (tokens != pad_id)[:, None, None, :]  # (B, 1, 1, S)


def causal_mask(length: int) -> Tensor:
    """Allow each position to attend to itself and to earlier ones: (1, 1, T, T)."""
    return torch.ones(length, length, dtype=torch.bool).tril()[None, None]  # (1, 1, T, T)


def target_mask(tokens: Tensor, pad_id: int) -> Tensor:
    """Allow each position and earlier ones, except padding: (B, T) -> (B, 1, T, T).

    The first token never counts as padding, because Marian models begin with <pad>.
    """
    real = padding_mask(tokens, pad_id)  # (B, 1, 1, T)
    first = torch.arange(tokens.shape[1], device=tokens.device) == 0
    return (real | first) & causal_mask(tokens.shape[1]).to(tokens.device)
