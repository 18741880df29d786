"""The layers of a large network: their parameters as bars, and all of them as a table."""

from collections.abc import Mapping, Sequence

from app.charts.blocks import Part, block_bars
from app.data.large_networks import Layer
from app.format import grouped
from app.i18n import _
from app.ui.chart import show_chart
from app.ui.table import table


def draw_layers(
    layers: Sequence[Layer], names: Mapping[str, str], key: str, convolutions: str
) -> None:
    """Draw all layers; `names` are in English, `convolutions` is the title of those not linear."""
    counts = {layer.name: layer.parameters for layer in layers if layer.parameters}
    linear = [layer.parameters * layer.is_linear for layer in layers if layer.parameters]
    others = [count - own for count, own in zip(counts.values(), linear, strict=True)]
    parts = [Part(convolutions, "value", "", others), Part(_("linear layers"), "key", "/", linear)]
    figure = block_bars(list(counts), parts, value_title=_("parameters"))
    show_chart(figure, key, _("Parameters of each layer"))
    _draw_table(layers, names, f"{key}-layers")


def _draw_table(layers: Sequence[Layer], names: Mapping[str, str], key: str) -> None:
    total = sum(layer.parameters for layer in layers)
    table(
        {
            _("layer"): [layer.name for layer in layers],
            _("what comes out"): [" × ".join(map(str, layer.shape)) for layer in layers],
            _("parameters"): [grouped(layer.parameters) for layer in layers],
            _("share"): [f"{100 * layer.parameters / total:.1f} %" for layer in layers],
            _("what it is"): [_(names[layer.name]) for layer in layers],
        },
        key,
    )
