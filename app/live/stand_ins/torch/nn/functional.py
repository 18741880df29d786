"""Functions of tensors that modules are made of."""

import math
from typing import Any

import numpy as np
from absent import absent

import torch
from torch.tensor import Tensor


def __getattr__(name: str) -> Any:
    return absent(f"torch.nn.functional.{name}")


def linear(x: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """Return x Wᵀ + b."""
    product = x @ weight.transpose(0, 1)
    return product if bias is None else product + bias


def gelu(x: Tensor) -> Tensor:
    """Return x Φ(x)."""
    erf = np.vectorize(math.erf, otypes=[x.dtype])
    return x * (1 + erf(np.asarray(x) / math.sqrt(2)).view(Tensor)) / 2


def silu(x: Tensor) -> Tensor:
    """Return x σ(x)."""
    return x * torch.sigmoid(x)
