"""The layers of a large network, with each one's output shape and parameter count, at no cost.

The parameters are created on PyTorch's "meta" device, where they have a shape but no numbers, and
moved to memory that is never written; then an empty batch is passed through. So nothing is stored
or computed. (On "meta" itself, a ReLU would import PyTorch's compiler, which delays the first page
with a table by 2.5 s.)
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

import torch
from torch import nn

NO_PICTURES: Final = torch.empty(0, 3, 224, 224)


@dataclass(frozen=True)
class LayerRow:
    """A layer or a stage: its name, the shape of one picture after it, and its parameter count."""

    name: str
    shape: tuple[int, ...]
    parameters: int

    @property
    def is_linear(self) -> bool:
        return self.name.startswith("linear")


def layer_table(build: Callable[[], Iterable[tuple[str, nn.Module]]]) -> tuple[LayerRow, ...]:
    """Return the layers' shapes and parameter counts for pictures of 3 × 224 × 224, in order."""
    with torch.device("meta"):
        layers = list(build())
    x, rows = NO_PICTURES, []
    for name, layer in layers:
        x = layer.to_empty(device="cpu").eval()(x)
        count = sum(one.numel() for one in layer.parameters())
        rows.append(LayerRow(name, tuple(x.shape[1:]), count))
    return tuple(rows)
