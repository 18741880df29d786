"""The layers of a large network, with what comes out of each and its parameters, at no cost.

The parameters begin on PyTorch's "meta" device, where they have a shape and no numbers, and go to
memory that nobody writes; a batch of no pictures passes. So nothing is stored or computed. (On
"meta" itself, a ReLU imports PyTorch's compiler: 2.5 s before the first page with a table.)
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

import torch
from torch import nn

NO_PICTURES: Final = torch.empty(0, 3, 224, 224)


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
    """Send pictures, 224 × 224 in three colours, through named layers in their order."""
    with torch.device("meta"):
        layers = list(build())
    x, rows = NO_PICTURES, []
    for name, layer in layers:
        x = layer.to_empty(device="cpu").eval()(x)
        count = sum(one.numel() for one in layer.parameters())
        rows.append(Layer(name, tuple(x.shape[1:]), count))
    return tuple(rows)
