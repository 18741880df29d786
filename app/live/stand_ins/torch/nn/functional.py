"""Functions of tensors that modules are made of."""

import math
from typing import Any

import numpy as np
from absent import absent

import torch
from torch.autograd import remember
from torch.tensor import Tensor


def __getattr__(name: str) -> Any:
    return absent(f"torch.nn.functional.{name}")


def linear(x: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """Return x Wᵀ + b, in one product of two matrices, whatever the dimensions of x."""
    rows = x.reshape(-1, x.shape[-1])  # (…, in)
    product = (rows @ weight.transpose(0, 1)).reshape(*x.shape[:-1], len(weight))
    return product if bias is None else product + bias


def gelu(x: Tensor) -> Tensor:
    """Return x Φ(x), whose derivative is Φ(x) + x φ(x)."""
    array = np.asarray(x)
    below = (1 + np.vectorize(math.erf, otypes=[x.dtype])(array / math.sqrt(2))) / 2
    slope = below + array * np.exp(-array * array / 2) / math.sqrt(2 * math.pi)
    made: Tensor = remember((array * below).view(Tensor), (x,), (lambda g: g * slope,))
    return made


def silu(x: Tensor) -> Tensor:
    return x * torch.sigmoid(x)


def log_softmax(x: Tensor, dim: int) -> Tensor:
    return x.log_softmax(dim)


def nll_loss(log_p: Tensor, targets: Tensor, reduction: str = "mean") -> Tensor:
    """Return −log p of the targets, (N, V) and (N,), added up."""
    assert reduction == "sum", "losses are summed"
    return -log_p[torch.arange(len(targets)), targets].sum()


def logsigmoid(x: Tensor) -> Tensor:
    return -torch.log(1 + torch.exp(-x))
