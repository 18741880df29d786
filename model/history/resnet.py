"""ResNet-50 (He and others 2015, table 1), built from our own blocks.

The stride is in the 3 × 3 convolution, as in torchvision; in the paper it is one layer earlier,
which changes neither shapes nor parameters.
"""

from typing import Final

from torch import nn

from model.history.batch_norm import BatchNorm
from model.history.layer_table import LayerRow, layer_table
from model.history.residual import EXPANSION, Bottleneck

CLASSES: Final = 1000
STEM: Final = 64
# Blocks of each stage, their inner width, and the stride of the first one.
STAGES: Final = ((3, 64, 1), (4, 128, 2), (6, 256, 2), (3, 512, 2))


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
    """Return each stage's output shape and parameter count."""
    return layer_table(resnet50)
