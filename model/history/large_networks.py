"""AlexNet and ResNet-50, and their layers: each one's output shape and parameter count, at no cost.

AlexNet (Krizhevsky, Sutskever and Hinton 2012) is one tower (Krizhevsky 2014): the first paper
splits it over two graphics cards; the second, and torchvision, keep it whole. ResNet-50 (He and
others 2015, table 1) is built from our own blocks. Its stride is in the 3 × 3 convolution, as in
torchvision; in the paper it is one layer earlier, which changes neither shapes nor parameters.

Parameters are created on PyTorch's "meta" device, where they have a shape but no numbers, and
moved to memory that is never written; then an empty batch is passed through. So nothing is stored
or computed. (On "meta" itself, a ReLU would import PyTorch's compiler, which delays the first page
with a table by 2.5 s.)
"""

from dataclasses import dataclass
from typing import Final

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from model.history.batch_norm import BatchNorm
from model.history.residual import EXPANSION, Bottleneck
from model.nn.hooks import NO_HOOK, Hook, Recorder

CLASSES: Final = 1000
NO_PICTURES: Final = torch.empty(0, 3, 224, 224)
STEM: Final = 64  # channels of ResNet-50's first convolution
# Blocks of each stage, their inner width, and the stride of the first one.
STAGES: Final = ((3, 64, 1), (4, 128, 2), (6, 256, 2), (3, 512, 2))


@dataclass(frozen=True)
class LayerRow:
    """A layer or a stage: its name, the shape of one picture after it, and its parameter count."""

    name: str
    shape: tuple[int, ...]
    parameters: int

    @property
    def is_linear(self) -> bool:
        return self.name.startswith("linear")


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


def alexnet_layers() -> tuple[LayerRow, ...]:
    """Return each layer's output shape and parameter count, at no cost."""
    recorder = Recorder()
    with torch.device("meta"):
        network = AlexNet()
    with torch.no_grad():
        network.to_empty(device="cpu")(NO_PICTURES, recorder)
    layers = dict(network.named_children())  # pooling has no parameters, so it is not among them
    return tuple(
        LayerRow(name, array.shape[1:], _count(layers[name]) if name in layers else 0)
        for name, array in recorder.arrays.items()
    )


def resnet50() -> list[tuple[str, nn.Module]]:
    """Return the stages in their order, by name."""
    convolution = nn.Conv2d(3, STEM, 7, 2, padding=3, bias=False)
    stages: list[tuple[str, nn.Module]] = [
        ("conv1", nn.Sequential(convolution, BatchNorm(STEM), nn.ReLU())),
        ("pool1", nn.MaxPool2d(3, 2, padding=1)),
    ]
    c_in = STEM
    for n, (blocks, width, stride) in enumerate(STAGES, start=2):
        first, c_in = Bottleneck(c_in, width, stride), EXPANSION * width
        rest = (Bottleneck(c_in, width) for _ in range(blocks - 1))
        stages.append((f"stage{n}", nn.Sequential(first, *rest)))
    stages.append(("average", nn.Sequential(nn.AdaptiveAvgPool2d(1), nn.Flatten())))
    stages.append(("linear", nn.Linear(c_in, CLASSES)))
    return stages


def resnet50_layers() -> tuple[LayerRow, ...]:
    """Return each stage's output shape and parameter count, at no cost."""
    with torch.device("meta"):
        stages = resnet50()
    x, rows = NO_PICTURES, []
    for name, stage in stages:
        x = stage.to_empty(device="cpu").eval()(x)
        rows.append(LayerRow(name, tuple(x.shape[1:]), _count(stage)))
    return tuple(rows)


def _count(layer: nn.Module) -> int:
    return sum(one.numel() for one in layer.parameters())
