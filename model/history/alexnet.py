"""AlexNet (Krizhevsky, Sutskever and Hinton 2012), as one tower (Krizhevsky 2014).

The first paper cut it in two for two graphics cards; the second, and torchvision, keep it whole.
"""

from typing import Final

from torch import nn

from model.history.layer_table import Layer, layer_table

CLASSES: Final = 1000


def alexnet() -> list[tuple[str, nn.Module]]:
    """Return the layers in their order, by name."""
    return [
        ("conv1", _convolution(3, 64, 11, stride=4, padding=2)),
        ("pool1", nn.MaxPool2d(3, 2)),
        ("conv2", _convolution(64, 192, 5, padding=2)),
        ("pool2", nn.MaxPool2d(3, 2)),
        ("conv3", _convolution(192, 384, 3, padding=1)),
        ("conv4", _convolution(384, 256, 3, padding=1)),
        ("conv5", _convolution(256, 256, 3, padding=1)),
        ("pool5", nn.MaxPool2d(3, 2)),
        ("linear6", nn.Sequential(nn.Flatten(), *_linear(256 * 6 * 6, 4096))),
        ("linear7", nn.Sequential(*_linear(4096, 4096))),
        ("linear8", nn.Linear(4096, CLASSES)),
    ]


def alexnet_layers() -> tuple[Layer, ...]:
    """Return what comes out of each layer, and its parameters."""
    return layer_table(alexnet)


def _convolution(c_in: int, c_out: int, k: int, stride: int = 1, padding: int = 0) -> nn.Module:
    return nn.Sequential(nn.Conv2d(c_in, c_out, k, stride, padding), nn.ReLU())


def _linear(n_in: int, n_out: int) -> list[nn.Module]:
    """Return a layer that, in training, drops half of what comes in: dropout was new then."""
    return [nn.Dropout(0.5), nn.Linear(n_in, n_out), nn.ReLU()]
