"""Deep stacks with and without shortcuts, and a race between them.

As in He and others (2015), a shortcut skips two layers. B digits, D numbers per layer.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from model.history.batch_norm import BatchNorm
from model.history.digits import CLASSES, SIDE, begin, digits
from model.training.optim import SGD

WIDTH: Final = 32
BATCH: Final = 64
SHALLOW: Final = 6
UPDATES: Final = 200
EVERY: Final = 5  # updates between two evaluations on all digits
REPORTS: Final = 1 + UPDATES // EVERY  # the first one at the start
LEARNING_RATE: Final = 0.05
MOMENTUM: Final = 0.9


@dataclass(frozen=True)
class StackPlan:
    """A stack: how many layers, with shortcuts or without, and what its weights are drawn by."""

    depth: int
    shortcut: bool
    seed: int = 0


class Two(nn.Module):
    """Two linear layers; with a shortcut, their input is added before the last ReLU."""

    def __init__(self, plan: StackPlan) -> None:
        super().__init__()
        self.shortcut = plan.shortcut
        self.first, self.second = _linear(WIDTH), _linear(WIDTH)

    def forward(self, x: Tensor) -> Tensor:
        """Return ReLU(F(x) + x) or ReLU(F(x)), (B, D)."""
        f = self.second(self.first(x).relu())
        return torch.relu(f + x if self.shortcut else f)


class Stack(nn.Module):
    """One layer from 64 pixels to D numbers, `depth` layers in pairs, and one to 10 digits."""

    def __init__(self, plan: StackPlan) -> None:
        super().__init__()
        self.first = nn.Sequential(*_linear(SIDE * SIDE), nn.ReLU())
        self.pairs = nn.Sequential(*(Two(plan) for _ in range(plan.depth // 2)))
        self.last = nn.Linear(WIDTH, CLASSES)
        begin(self, plan.seed, "he")

    def forward(self, x: Tensor) -> Tensor:
        """Return logits (B, 10) for digits (B, 64)."""
        return self.last(self.pairs(self.first(x)))


@dataclass(frozen=True)
class Lap:
    """A racer's state: its loss, and the share of the digits it learned from that it misreads."""

    loss: float
    learned_wrong: float


@dataclass(frozen=True)
class RaceReport:
    """All racers after an update, in the order of their plans."""

    update: int
    laps: tuple[Lap, ...]


def race(plans: Sequence[StackPlan], seed: int) -> Iterator[RaceReport]:
    """Train several stacks on the same batches, side by side; yield a report every few updates."""
    learn, _ = digits()
    stacks = [Stack(plan) for plan in plans]
    optimisers = [SGD(stack.parameters(), LEARNING_RATE, MOMENTUM) for stack in stacks]
    generator = torch.Generator().manual_seed(seed)
    yield RaceReport(0, tuple(map(_lap, stacks)))
    for update in range(1, UPDATES + 1):
        batch = torch.randint(len(learn), (BATCH,), generator=generator)
        for stack, sgd in zip(stacks, optimisers, strict=True):
            loss = F.cross_entropy(stack(learn.centred()[batch]), learn.labels[batch])
            sgd.zero_grad()
            loss.backward()
            sgd.step()
        if update % EVERY == 0:
            yield RaceReport(update, tuple(map(_lap, stacks)))


@torch.no_grad()
def _lap(stack: Stack) -> Lap:
    learn, _ = digits()
    stack.eval()
    logits = stack(learn.centred())
    stack.train()
    wrong = (logits.argmax(1) != learn.labels).float().mean()
    return Lap(float(F.cross_entropy(logits, learn.labels)), float(wrong))


def _linear(n_in: int) -> nn.Sequential:
    """Return a linear layer, without the bias that the normalisation after it would cancel."""
    return nn.Sequential(nn.Linear(n_in, WIDTH, bias=False), BatchNorm(WIDTH))
