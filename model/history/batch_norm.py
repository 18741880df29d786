"""Batch normalisation in four formulas (Ioffe and Szegedy 2015). (B, C) or (B, C, H, W)"""

from dataclasses import dataclass
from typing import Final

import numpy as np
import torch
from torch import Tensor, nn

from model.history.digits import SIDE, begin, digits
from model.nn.hooks import NO_HOOK, Hook, Recorder

FEATURES: Final = 4  # numbers per digit
COMPANY: Final = 6  # digits per batch


class BatchNorm(nn.Module):
    """Normalise every channel to mean 0 and variance 1 over a batch, then scale and shift it.

    In training, mean and variance are the batch's. A running average of them is kept and used
    afterwards, when the output for one example no longer depends on the others. γ scales each
    channel, and β shifts it.
    """

    epsilon, momentum = 1e-5, 0.1
    running_mean: Tensor
    running_variance: Tensor

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(channels))
        self.beta = nn.Parameter(torch.zeros(channels))
        self.register_buffer("running_mean", torch.zeros(channels))
        self.register_buffer("running_variance", torch.ones(channels))

    def forward(self, x: Tensor, hook: Hook = NO_HOOK) -> Tensor:
        """Normalise each channel; the shape stays the same."""
        each = (1, -1, *[1] * (x.dim() - 2))  # one number per channel
        mean, variance = self._moments(x)
        hook("mean", mean)
        hook("variance", variance)
        deviation = torch.sqrt(variance + self.epsilon)
        normalised = hook("normalised", (x - mean.view(each)) / deviation.view(each))
        return hook("out", self.gamma.view(each) * normalised + self.beta.view(each))

    def _moments(self, x: Tensor) -> tuple[Tensor, Tensor]:
        if not self.training:
            return self.running_mean, self.running_variance
        over = [0, *range(2, x.dim())]  # examples and pixels
        variance, mean = torch.var_mean(x, over, correction=0)
        n = x.numel() // x.shape[1]
        self.running_mean.lerp_(mean.detach(), self.momentum)
        # An unbiased estimate, from these n numbers, of the variance over all examples.
        self.running_variance.lerp_(variance.detach() * n / (n - 1), self.momentum)
        return mean, variance


@dataclass(frozen=True, eq=False)
class Normed:
    """A batch x (B, C) normalised by its own moments, and the digits that it is of."""

    labels: tuple[int, ...]
    x: np.ndarray
    mean: np.ndarray
    variance: np.ndarray
    normalised: np.ndarray
    out: np.ndarray


def normalise_digits(company: int, gamma: float, beta: float) -> Normed:
    """Normalise the features of six digits: the first is fixed, `company` chooses the others."""
    _, held_out = digits()
    linear, norm = nn.Linear(SIDE * SIDE, FEATURES), BatchNorm(FEATURES)
    begin(linear, 0)
    at = [0, *range(1 + company * (COMPANY - 1), 1 + (company + 1) * (COMPANY - 1))]
    recorder = Recorder()
    with torch.no_grad():
        norm.gamma.fill_(gamma)
        norm.beta.fill_(beta)
        x = linear(held_out.centred()[at])
        norm(x, recorder)
    return Normed(tuple(held_out.labels[at].tolist()), x.numpy(), **recorder.arrays)
