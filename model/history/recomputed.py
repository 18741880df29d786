"""The history pages' numbers, recomputed independently of the code that they check, in float64.

B examples, C channels, D numbers per layer or vector; T queries, S keys.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import logsigmoid

from model.history.attentions import HEADS, AttentionOutput, Inputs, Name
from model.history.batch_norm import Normed
from model.history.cnn import Weights
from model.history.convolution import Stepping
from model.history.deep import BATCH, Stack, StackPlan
from model.history.digits import Start, digits
from model.history.graph import Graph
from model.history.neuron import GATES, THRESHOLDS, WEIGHTS, Neuron, rows
from model.history.perceptron import Correction, MistakeBound, Point, Separator
from model.history.perceptron import distances as distances_from
from model.history.residual import BlockPass
from model.history.word_vectors import Update, distances
from model.history.xor import TwoLayers

SIGNS: Final = {"+": "add", "-": "sub", "*": "mul", "/": "div", "**": "pow"}
Rows = Sequence[Sequence[float]]
# Kernel side, channels in and channels out of AlexNet's layers with weights (Krizhevsky 2014);
# a linear layer counts as a kernel of side 1.
ALEXNET: Final = (
    (11, 3, 64), (5, 64, 192), (3, 192, 384), (3, 384, 256), (3, 256, 256),
    (1, 6 * 6 * 256, 4096), (1, 4096, 4096), (1, 4096, 1000),
)  # fmt: skip
EPSILON, MOMENTUM = 1e-5, 0.1  # of batch normalisation
# ResNet-50's stages from table 1: blocks, channels in, inner width.
STAGES: Final = ((3, 64, 64), (4, 256, 128), (6, 512, 256), (3, 1024, 512))


def potentials(inputs: np.ndarray, neuron: Neuron) -> np.ndarray:
    """Return w·x for inputs (N, 2), of which a neuron of one input sees the first: (N,)."""
    return np.asarray(inputs[:, : len(neuron.weights)] @ np.array(neuron.weights, float))


def outputs_again(neuron: Neuron) -> tuple[np.ndarray, np.ndarray]:
    """Return w·x and the neuron's output for each row, both (N,)."""
    sums = potentials(np.array(rows(len(neuron.weights)), float), neuron)
    return sums, np.heaviside(sums - neuron.threshold, 1)


def counts_again(gate: str) -> np.ndarray:
    """Count the settings by how many rows of a gate they get right, all in one array."""
    inputs = np.array(rows(len(GATES[gate]).bit_length() - 1), float)  # (N, I)
    weights = np.array(np.meshgrid(*[WEIGHTS] * inputs.shape[1])).reshape(inputs.shape[1], -1)
    fires = (inputs @ weights)[..., None] >= np.array(THRESHOLDS)  # (N, W, T)
    correct = (fires == np.array(GATES[gate])[:, None, None]).sum(0)
    return np.bincount(correct.ravel(), minlength=len(inputs) + 1)


def updates_again(updates: Sequence[Correction]) -> tuple[np.ndarray, np.ndarray]:
    """Return all weights after each update (U, 3) and the scores before (U,).

    The weights are a sum of the points that were repaired, so one cumulative sum has them all.
    """
    x = np.array([update.point.x for update in updates], float).reshape(-1, 3)
    sides = np.array([update.point.side for update in updates], float)
    after = np.cumsum(sides[:, None] * x, axis=0)
    before = np.concatenate([np.zeros((1, 3)), after])[: len(updates)]
    return after, (before * x).sum(1)


def two_layers_again(network: TwoLayers) -> np.ndarray:
    """Return the outputs of two layers for the four rows of XOR, (4, H + 1)."""
    fires = np.column_stack([outputs_again(neuron)[1] for neuron in network.hidden])
    return np.column_stack([fires, potentials(fires, network.out) >= network.out.threshold])


def sums_again(network: TwoLayers) -> np.ndarray:
    """Return the sums of two layers without thresholds for the four rows, (4,)."""
    sums = np.column_stack([outputs_again(neuron)[0] for neuron in network.hidden])
    return potentials(sums, network.out)


