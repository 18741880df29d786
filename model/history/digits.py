"""Handwritten digits of 8 × 8 pixels: scikit-learn's copy of a set by Alpaydin and Kaynak (1998).

N pictures.
"""

from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np
import torch
from torch import Tensor

SIDE: Final = 8
BLOCK: Final = 4  # pixels of a bitmap, across and down, that make one grey
CLASSES: Final = 10
LEARNED_FROM: Final = 1400
HELD_OUT: Final = 397


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
    """Return a bitmap (32, 32) of 0 and 1 as the set's pictures were made of theirs: (8, 8).

    Each grey is the share of white pixels in a block of 4 × 4.
    """
    return bitmap.reshape(SIDE, BLOCK, SIDE, BLOCK).mean(axis=(1, 3))


@cache
def digits() -> tuple[Digits, Digits]:
    """Return what is learned from, and what is held out; always the same ones."""
    from sklearn.datasets import load_digits  # most of a second, which a page without digits saves

    data = load_digits()
    order = np.random.default_rng(0).permutation(len(data.target))
    pictures = torch.tensor(data.images[order] / 16, dtype=torch.float32)[:, None]
    labels = torch.tensor(data.target[order])
    learn = Digits(pictures[HELD_OUT:], labels[HELD_OUT:])
    return learn, Digits(pictures[:HELD_OUT], labels[:HELD_OUT])
