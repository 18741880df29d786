"""ResNet-50: what comes out of each stage, and where its parameters are."""

from app.data.large_networks import alexnet, resnet50
from app.format import grouped, number
from app.i18n import _
from app.ui.layer_table import draw_parameters, draw_shapes
from app.views.history.residual import texts
from app.views.history.residual.choice import Choice
from app.views.history.residual.data import BLOCKS

SIDE = 224  # of a photograph, in pixels


def resnet_text(_choice: Choice) -> str:
    """Say how many parameters there are, and how few that is."""
    layers = resnet50()
    total = sum(layer.parameters for layer in layers)
    less = f"{100 * total / sum(layer.parameters for layer in alexnet()):.0f}"
    share = number(100 * layers[-1].parameters / total, 1)
    return _(texts.RESNET).format(blocks=BLOCKS, total=grouped(total), less=less, share=share)


def draw_resnet(_choice: Choice) -> None:
    """Draw the parameters of the stages as bars."""
    draw_parameters(resnet50(), "resnet", _("convolutions and normalisation"))


def shapes_text(_choice: Choice) -> str:
    """Say how the grids shrink and become more."""
    grids = [layer.shape for layer in resnet50() if len(layer.shape) > 1]
    most, last = max(shape[0] for shape in grids), grids[-1][1]
    return _(texts.SHAPES).format(side=SIDE, last=last, most=most)


def draw_resnet_shapes(_choice: Choice) -> None:
    """Draw what comes out of each stage."""
    draw_shapes(resnet50(), texts.RESNET_NAMES, "resnet-layers")