def margins_of(points: Sequence[Point], limit: MistakeBound) -> np.ndarray:
    """Return the margin computed from below, by its direction, and from above, by its mixture."""
    signed = np.array([point.side * np.array(point.x) for point in points], float)
    mixed = limit.mix @ signed[list(limit.support)]
    return np.array([(signed @ limit.best).min(), np.linalg.norm(mixed)])


def plane_margins_of(points: Sequence[Point], best: Separator) -> np.ndarray:
    """Return the margin by the distances from the line, and by the kinds' nearest places."""
    between = best.nearest[0] - best.nearest[1]
    return np.array([distances_from(best.weights, points).min(), np.linalg.norm(between) / 2])


def graph_by_autograd(graph: Graph) -> tuple[np.ndarray, np.ndarray]:
    """Return every node's value and the result's derivative by it, both (N,)."""
    tensors: list[Tensor] = []
    for node in graph.nodes:
        if node.inputs:
            operation = getattr(torch, SIGNS.get(node.name, node.name))
            tensor = operation(*(tensors[i] for i in node.inputs))
        else:
            tensor = torch.tensor(node.value, dtype=torch.float64, requires_grad=not node.constant)
        if tensor.requires_grad:
            tensor.retain_grad()
        tensors.append(tensor)
    tensors[-1].backward()
    slopes = [0.0 if each.grad is None else each.grad.item() for each in tensors]
    return np.array([each.item() for each in tensors]), np.array(slopes)


def update_by_autograd(update: Update) -> dict[str, np.ndarray]:
    """Return, in float64, an update's scores and the changes that its loss's gradient asks for."""
    input_rows = torch.tensor(update.input_rows, dtype=torch.float64, requires_grad=True)  # (N, D)
    rows = torch.tensor(update.rows, dtype=torch.float64, requires_grad=True)  # (1 + K, D)
    scores = rows @ input_rows.mean(0)
    loss = -logsigmoid(scores[0]) - logsigmoid(-scores[1:]).sum()
    loss.backward()
    assert input_rows.grad is not None
    assert rows.grad is not None
    return {
        "scores": scores.detach().numpy(),
        "input": (-update.rate * input_rows.grad[0]).numpy(),
        "outputs": (-update.rate * rows.grad).numpy(),
    }


def similarities_again(vectors: np.ndarray, words: list[int]) -> np.ndarray:
    """Return the cosine of every vector (V, D) with the first of three words − second + third."""
    unit = vectors.astype(np.float64)
    unit /= np.sqrt((unit**2).sum(1, keepdims=True))
    start, less, plus = unit[words]
    goal = start - less + plus
    return np.asarray(unit @ (goal / np.sqrt((goal**2).sum())))


def map_distances_again(vectors: np.ndarray, axes_of: list[int], shown: list[int]) -> np.ndarray:
    """Return how far apart some vectors lie on the plane in which others differ most, (N, N)."""
    vectors = vectors.astype(np.float64)
    _values, axes = np.linalg.eigh(np.cov(vectors[axes_of].T))
    return distances(vectors[shown] @ axes[:, -2:])


def logarithms(*lengths: np.ndarray) -> list[np.ndarray]:
    """Return lengths from 1e-21 to 1e4 as logarithms, so that they are compared by their ratio."""
    return [np.log(each) for each in lengths]


def recomputed(inputs: Inputs, name: Name) -> AttentionOutput:
    """Compute one of the six by its formula, with sums over plain numbers."""
    s, h, root = inputs.s.tolist(), inputs.h.tolist(), inputs.s.shape[1] ** 0.5
    if name == "additive":
        q, k = _product(s, inputs.w_a.tolist()), _product(h, inputs.u_a.tolist())
        v_a = inputs.v_a.tolist()
        added = [[_dot(v_a, np.tanh(np.add(query, key)).tolist()) for key in k] for query in q]
        return _attention([added], [h])
    if name in ("dot", "scaled"):
        return _attention([_scores(s, h, root if name == "scaled" else 1.0)], [h])
    q = _product(h if name == "self" else s, inputs.w_q.tolist())
    k, v = _product(h, inputs.w_k.tolist()), _product(h, inputs.w_v.tolist())
    if name != "multi_head":
        return _attention([_scores(q, k, root)], [v])
    width = len(s[0]) // HEADS
    parts = [slice(head * width, (head + 1) * width) for head in range(HEADS)]
    scores = [_scores(_columns(q, part), _columns(k, part), width**0.5) for part in parts]
    joined = _attention(scores, [_columns(v, part) for part in parts])
    out = _product(joined.out.tolist(), inputs.w_o.tolist())
    return AttentionOutput(joined.scores, joined.weights, np.array(out))


