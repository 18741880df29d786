"""The mean of the last few validated weights, which usually translates better than any of them."""

from collections import deque
from collections.abc import Mapping

import torch
from torch import Tensor

from model.nn.architectures import build
from model.nn.translator import Translator

PREFIX = "recent/"


class Average:
    """The last `size` weights that were added, from which it builds a model with their mean."""

    def __init__(self, size: int) -> None:
        self.recent: deque[dict[str, Tensor]] = deque(maxlen=size)

    def add(self, model: Translator) -> None:
        self.recent.append({name: p.detach().clone() for name, p in model.named_parameters()})

    def model(self, like: Translator) -> Translator:
        """Return a new model of the same shape as `like`, with the mean weights."""
        rng = torch.get_rng_state()  # building a model draws numbers; training must not be affected
        averaged = build(like.config)
        torch.set_rng_state(rng)
        with torch.no_grad():
            for name, parameter in averaged.named_parameters():
                parameter.copy_(torch.stack([weights[name] for weights in self.recent]).mean(0))
        return averaged.eval()

    def tensors(self) -> dict[str, Tensor]:
        """Return the weights by their index and name, to be saved."""
        return {
            f"{PREFIX}{i}/{name}": tensor
            for i, weights in enumerate(self.recent)
            for name, tensor in weights.items()
        }

    def restore(self, tensors: Mapping[str, Tensor]) -> None:
        """Restore the weights from the saved tensors, which may include others."""
        weights: dict[int, dict[str, Tensor]] = {}
        for key, tensor in tensors.items():
            if key.startswith(PREFIX):
                _, i, name = key.split("/")
                weights.setdefault(int(i), {})[name] = tensor
        self.recent.extend(weights[i] for i in sorted(weights))
