"""AlexNet (Krizhevsky, Sutskever and Hinton 2012), as one tower (Krizhevsky 2014).

The first paper splits it over two graphics cards; the second, and torchvision, keep it whole.
"""

from typing import Final

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from model.history.layer_table import NO_PICTURES, LayerRow
from model.nn.hooks import NO_HOOK, Hook

CLASSES: Final = 1000


class AlexNet(nn.Module):
    """Five convolutions and three linear layers, with a ReLU after each but the last."""

    def __init__(self) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(3, 64, 11, stride=4, padding=2)
        self.conv2 = nn.Conv2d(64, 192, 5, padding=2)
        self.conv3 = nn.Conv2d(192, 384, 3, padding=1)
        self.conv4 = nn.Conv2d(384, 256, 3, padding=1)
        self.conv5 = nn.Conv2d(256, 256, 3, padding=1)
        self.linear6 = nn.Linear(256 * 6 * 6, 4096)
        self.linear7 = nn.Linear(4096, 4096)
        self.linear8 = nn.Linear(4096, CLASSES)

    def forward(self, x: Tensor, hook: Hook = NO_HOOK) -> Tensor:
        """Return logits (B, 1000) for photographs (B, 3, 224, 224)."""
        x = hook("conv1", F.relu(self.conv1(x)))  # (B, 64, 55, 55)
        x = hook("pool1", F.max_pool2d(x, 3, 2))  # (B, 64, 27, 27)
        x = hook("conv2", F.relu(self.conv2(x)))  # (B, 192, 27, 27)
        x = hook("pool2", F.max_pool2d(x, 3, 2))  # (B, 192, 13, 13)
        x = hook("conv3", F.relu(self.conv3(x)))  # (B, 384, 13, 13)
        x = hook("conv4", F.relu(self.conv4(x)))  # (B, 256, 13, 13)
        x = hook("conv5", F.relu(self.conv5(x)))  # (B, 256, 13, 13)
        x = hook("pool5", F.max_pool2d(x, 3, 2))  # (B, 256, 6, 6)
        x = hook("average", F.adaptive_avg_pool2d(x, 6))  # (B, 256, 6, 6) for any size of x
        x = x.flatten(1)  # (B, 9216)
        x = hook("linear6", F.relu(self.linear6(F.dropout(x, 0.5, self.training))))  # (B, 4096)
        x = hook("linear7", F.relu(self.linear7(F.dropout(x, 0.5, self.training))))  # (B, 4096)
        return hook("linear8", self.linear8(x))  # (B, 1000)


class Shapes(Hook):
    """A hook that keeps the shape of each layer's output for one picture."""

    def __init__(self) -> None:
        self.found: dict[str, tuple[int, ...]] = {}

    def __call__(self, name: str, tensor: Tensor) -> Tensor:
        self.found[name] = tuple(tensor.shape[1:])
        return tensor


def alexnet_layers() -> tuple[LayerRow, ...]:
    """Return each layer's output shape and parameter count, at no cost: see layer_table."""
    shapes = Shapes()
    with torch.device("meta"):
        network = AlexNet()
    network.to_empty(device="cpu")(NO_PICTURES, shapes)
    layers = dict(network.named_children())  # pooling has no parameters, so it is not among them
    return tuple(
        LayerRow(name, shape, sum(one.numel() for one in layers[name].parameters()))
        if name in layers
        else LayerRow(name, shape, 0)
        for name, shape in shapes.found.items()
    )