def _attention(scores: Sequence[Rows], values: Sequence[Rows]) -> AttentionOutput:
    """Return e^x / Σ e^x of each head's scores, and the values weighted by it."""
    weights = [[_softmax(row) for row in of_head] for of_head in scores]
    outs = [_product(of_head, v) for of_head, v in zip(weights, values, strict=True)]
    return AttentionOutput(np.array(scores), np.array(weights), np.concatenate(outs, axis=-1))


def _scores(q: Rows, k: Rows, divisor: float) -> Rows:
    return [[_dot(query, key) / divisor for key in k] for query in q]


def _softmax(row: Sequence[float]) -> list[float]:
    most = max(row)
    powers = [float(np.exp(x - most)) for x in row]
    return [power / sum(powers) for power in powers]


def _product(x: Rows, matrix: Rows) -> list[list[float]]:
    return [[_dot(row, column) for column in zip(*matrix, strict=True)] for row in x]


def _dot(a: Sequence[float], b: Sequence[float]) -> float:
    return sum(x * y for x, y in zip(a, b, strict=True))


def _columns(rows: Rows, part: slice) -> Rows:
    return [row[part] for row in rows]


def output_again(stepping: Stepping) -> np.ndarray:
    """Recompute the output with Fourier transforms: every pixel's window at once, then a stride."""
    kernel = stepping.kernel if stepping.flipped else np.rot90(stepping.kernel, 2)
    whole = slice(len(kernel) - 1, 1 - len(kernel))  # windows that lie inside
    full = _convolution(np.pad(stepping.picture, stepping.padding), kernel)
    return full[whole, whole][:: stepping.stride, :: stepping.stride]


def read_again(weights: Weights, greys: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Recompute both layers' maps and the probabilities in float64."""
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


def alexnet_parameters_again() -> np.ndarray:
    """Count AlexNet's parameters by hand: k² · in · out weights and `out` biases per layer."""
    return np.array([k * k * c_in * c_out + c_out for k, c_in, c_out in ALEXNET])


def convolved(maps: np.ndarray, kernels: np.ndarray) -> np.ndarray:
    """Convolve the channels of one picture, with padding 1: (C, H, W) to (N, H, W)."""
    # A kernel has a part for each channel, and their results are added up.
    full = _convolution(maps, np.rot90(kernels, 2, (-2, -1))).sum(1)  # (N, C, …) to (N, …)
    return full[:, 1:-1, 1:-1]


def _convolution(maps: np.ndarray, kernels: np.ndarray) -> np.ndarray:
    """Convolve (…, H, W) with (…, k, k); rows and columns grow by k - 1 (convolution theorem)."""
    shape = [side + kernels.shape[-1] - 1 for side in maps.shape[-2:]]
    spectrum = np.fft.rfft2(maps, shape) * np.fft.rfft2(kernels, shape)
    convolution: np.ndarray = np.fft.irfft2(spectrum, shape)
    return convolution


def _layer(maps: np.ndarray, kernels: np.ndarray, biases: np.ndarray) -> np.ndarray:
    """Apply ReLU to a convolution with padding 1: (C, H, W) to (N, H, W)."""
    return np.maximum(convolved(maps, kernels) + biases[:, None, None], 0)


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
    parts = MOMENTUM * (1 - MOMENTUM) ** np.arange(len(before) - 1, -1, -1)
    rest = (1 - MOMENTUM) ** len(before)
    running_mean = parts @ before.mean(1)
    running_variance = parts @ before.var(1) * n / (n - 1) + rest
    normalised = (x - mean) / np.sqrt(variance + EPSILON)
    used = (x - running_mean) / np.sqrt(running_variance + EPSILON)
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


def resnet50_parameters_again() -> np.ndarray:
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
