"""Sinusoidal positional encodings (section 3.5), in the three layouts found in practice."""

import math

import torch
from torch import Tensor

from model.config import HALVES, Positions


def positional_encoding(length: int, d_model: int, layout: Positions) -> Tensor:
    """Return the encoding p of positions 0 … length-1, (length, d_model).

    `interleaved`: sin and cos alternate, as in the paper. `half`: all sines, then all cosines,
    with Tensor2Tensor's frequencies, 1 … 1/10000 inclusive. `marian`: halves too, but with the
    paper's frequencies, as in Hugging Face's Marian. `none`: zeros.
    """
    if layout == "none":
        return torch.zeros(length, d_model)
    half = d_model // 2
    last = half - 1 if layout == "half" else half
    rate = torch.exp(torch.arange(half) * (-math.log(10_000.0) / max(last, 1)))  # (half,)
    angle = torch.arange(length)[:, None] * rate  # (length, half)
    pairs = torch.stack((angle.sin(), angle.cos()), dim=-1)  # (length, half, 2)
    if layout in HALVES:
        pairs = pairs.transpose(1, 2)  # (length, 2, half)
    return pairs.reshape(length, d_model)  # (length, d_model)
