"""torch's optimizers without the compiler that it wraps around them, and the schedules."""

import inspect
import math
from collections.abc import Mapping
from typing import Any, Final

import torch
from torch import Tensor, nn

from model.config import TrainConfig


class Plain(torch.optim.Optimizer):
    """An optimizer whose methods are not wrapped.

    torch wraps these methods to keep its compiler out of them, and imports the compiler to do so,
    which takes a second or more before the first step. Nothing here is compiled.
    """

    add_param_group = inspect.unwrap(torch.optim.Optimizer.add_param_group)
    load_state_dict = inspect.unwrap(torch.optim.Optimizer.load_state_dict)
    state_dict = inspect.unwrap(torch.optim.Optimizer.state_dict)
    zero_grad = inspect.unwrap(torch.optim.Optimizer.zero_grad)


class Adam(Plain, torch.optim.Adam):
    """Adam (Kingma & Ba 2015)."""

    step = torch.no_grad()(inspect.unwrap(torch.optim.Adam.step))


class AdamW(Plain, torch.optim.AdamW):
    """Adam with decoupled weight decay (Loshchilov & Hutter 2019)."""

    step = torch.no_grad()(inspect.unwrap(torch.optim.AdamW.step))


class SGD(Plain, torch.optim.SGD):
    """Gradient descent, with momentum if asked."""

    step = torch.no_grad()(inspect.unwrap(torch.optim.SGD.step))


# Scales Muon's updates to Adam's size (Liu et al. 2025, "Muon is Scalable for LLM Training").
AS_ADAM: Final = 0.2
ITERATIONS: Final = 5


def learning_rate(step: int, config: TrainConfig) -> float:
    """Return the learning rate of a step, counted from 1; it peaks at `config.peak(step)`.

    noam: linear warm-up, then ∝ step^-0.5 (equation 3); linear: warm-up, then down to 0;
    wsd: warm-up, stable, then down to 0 over the last `cooldown` share of the steps;
    constant: warm-up, then stable.
    """
    peak = config.peak(step)
    warm = min(1.0, step / config.warmup)
    if step < config.warmup or config.schedule == "constant":
        return peak * warm
    if config.schedule == "noam":
        return peak * math.sqrt(config.warmup / step)
    start = config.warmup
    if config.schedule == "wsd":
        start = max(config.warmup, round(config.steps * (1 - config.cooldown)))
    left = (config.steps + 1 - step) / max(1, config.steps + 1 - start)
    return peak * max(0.0, min(1.0, left))


def changes_nothing(step: int, config: TrainConfig) -> bool:
    """Return whether a step is the last one, and another step would change nothing."""
    return step == config.steps and learning_rate(step + 1, config) == 0


def make_optimizers(model: nn.Module, config: TrainConfig) -> list[torch.optim.Optimizer]:
    """Return the optimisers: Adam, or Muon for the layers' matrices and Adam for the rest.

    Adam has the paper's β₁ = 0.9, β₂ = 0.98, ε = 1e-9 and decoupled weight decay. Muon (Jordan
    2024) makes each update orthogonal, and learns more from each token than Adam does.
    """
    if config.optimizer == "adam":
        return [_adam(list(model.parameters()), config.weight_decay)]
    matrices: list[nn.Parameter] = []
    others: list[nn.Parameter] = []
    for name, parameter in model.named_parameters():
        of_layer = name.startswith(("encoder.", "decoder.")) and parameter.ndim == 2
        (matrices if of_layer else others).append(parameter)
    muon = _Muon(matrices, lr=0.0, weight_decay=config.weight_decay)
    muon.bf16 = config.bf16
    return [muon, _adam(others, config.weight_decay)]


def _adam(parameters: list[nn.Parameter], decay: float) -> torch.optim.Optimizer:
    return AdamW(parameters, lr=0.0, betas=(0.9, 0.98), eps=1e-9, weight_decay=decay, fused=True)


class _Muon(Plain, torch.optim.Muon):
    """torch's Muon, but orthogonalising in float32 where the run does not compute in 16 bits.

    A processor without bfloat16 products would take thirty times as long.
    """

    bf16 = False

    @torch.no_grad()
    def step(self, closure: Any = None) -> Any:
        assert closure is None
        for group in self.param_groups:
            for weight in group["params"]:
                if weight.grad is not None:
                    self._update(weight, weight.grad, group)

    def _update(self, weight: Tensor, gradient: Tensor, group: Mapping[str, Any]) -> None:
        state, momentum = self.state[weight], group["momentum"]
        if not state:
            state["momentum_buffer"] = torch.zeros_like(gradient)
        mean = state["momentum_buffer"].lerp_(gradient, 1 - momentum)
        direction = gradient.lerp(mean, momentum)
        direction = direction.bfloat16() if self.bf16 else direction
        update = _orthogonal(direction, group["ns_coefficients"]).to(weight.dtype)
        weight.mul_(1 - group["lr"] * group["weight_decay"])
        weight.add_(update, alpha=-group["lr"] * AS_ADAM * max(weight.shape) ** 0.5)


def _orthogonal(matrix: Tensor, coefficients: tuple[float, float, float]) -> Tensor:
    """Approximate UVᵀ of a matrix USVᵀ by five Newton-Schulz iterations: (n, m) -> (n, m)."""
    a, b, c = coefficients
    is_high = matrix.shape[0] > matrix.shape[1]
    x = matrix.T if is_high else matrix
    x = x / x.norm().clamp(min=1e-7)
    for _ in range(ITERATIONS):
        gram = x @ x.T
        x = torch.addmm(x, torch.addmm(gram, gram, gram, beta=b, alpha=c), x, beta=a)
    return x.T if is_high else x
