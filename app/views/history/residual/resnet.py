"""ResNet-50: what comes out of each stage, and where its parameters are."""

from app.charts.blocks import Part, block_bars
from app.data.large_networks import alexnet, resnet50
from app.format import grouped
from app.i18n import _
from app.ui.chart import show_chart
from app.ui.layer_table import layer_table
from app.views.history.residual import texts
from app.views.history.residual.choice import Choice
from app.views.history.residual.data import BLOCKS


def resnet_text(_choice: Choice) -> str:
    """Say how many parameters there are, and how few that is."""
    layers = resnet50()
    total = sum(layer.parameters for layer in layers)
    less = f"{100 * total / sum(layer.parameters for layer in alexnet()):.0f}"
    share = f"{100 * layers[-1].parameters / total:.1f}"
    return _(texts.RESNET).format(blocks=BLOCKS, total=grouped(total), less=less, share=share)


def draw_resnet(_choice: Choice) -> None:
    """Draw the stages as a table and their parameters as bars."""
    layers = resnet50()
    counts = {layer.name: layer.parameters for layer in layers if layer.parameters}
    *convolutions, linear = counts.values()
    parts = [
        Part(_("convolutions and normalisation"), "value", "", [*convolutions, 0]),
        Part(_("linear layers"), "key", "/", [*[0] * len(convolutions), linear]),
    ]
    figure = block_bars(list(counts), parts, value_title=_("parameters"))
    show_chart(figure, "resnet", _("Parameters of each layer"))
    layer_table(layers, texts.RESNET_NAMES, "resnet-layers")
