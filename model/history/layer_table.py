"""The layers of a large network, with what comes out of each and its parameters, at no cost.

On PyTorch's "meta" device tensors have a shape and no numbers: nothing is stored or computed.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import torch
from torch import Tensor, nn


@dataclass(frozen=True)
class Layer:
    """A layer or a stage: its name, the shape of one picture after it, and its parameters."""

    name: str
    shape: tuple[int, ...]
    parameters: int

    @property
    def is_linear(self) -> bool:
        return self.name.startswith("linear")


def layer_table(build: Callable[[], Iterable[tuple[str, nn.Module]]]) -> tuple[Layer, ...]:
    """Send one picture, 224 × 224 in three colours, through named layers in their order."""
    with torch.device("meta"):
        x: Tensor = torch.empty(1, 3, 224, 224)
        rows = []
        for name, layer in build():
            x = layer(x)
            count = sum(one.numel() for one in layer.parameters())
            rows.append(Layer(name, tuple(x.shape[1:]), count))
    return tuple(rows)
