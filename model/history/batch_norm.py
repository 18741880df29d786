"""Batch normalisation in four formulas (Ioffe and Szegedy 2015). (B, C) or (B, C, H, W)"""

import torch
from torch import Tensor, nn

from model.nn.hooks import NO_HOOK, Hook


class BatchNorm(nn.Module):
    """Give every channel the mean 0 and the variance 1 over a batch, then what γ and β make of it.

    In training, mean and variance are the batch's; a running average of them is kept, and used
    ever after: then what comes out for one example no longer depends on the others.
    """

    running_mean: Tensor
    running_variance: Tensor

    def __init__(self, channels: int, epsilon: float = 1e-5, momentum: float = 0.1) -> None:
        super().__init__()
        self.epsilon, self.momentum = epsilon, momentum
        self.gamma = nn.Parameter(torch.ones(channels))
        self.beta = nn.Parameter(torch.zeros(channels))
        self.register_buffer("running_mean", torch.zeros(channels))
        self.register_buffer("running_variance", torch.ones(channels))

    def forward(self, x: Tensor, hook: Hook = NO_HOOK) -> Tensor:
        """Normalise each channel; the shape stays."""
        each = (1, -1, *[1] * (x.dim() - 2))  # one number a channel
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
        self._remember(mean.detach(), variance.detach(), x.numel() // x.shape[1])
        return mean, variance

    def _remember(self, mean: Tensor, variance: Tensor, n: int) -> None:
        """Move the running averages a step; theirs is the variance of all, guessed from n."""
        self.running_mean.lerp_(mean, self.momentum)
        self.running_variance.lerp_(variance * n / (n - 1), self.momentum)
