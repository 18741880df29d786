"""1,797 handwritten digits of 8 × 8 pixels, each by one of 13 people, and networks' first weights.

digits.csv.gz is the test set of "Optical Recognition of Handwritten Digits" by E. Alpaydin and
C. Kaynak (UCI Machine Learning Repository, 1998, CC BY 4.0): on each line, 64 greys from 0 to
16 and then the digit. N pictures.
"""

import math
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final, Literal

import numpy as np
import torch
from torch import Tensor, nn

SIDE: Final = 8
BLOCK: Final = 4  # pixels of a bitmap, across and down, that make one grey
CLASSES: Final = 10
LEARNED_FROM: Final = 1400
HELD_OUT: Final = 397
Start = Literal["default", "he"]


@dataclass(frozen=True, eq=False)
class Digits:
    """Pictures (N, 1, 8, 8) from 0 to 1, and the digit that each one shows, (N,)."""

    pictures: Tensor
    labels: Tensor

    def __len__(self) -> int:
        return len(self.labels)

    def centred(self) -> Tensor:
        """Return each picture as 64 numbers around 0, (N, 64)."""
        return self.pictures.flatten(1) - 0.3


def greys_of(bitmap: np.ndarray) -> np.ndarray:
    """Reduce a bitmap (32, 32) of 0 and 1 to greys (8, 8), as the data set's pictures were.

    Each grey is the share of white pixels in a block of 4 × 4.
    """
    return bitmap.reshape(SIDE, BLOCK, SIDE, BLOCK).mean(axis=(1, 3))


@cache
def digits() -> tuple[Digits, Digits]:
    """Return the digits to learn from and those held out; the split is always the same."""
    rows = np.loadtxt(Path(__file__).with_name("digits.csv.gz"), delimiter=",", dtype=np.int64)
    rows = np.random.default_rng(0).permutation(rows)  # (1797, 65)
    pictures = torch.tensor(rows[:, :-1] / 16, dtype=torch.float32).reshape(-1, 1, SIDE, SIDE)
    labels = torch.tensor(rows[:, -1])
    learn = Digits(pictures[HELD_OUT:], labels[HELD_OUT:])
    return learn, Digits(pictures[:HELD_OUT], labels[:HELD_OUT])


@torch.no_grad()
def begin(network: nn.Module, seed: int, start: Start = "default") -> None:
    """Give linear and convolution layers their first weights, which the seed repeats.

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
