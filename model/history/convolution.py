"""A convolution stepping over a picture, with every product of a window in sight.

H rows, W columns of the picture; k rows and columns of the kernel; P rows, Q columns of the output.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np


def _kernel(*rows: tuple[float, ...]) -> np.ndarray:
    kernel = np.array(rows, float)
    kernel.setflags(write=False)
    return kernel


# Sobel and Feldman (1968): the slope of the brightness, and a little smoothing across it. Each is
# named after the edges it responds to; a rising edge runs from the bottom left to the top right.
KERNELS: Final[Mapping[str, np.ndarray]] = {
    "horizontal": _kernel((1, 2, 1), (0, 0, 0), (-1, -2, -1)),
    "vertical": _kernel((1, 0, -1), (2, 0, -2), (1, 0, -1)),
    "rising": _kernel((2, 1, 0), (1, 0, -1), (0, -1, -2)),
    "falling": _kernel((0, 1, 2), (-1, 0, 1), (-2, -1, 0)),
    "identity": _kernel((0, 0, 0), (0, 1, 0), (0, 0, 0)),
    "blur": _kernel(*[(1 / 9, 1 / 9, 1 / 9)] * 3),
}


@dataclass(frozen=True, eq=False)
class Window:
    """What one number of the output is computed from: `values` and `kernel`, both (k, k).

    `top` and `left` are the window's first row and column in the picture with its padding.
    """

    top: int
    left: int
    values: np.ndarray
    kernel: np.ndarray

    @property
    def sum(self) -> float:
        return float((self.values * self.kernel).sum())


@dataclass(frozen=True, eq=False)
class Stepping:
    """A kernel (k, k) that steps over a picture (H, W), `stride` pixels at a time.

    `padding` lines of zeros surround the picture.
    """

    picture: np.ndarray
    kernel: np.ndarray
    stride: int = 1
    padding: int = 0

    @property
    def padded(self) -> np.ndarray:
        return np.pad(self.picture, self.padding)

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns of the output, (P, Q)."""
        sides, k = self.picture.shape, len(self.kernel)
        rows, columns = (output_size(side, k, self.stride, self.padding) for side in sides)
        return rows, columns

    def window(self, row: int, column: int) -> Window:
        """Return the window of one number of the output."""
        top, left, k = row * self.stride, column * self.stride, len(self.kernel)
        values = self.padded[top : top + k, left : left + k]
        return Window(top, left, values, self.kernel)

    def output(self) -> np.ndarray:
        """Return the sum of products of every window, (P, Q)."""
        return filtered(self.padded, self.kernel, self.stride)


def filtered(picture: np.ndarray, kernel: np.ndarray, stride: int = 1) -> np.ndarray:
    """Return the sums of products of a kernel (k, k) at every place of a picture (H, W): (P, Q)."""
    k = len(kernel)
    rows, columns = (output_size(side, k, stride, 0) for side in picture.shape)
    output = np.zeros((rows, columns))
    for row in range(rows):
        for column in range(columns):
            top, left = row * stride, column * stride
            window = picture[top : top + k, left : left + k]
            output[row, column] = np.sum(window * kernel)
    return output


def output_size(size: int, kernel: int, stride: int, padding: int) -> int:
    """Return how many positions a kernel has along one side, which is at least as long as it."""
    return (size + 2 * padding - kernel) // stride + 1
