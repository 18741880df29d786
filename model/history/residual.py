"""Residual learning (He, Zhang, Ren and Sun 2015): a block adds to its input.

B pictures of C channels, H × W pixels.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
import torch
from torch import Tensor, nn

from model.history.batch_norm import BatchNorm
from model.history.digits import begin, digits
from model.nn.hooks import NO_HOOK, Hook, Recorder

EXPANSION: Final = 4
CHANNELS: Final = 8  # of the block that digits are sent through
PICTURES: Final = 16


class Bottleneck(nn.Module):
    """Convolutions to fewer channels, 3 × 3, to more, and a shortcut past all three (figure 5)."""

    def __init__(self, c_in: int, width: int, stride: int = 1, shortcut: bool = True) -> None:
        super().__init__()
        c_out = EXPANSION * width
        self.reduce = nn.Conv2d(c_in, width, 1, bias=False)
        self.norm1 = BatchNorm(width)
        self.look = nn.Conv2d(width, width, 3, stride, padding=1, bias=False)
        self.norm2 = BatchNorm(width)
        self.expand = nn.Conv2d(width, c_out, 1, bias=False)
        self.norm3 = BatchNorm(c_out)
        self.has_shortcut = shortcut
        self.project: nn.Module = nn.Identity()
        if shortcut and (stride > 1 or c_in != c_out):
            widen = nn.Conv2d(c_in, c_out, 1, stride, bias=False)
            self.project = nn.Sequential(widen, BatchNorm(c_out))

    def forward(self, x: Tensor, hook: Hook = NO_HOOK) -> Tensor:
        """Return ReLU(F(x) + x), or ReLU(F(x)) without a shortcut: (B, 4 · width, H, W)."""
        f = torch.relu(self.norm1(self.reduce(x)))  # (B, width, H, W)
        f = torch.relu(self.norm2(self.look(f)))  # (B, width, H / stride, W / stride)
        f = hook("f", self.norm3(self.expand(f)))  # (B, 4 · width, H / stride, W / stride)
        if self.has_shortcut:
            f = hook("sum", f + self.project(x))
        return hook("out", torch.relu(f))


@dataclass(frozen=True, eq=False)
class BlockPass:
    """A block applied to a batch: its input (B, C, H, W), F(x), their sum, and its output.

    Without a shortcut there is no sum. `weights` are the block's parameters by name.
    """

    x: np.ndarray
    f: np.ndarray
    sum: np.ndarray | None
    out: np.ndarray
    weights: dict[str, np.ndarray]


def send_digits(gamma: float, shortcut: bool) -> BlockPass:
    """Send digits through one convolution and then through an untrained block of 8 channels.

    `gamma` is the last normalisation's γ, in all channels: how strongly the branch counts.
    """
    _, held_out = digits()
    first = nn.Sequential(nn.Conv2d(1, CHANNELS, 3, 2, 1, bias=False), BatchNorm(CHANNELS))
    block = Bottleneck(CHANNELS, CHANNELS // EXPANSION, shortcut=shortcut)
    begin(nn.ModuleList([first, block]), 0)
    recorder = Recorder()
    with torch.no_grad():
        block.norm3.gamma.fill_(gamma)
        x = first(held_out.pictures[:PICTURES]).relu()  # (B, 8, 4, 4)
        block(x, recorder)
    weights = {name: one.detach().double().numpy() for name, one in block.named_parameters()}
    arrays = recorder.arrays
    return BlockPass(x.numpy(), arrays["f"], arrays.get("sum"), arrays["out"], weights)
