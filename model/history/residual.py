"""Residual learning (He, Zhang, Ren and Sun 2015): a block adds to what comes in.

B pictures of C channels, H × W pixels.
"""

from typing import Final

import torch
from torch import Tensor, nn

from model.history.batch_norm import BatchNorm
from model.nn.hooks import NO_HOOK, Hook

EXPANSION: Final = 4


class Bottleneck(nn.Module):
    """Fewer channels, look around, more channels; the shortcut goes past all three (figure 5).

    The shortcut is what comes in, or a 1 × 1 convolution of it where the shape changes.
    """

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
        self.project = _projection(c_in, c_out, stride) if shortcut else nn.Identity()

    def forward(self, x: Tensor, hook: Hook = NO_HOOK) -> Tensor:
        """Return ReLU(F(x) + x), or ReLU(F(x)) without a shortcut: (B, 4 · width, H, W)."""
        f = torch.relu(self.norm1(self.reduce(x)))  # (B, width, H, W)
        f = torch.relu(self.norm2(self.look(f)))  # (B, width, H / stride, W / stride)
        f = hook("f", self.norm3(self.expand(f)))  # (B, 4 · width, H / stride, W / stride)
        if self.has_shortcut:
            f = hook("sum", f + self.project(x))
        return hook("out", torch.relu(f))


def _projection(c_in: int, c_out: int, stride: int) -> nn.Module:
    if stride == 1 and c_in == c_out:
        return nn.Identity()
    return nn.Sequential(nn.Conv2d(c_in, c_out, 1, stride, bias=False), BatchNorm(c_out))
