"""The layers of a large network as a table, with CSV."""

from collections.abc import Mapping, Sequence

from app.data.large_networks import Layer
from app.format import grouped
from app.i18n import _
from app.ui.table import table


def layer_table(layers: Sequence[Layer], names: Mapping[str, str], key: str) -> None:
    """Draw what each layer is, the shape that comes out, its parameters and their share."""
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
