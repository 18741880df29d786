"""The door to residual learning: the race, the block, the gradients, batch normalisation."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
import streamlit as st
import torch
from numpy.typing import NDArray
from torch import nn

from model.history import deep
from model.history.batch_norm import BatchNorm
from model.history.deep import SHALLOW, UPDATES, WIDTH, Lap, Plan, Report, laps
from model.history.digits import SIDE, digits
from model.history.layer_table import Layer
from model.history.residual import Bottleneck
from model.history.resnet import STAGES, resnet50_layers
from model.history.weights import Start, begin
from model.nn.hooks import Recorder

__all__ = [
    "BLOCKS", "CHANNELS", "COMPANY", "FEATURES", "PICTURES", "SHALLOW", "UPDATES", "WIDTH", "Block",
    "Lap", "Layer", "Normed", "Plan", "Report", "Start", "block", "gradients", "laps", "normed",
    "plans", "race", "resnet50", "sizes",
]  # fmt: skip

Floats = NDArray[np.floating]
BLOCKS: Final = sum(blocks for blocks, _width, _stride in STAGES)  # of ResNet-50
CHANNELS, INNER, PICTURES = 8, 2, 16
FEATURES, COMPANY = 4, 6
SEEN: Final = 6  # digits a batch: what the running averages are made of


def plans(depth: int, seed: int) -> tuple[Plan, ...]:
    """Return who races: shallow and deep, each without shortcuts and with them."""
    return tuple(
        Plan(layers, shortcut, seed=seed)
        for layers in (SHALLOW, depth)
        for shortcut in (False, True)
    )


def race(depth: int, seed: int) -> Iterator[Report]:
    """Train all of `plans` side by side on the same batches."""
    return deep.race(plans(depth, seed), seed)


@st.cache_data(max_entries=200, show_spinner=False)
def gradients(depth: int, seed: int, start: Start, norm: bool) -> tuple[Floats, Floats]:
    """Return each layer's gradient norm, (depth,): without shortcuts, and with them."""
    plain, residual = (
        deep.gradient_norms(Plan(depth, shortcut, norm, start, seed)) for shortcut in (False, True)
    )
    return plain, residual


@dataclass(frozen=True, eq=False)
class Block:
    """A block at work on a batch: what goes in, (B, C, H, W), F(x), the sum, and what comes out.

    Without a shortcut there is no sum. `weights` are the block's parameters by name.
    """

    x: Floats
    f: Floats
    sum: Floats | None
    out: Floats
    labels: tuple[int, ...]
    weights: dict[str, Floats]


@st.cache_data(max_entries=200, show_spinner=False)
def block(seed: int, gamma: float, shortcut: bool) -> Block:
    """Send digits through one convolution and then through a Bottleneck of 8 channels.

    `gamma` is the last normalisation's γ, in all channels: how loud the branch speaks.
    """
    _, held_out = digits()
    first = nn.Sequential(nn.Conv2d(1, CHANNELS, 3, 2, 1, bias=False), BatchNorm(CHANNELS))
    made = Bottleneck(CHANNELS, INNER, shortcut=shortcut)
    begin(nn.ModuleList([first, made]), seed)
    recorder = Recorder()
    with torch.no_grad():
        made.norm3.gamma.fill_(gamma)
        x = first(held_out.pictures[:PICTURES]).relu()  # (B, 8, 4, 4)
        made(x, recorder)
    weights = {name: one.detach().double().numpy() for name, one in made.named_parameters()}
    arrays = recorder.arrays
    labels = tuple(held_out.labels[:PICTURES].tolist())
    return Block(x.numpy(), arrays["f"], arrays.get("sum"), arrays["out"], labels, weights)


def sizes(width: int) -> dict[str, int]:
    """Count the weights of a block's convolutions, and those of two 3 × 3 ones in their place."""
    with torch.device("meta"):
        made = Bottleneck(4 * width, width)
        wide = nn.Conv2d(4 * width, 4 * width, 3, bias=False)
    counted = {name: getattr(made, name).weight.numel() for name in ("reduce", "look", "expand")}
    return counted | {"wide": 2 * wide.weight.numel()}


@dataclass(frozen=True, eq=False)
class Normed:
    """A batch x (B, C) on its way through batch normalisation, and once more with the averages.

    `mean` and `variance` (C,) are the batch's, the running ones those of the batches seen before;
    `used` (B, C) is what comes out with them.
    """

    labels: tuple[int, ...]
    x: Floats
    mean: Floats
    variance: Floats
    normalised: Floats
    out: Floats
    running_mean: Floats
    running_variance: Floats
    used: Floats
    before: Floats  # (N, B, C): what the running averages were made of
    epsilon: float
    momentum: float


@st.cache_data(max_entries=400, show_spinner=False)
def normed(company: int, seen: int, gamma: float, beta: float) -> Normed:
    """Normalise numbers of six digits; the first digit stays, `company` chooses the others.

    The layer has seen `seen` batches of six before.
    """
    learn, held_out = digits()
    linear, norm = nn.Linear(SIDE * SIDE, FEATURES), BatchNorm(FEATURES)
    begin(linear, 0)
    at = [0, *range(1 + company * (COMPANY - 1), 1 + (company + 1) * (COMPANY - 1))]
    with torch.no_grad():
        norm.gamma.fill_(gamma)
        norm.beta.fill_(beta)
        before = linear(learn.centred()[: seen * SEEN]).view(seen, SEEN, FEATURES)
        for batch in before:
            norm(batch)
        mean, variance = norm.running_mean.clone(), norm.running_variance.clone()
        x = linear(held_out.centred()[at])
        used = norm.eval()(x)
        recorder = Recorder()
        norm.train()(x, recorder)
    return Normed(
        labels=tuple(held_out.labels[at].tolist()), x=x.numpy(), **recorder.arrays,
        running_mean=mean.numpy(), running_variance=variance.numpy(), used=used.numpy(),
        before=before.numpy(), epsilon=norm.epsilon, momentum=norm.momentum,
    )  # fmt: skip


@st.cache_data(show_spinner=False)
def resnet50() -> tuple[Layer, ...]:
    """Return ResNet-50's stages, with what comes out of each."""
    return resnet50_layers()
