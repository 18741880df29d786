"""Residual learning, written out in NumPy and SciPy, in float64.

B examples, C channels, D numbers per layer.
"""

from dataclasses import replace
from typing import Final

import numpy as np
from torch import nn

from model.history.batch_norm import Normed
from model.history.deep import BATCH, Stack, StackPlan
from model.history.digits import Start, digits
from model.history.recomputed.cnn import convolved
from model.history.residual import BlockPass

EPSILON: Final = 1e-5
# ResNet-50's stages from table 1: blocks, channels in, inner width.
STAGES: Final = ((3, 64, 64), (4, 256, 128), (6, 512, 256), (3, 1024, 512))


def block_again(block: BlockPass) -> tuple[np.ndarray, np.ndarray]:
    """Return F(x) and the output of a block, (B, C, H, W)."""
    x = np.asarray(block.x, float)
    w = block.weights
    f = np.einsum("oc,bchw->bohw", w["reduce.weight"][:, :, 0, 0], x)
    f = np.maximum(_scaled(f, w["norm1.gamma"], w["norm1.beta"]), 0)
    f = np.stack([convolved(one, w["look.weight"]) for one in f])
    f = np.maximum(_scaled(f, w["norm2.gamma"], w["norm2.beta"]), 0)
    f = np.einsum("oc,bchw->bohw", w["expand.weight"][:, :, 0, 0], f)
    f = _scaled(f, w["norm3.gamma"], w["norm3.beta"])
    return f, np.maximum(f if block.sum is None else f + x, 0)


def slope_again(block: BlockPass, picture: int, channel: int, row: int, column: int) -> float:
    """Return the derivative of F(x) by x at one place, from two runs with slightly different x."""
    at, little = (picture, channel, row, column), 1e-6
    ends = []
    for change in (-little, little):
        x = np.array(block.x, float)
        x[at] += change
        ends.append(float(block_again(replace(block, x=x))[0][at]))
    return (ends[1] - ends[0]) / (2 * little)


def normed_again(normed: Normed, gamma: float, beta: float) -> dict[str, np.ndarray]:
    """Return each array of a batch normalisation by its name."""
    x, n = np.asarray(normed.x, float), normed.before.shape[1]
    mean, variance = x.mean(0), ((x - x.mean(0)) ** 2).mean(0)
    before = np.asarray(normed.before, float)
    # Each further batch reduces the weight of those before it, so the last one counts most.
    parts = normed.momentum * (1 - normed.momentum) ** np.arange(len(before) - 1, -1, -1)
    rest = (1 - normed.momentum) ** len(before)
    running_mean = parts @ before.mean(1)
    running_variance = parts @ before.var(1) * n / (n - 1) + rest
    normalised = (x - mean) / np.sqrt(variance + normed.epsilon)
    used = (x - running_mean) / np.sqrt(running_variance + normed.epsilon)
    return {
        "mean": mean,
        "variance": variance,
        "normalised": normalised,
        "out": gamma * normalised + beta,
        "running_mean": running_mean,
        "running_variance": running_variance,
        "used": gamma * used + beta,
    }


def gradients_again(depth: int, seed: int, start: Start, norm: bool, shortcut: bool) -> np.ndarray:
    """Return each layer's gradient norm by the chain rule, layer by layer from the end: (depth,)"""
    stack, (learn, _) = Stack(StackPlan(depth, shortcut, norm, start, seed)), digits()
    labels = learn.labels[:BATCH].numpy()
    first, last = stack.first[0], stack.last
    assert isinstance(first, nn.Linear)
    kept: list[tuple[np.ndarray, np.ndarray, np.ndarray | None]] = []

    def through(x: np.ndarray, weight: np.ndarray, bias: np.ndarray) -> np.ndarray:
        """Return a layer's output, normalised or not, and keep what the backward pass needs."""
        z = x @ weight.T + bias
        deviation = np.sqrt(z.var(0) + EPSILON) if norm else None
        y = z if deviation is None else (z - z.mean(0)) / deviation
        kept.append((x, y, deviation))
        return y

    x = np.maximum(through(learn.centred()[:BATCH].double().numpy(), *_numbers(first)), 0)
    layers = [_numbers(layer) for layer in stack.linears()]
    ways: list[np.ndarray] = []  # each pair's output, after its ReLU
    for one, two in zip(layers[::2], layers[1::2], strict=True):
        f = through(np.maximum(through(x, *one), 0), *two)
        x = np.maximum(f + x if shortcut else f, 0)
        ways.append(x)
    weight, bias = _numbers(last)
    logits = x @ weight.T + bias
    raised = np.exp(logits - logits.max(1, keepdims=True))
    slope = (raised / raised.sum(1, keepdims=True) - np.eye(10)[labels]) / len(labels)
    slope = slope @ weight
    norms: list[float] = []
    for pair in range(len(ways) - 1, -1, -1):
        slope = slope * (ways[pair] > 0)
        (x1, y1, d1), (x2, y2, d2) = kept[1 + 2 * pair], kept[2 + 2 * pair]
        inner = _back(slope, y2, d2)
        norms.append(float(np.linalg.norm(inner.T @ x2)))
        outer = _back(inner @ layers[2 * pair + 1][0] * (y1 > 0), y1, d1)
        norms.append(float(np.linalg.norm(outer.T @ x1)))
        slope = outer @ layers[2 * pair][0] + (slope if shortcut else 0)
    return np.array(norms[::-1])


def parameters_again() -> np.ndarray:
    """Count ResNet-50's parameters by hand: first convolution, four stages, last layer."""
    stages = [
        sum(_block_parameters(c_in if i == 0 else 4 * width, width) for i in range(blocks))
        for blocks, c_in, width in STAGES
    ]
    return np.array([7 * 7 * 3 * 64 + 2 * 64, *stages, 2048 * 1000 + 1000])


def _block_parameters(c_in: int, width: int) -> int:
    c_out = 4 * width
    convolutions = c_in * width + 9 * width * width + width * c_out
    projection = 0 if c_in == c_out else c_in * c_out + 2 * c_out
    return convolutions + 2 * (2 * width + c_out) + projection


def _scaled(x: np.ndarray, gamma: np.ndarray, beta: np.ndarray) -> np.ndarray:
    """Normalise the channels of (B, C, H, W)."""
    mean, variance = x.mean((0, 2, 3), keepdims=True), x.var((0, 2, 3), keepdims=True)
    normalised: np.ndarray = (x - mean) / np.sqrt(variance + EPSILON)
    return gamma[None, :, None, None] * normalised + beta[None, :, None, None]


def _back(slope: np.ndarray, y: np.ndarray, deviation: np.ndarray | None) -> np.ndarray:
    """Propagate a slope from a normalised output (B, D) to the numbers before normalisation."""
    if deviation is None:
        return slope
    centred: np.ndarray = slope - slope.mean(0) - y * (slope * y).mean(0)
    return centred / deviation


def _numbers(layer: nn.Linear) -> tuple[np.ndarray, np.ndarray]:
    """Return a layer's weights, and its biases or zeros where it has none."""
    weight, bias = layer.weight.detach().double().numpy(), layer.bias
    return weight, np.zeros(len(weight)) if bias is None else bias.detach().double().numpy()
