"""A small convolutional network that reads digits, and its training as a generator.

B pictures per batch. LeCun and others (1998) had the first such network to read post codes.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from model.history.digits import CLASSES, LEARNED_FROM, SIDE, begin, digits
from model.nn.hooks import NO_HOOK, Hook, Recorder
from model.training.optim import Adam

FILTERS: Final = (8, 16)
BATCH: Final = 64
EPOCHS: Final = 10
LEARNING_RATE: Final = 0.005
UPDATES: Final = EPOCHS * (LEARNED_FROM // BATCH)
EVERY: Final = 5  # updates between two evaluations on the held-out digits
REPORTS: Final = 1 + UPDATES // EVERY  # the first one at the start

Weights = Mapping[str, np.ndarray]


class Cnn(nn.Module):
    """Two convolutions, max pooling of 2 × 2 numbers, and one linear layer."""

    def __init__(self) -> None:
        super().__init__()
        first, second = FILTERS
        self.conv1 = nn.Conv2d(1, first, 3, padding=1)
        self.conv2 = nn.Conv2d(first, second, 3, padding=1)
        self.linear = nn.Linear(second * (SIDE // 2) ** 2, CLASSES)

    def forward(self, x: Tensor, hook: Hook = NO_HOOK) -> Tensor:
        """Return logits (B, 10) for pictures (B, 1, 8, 8)."""
        x = hook("maps1", F.relu(self.conv1(x)))  # (B, 8, 8, 8)
        x = hook("maps2", F.relu(self.conv2(x)))  # (B, 16, 8, 8)
        x = hook("pooled", F.max_pool2d(x, 2))  # (B, 16, 4, 4)
        return hook("logits", self.linear(x.flatten(1)))  # (B, 10)


@dataclass(frozen=True, eq=False)
class Learned:
    """The network after an update: its loss, its accuracy, and its weights by name.

    `loss` is the last batch's; `accuracy` is the share of held-out digits read correctly.
    """

    update: int
    loss: float
    accuracy: float
    weights: Weights


@dataclass(frozen=True, eq=False)
class Reading:
    """One picture (8, 8) as the network sees it: feature maps (C, H, W), probabilities (10,)."""

    maps1: np.ndarray
    maps2: np.ndarray
    pooled: np.ndarray
    probabilities: np.ndarray


def train(seed: int) -> Iterator[Learned]:
    """Train with Adam on batches of digits; yield the network's state every few updates."""
    learn, _ = digits()
    network = Cnn()
    begin(network, seed)
    generator = torch.Generator().manual_seed(seed)
    adam = Adam(network.parameters(), LEARNING_RATE)
    yield _look(network, 0, float(_loss(network, torch.arange(BATCH)).detach()))
    update = 0
    for _epoch in range(EPOCHS):
        for batch in torch.randperm(len(learn), generator=generator).split(BATCH):
            if len(batch) < BATCH:
                continue
            loss = _loss(network, batch)
            adam.zero_grad()
            loss.backward()
            adam.step()
            update += 1
            if update % EVERY == 0:
                yield _look(network, update, loss.item())


def read(weights: Weights, picture: np.ndarray) -> Reading:
    """Run a trained network on one picture (8, 8) of greys from 0 to 1."""
    network = Cnn()
    network.load_state_dict({name: torch.tensor(array) for name, array in weights.items()})
    recorder = Recorder()
    with torch.no_grad():
        network(torch.tensor(picture, dtype=torch.float32)[None, None], recorder)
    kept = {name: array[0] for name, array in recorder.arrays.items()}
    probabilities = torch.tensor(kept.pop("logits")).softmax(0).numpy()
    return Reading(**kept, probabilities=probabilities)


def _loss(network: Cnn, batch: Tensor) -> Tensor:
    learn, _ = digits()
    return F.cross_entropy(network(learn.pictures[batch]), learn.labels[batch])


@torch.no_grad()
def _look(network: Cnn, update: int, loss: float) -> Learned:
    _, held_out = digits()
    right = network(held_out.pictures).argmax(1) == held_out.labels
    weights = {name: one.numpy().copy() for name, one in network.state_dict().items()}
    return Learned(update, loss, float(right.float().mean()), weights)
