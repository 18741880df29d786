"""Convolutions, the network that reads digits and AlexNet, by SciPy and NumPy in float64."""

from functools import partial
from typing import Final

import numpy as np

from model.history.cnn import Weights
from model.history.convolution import Stepping

# Kernel side, channels in and channels out of AlexNet's layers with weights (Krizhevsky 2014);
# a linear layer counts as a kernel of side 1.
ALEXNET: Final = (
    (11, 3, 64), (5, 64, 192), (3, 192, 384), (3, 384, 256), (3, 256, 256),
    (1, 6 * 6 * 256, 4096), (1, 4096, 4096), (1, 4096, 1000),
)  # fmt: skip


def output_again(stepping: Stepping) -> np.ndarray:
    """Recompute the output with SciPy, which steps by one pixel and does its own padding."""
    from scipy.ndimage import convolve, correlate  # takes a quarter of a second, so not at the top

    filtered = convolve if stepping.flipped else correlate
    near = len(stepping.kernel) // 2
    full = filtered(np.pad(stepping.picture, stepping.padding), stepping.kernel, mode="constant")
    return full[near:-near, near:-near][:: stepping.stride, :: stepping.stride]


def read_again(weights: Weights, greys: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Recompute both layers' maps and the probabilities with SciPy and NumPy in float64."""
    w = {name: array.astype(float) for name, array in weights.items()}
    maps1 = _layer(greys[None], w["conv1.weight"], w["conv1.bias"])
    maps2 = _layer(maps1, w["conv2.weight"], w["conv2.bias"])
    logits = w["linear.weight"] @ pooled_again(maps2).ravel() + w["linear.bias"]
    raised = np.exp(logits - logits.max())
    return maps1, maps2, raised / raised.sum()


def pooled_again(maps: np.ndarray) -> np.ndarray:
    """Return the largest number of each 2 × 2 square: (C, H, W) to (C, H / 2, W / 2)."""
    corners = [maps[:, i::2, j::2] for i in range(2) for j in range(2)]
    return np.asarray(np.max(corners, axis=0))


def parameters_again() -> np.ndarray:
    """Count AlexNet's parameters by hand: k² · in · out weights and `out` biases per layer."""
    return np.array([k * k * c_in * c_out + c_out for k, c_in, c_out in ALEXNET])


def convolved(maps: np.ndarray, kernels: np.ndarray) -> np.ndarray:
    """Convolve the channels of one picture, with padding 1: (C, H, W) to (N, H, W)."""
    from scipy.ndimage import correlate

    filtered = partial(correlate, mode="constant")
    # A kernel has a part for each channel, and their results are added up.
    return np.stack([np.sum([*map(filtered, maps, kernel)], axis=0) for kernel in kernels])


def _layer(maps: np.ndarray, kernels: np.ndarray, biases: np.ndarray) -> np.ndarray:
    """Apply ReLU to a convolution with padding 1: (C, H, W) to (N, H, W)."""
    return np.maximum(convolved(maps, kernels) + biases[:, None, None], 0)
