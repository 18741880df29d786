"""The layers of a large network: their parameters as bars, and all layers as a table."""

from collections.abc import Mapping, Sequence

from app.charts.bars import Part, block_bars
from app.data.images import LayerRow
from app.format import grouped
from app.i18n import _
from app.ui.chart import show_chart
from app.ui.kept import table_menu
from app.ui.table import Columns
from app.ui.vectors_html import Box, show, stacked


def draw_parameters(layers: Sequence[LayerRow], key: str, convolutions: str) -> None:
    """Draw the parameters of all layers; `convolutions` names the layers that are not linear."""
    counts = {layer.name: layer.parameters for layer in layers if layer.parameters}
    linear = [layer.parameters * layer.is_linear for layer in layers if layer.parameters]
    others = [count - own for count, own in zip(counts.values(), linear, strict=True)]
    parts = [Part(convolutions, "value", "", others), Part(_("linear layers"), "key", "/", linear)]
    figure = block_bars(list(counts), parts, value_title=_("parameters"))

    def columns() -> Columns:
        return {_("layer"): list(counts), _("parameters"): list(counts.values())}

    show_chart(figure, key, _("Parameters of each layer"), columns)


def draw_shapes(layers: Sequence[LayerRow], names: Mapping[str, str], key: str) -> None:
    """Draw each layer's output shape as a box, and a table; `names` are in English."""
    shapes = [" × ".join(map(str, layer.shape)) for layer in layers]
    boxes = [Box(shape, layer.name) for shape, layer in zip(shapes, layers, strict=True)]
    show(stacked([Box("3 × 224 × 224", _("a photograph")), *boxes]))

    def columns() -> Columns:
        total = sum(layer.parameters for layer in layers)
        return {
            _("layer"): [layer.name for layer in layers],
            _("what comes out"): shapes,
            _("parameters"): [grouped(layer.parameters) for layer in layers],
            _("share"): [layer.parameters / total for layer in layers],
            _("what it is"): [_(names[layer.name]) for layer in layers],
        }

    table_menu(key, columns, key)
