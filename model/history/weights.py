"""Initial weights of a network, from a random generator of its own, so that a seed repeats them."""

import math
from typing import Literal

import torch
from torch import nn

Start = Literal["default", "he"]


@torch.no_grad()
def begin(network: nn.Module, seed: int, start: Start = "default") -> None:
    """Give the linear and convolution layers their first weights.

    "default" is PyTorch's: uniform within ±1/√fan-in. "he" has the variance 2/fan-in, and no bias
    (He and others 2015, Delving Deep into Rectifiers).
    """
    generator = torch.Generator().manual_seed(seed)
    for layer in network.modules():
        if not isinstance(layer, nn.Linear | nn.Conv2d):
            continue
        fan_in = layer.weight[0].numel()
        bound = 0.0 if start == "he" else 1 / math.sqrt(fan_in)
        if start == "he":
            layer.weight.normal_(0, math.sqrt(2 / fan_in), generator=generator)
        else:
            layer.weight.uniform_(-bound, bound, generator=generator)
        if layer.bias is not None:
            layer.bias.uniform_(-bound, bound, generator=generator)
