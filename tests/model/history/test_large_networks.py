"""AlexNet and ResNet-50: layers and parameters are the published ones, and nothing is computed."""

import inspect
import math
import re

import torch

from model.history.large_networks import AlexNet, alexnet_layers, resnet50, resnet50_layers
from model.nn.hooks import Recorder

# torchvision's state dict of alexnet, by layer: shapes of weight and bias.
ALEXNET = {
    "conv1": [(64, 3, 11, 11), (64,)],
    "conv2": [(192, 64, 5, 5), (192,)],
    "conv3": [(384, 192, 3, 3), (384,)],
    "conv4": [(256, 384, 3, 3), (256,)],
    "conv5": [(256, 256, 3, 3), (256,)],
    "linear6": [(4096, 9216), (4096,)],
    "linear7": [(4096, 4096), (4096,)],
    "linear8": [(1000, 4096), (1000,)],
}
# What comes out of each stage of a 50-layer network: the paper's table 1.
STAGES = {
    "conv1": (64, 112, 112), "pool1": (64, 56, 56), "stage2": (256, 56, 56),
    "stage3": (512, 28, 28), "stage4": (1024, 14, 14), "stage5": (2048, 7, 7),
    "average": (2048,), "linear": (1000,),
}  # fmt: skip


def test_alexnet_has_61_100_840_parameters_in_torchvisions_shapes() -> None:
    with torch.device("meta"):
        layers = dict(AlexNet().named_children())
    found = {
        name: [tuple(one.shape) for one in layer.parameters()] for name, layer in layers.items()
    }
    assert found == ALEXNET
    counts = {layer.name: layer.parameters for layer in alexnet_layers()}
    assert sum(counts.values()) == 61_100_840
    for name, shapes in ALEXNET.items():
        assert counts[name] == sum(map(math.prod, shapes))


def test_alexnets_code_says_the_shapes_that_it_makes() -> None:
    """The page shows these lines: the shape behind each is the one that really comes out."""
    written = re.findall(
        r'hook\("(\w+)", .*#.*?\(B, ([\d, ]+)\)', inspect.getsource(AlexNet.forward)
    )
    said = {name: tuple(map(int, shape.split(", "))) for name, shape in written}
    assert said == {layer.name: layer.shape for layer in alexnet_layers()}
    published = {"conv1": (64, 55, 55), "conv2": (192, 27, 27), "pool5": (256, 6, 6)}
    assert published.items() <= said.items()


def test_alexnet_reads_photographs_of_other_sizes() -> None:
    recorder = Recorder()
    with torch.device("meta"):
        network = AlexNet()
    with torch.no_grad():
        network.to_empty(device="cpu")(torch.empty(0, 3, 300, 260), recorder)
    assert recorder.arrays["pool5"].shape == (0, 256, 8, 7)
    assert recorder.arrays["average"].shape == (0, 256, 6, 6)


def test_resnet50_has_25_557_032_parameters_in_the_papers_stages() -> None:
    layers = resnet50_layers()
    assert sum(layer.parameters for layer in layers) == 25_557_032
    assert {layer.name: layer.shape for layer in layers} == STAGES


def test_resnet50_has_50_layers_with_weights() -> None:
    with torch.device("meta"):
        modules = [one for _, stage in resnet50() for one in stage.modules()]
    convolutions = [one for one in modules if isinstance(one, torch.nn.Conv2d)]
    linears = [one for one in modules if isinstance(one, torch.nn.Linear)]
    projections = 4  # not counted in the paper's 50
    assert len(convolutions) - projections + len(linears) == 50
