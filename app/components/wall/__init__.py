"""The wall: every head of every layer as a thumbnail. (L layers, H heads, T queries, S keys)"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.components.grid import Weights, labels
from app.components.shared import mount, pack
from app.i18n import _

# Aggregates of the heads of a layer, by name: the title and the weights (L, T, S).
Aggregates = Mapping[str, tuple[str, NDArray[np.floating]]]


class HeadPick(NamedTuple):
    """A picture of the wall: a head, given by its index, or an aggregate, given by its name."""

    layer: int
    head: int | str


def wall(
    weights: Weights,
    *,
    key: str,
    locked: HeadPick,
    on_lock: Callable[[HeadPick], None],
    aggregates: Aggregates | None = None,
    unheard: Sequence[tuple[int, int]] = (),
    enlarged: bool = True,
) -> None:
    """Show weights (L, H, T, S) with each layer's aggregates beside its heads.

    One picture is locked. If `enlarged`, the picture that is pointed at, or else the locked one, is
    also shown large; pages that draw the locked picture themselves turn this off. `unheard` are the
    layers and heads of whose weights nothing comes, which are hatched.
    """
    mount(
        "wall",
        lambda pick: HeadPick(**pick),
        key=key,
        fixed=payload(weights, aggregates or {}, unheard, enlarged=enlarged),
        chosen=locked._asdict(),
        on_event=on_lock,
    )


def payload(
    weights: Weights,
    aggregates: Aggregates,
    unheard: Sequence[tuple[int, int]] = (),
    *,
    enlarged: bool = True,
) -> dict[str, Any]:
    """Return what the browser draws: one byte per weight, a layer's aggregates after its heads."""
    layers, heads = weights.values.shape[:2]
    titles = [title for title, _weights in aggregates.values()]
    means = [array[:, None] for _title, array in aggregates.values()]  # (L, T, S) -> (L, 1, T, S)
    pictures = np.concatenate([weights.values, *means], axis=1)
    levels = pictures if weights.reach is None else (pictures / weights.reach + 1) / 2
    head_name, name = _("layer {layer} head {head}"), _("layer {layer}, {name} over heads")
    return {
        # A byte is enough for a colour and a quarter of the size; NaN is in the middle.
        "pictures": pack(np.rint(np.clip(np.nan_to_num(levels, nan=0.5), 0, 1) * 255), np.uint8),
        "layers": layers,
        "heads": [*range(heads), *aggregates],
        "titles": [*(str(h + 1) for h in range(heads)), *titles],
        "names": [
            *(head_name.format(layer="{layer}", head=h + 1) for h in range(heads)),
            *(name.format(layer="{layer}", name=title) for title in titles),
        ],
        "aggregates": len(titles),
        "enlarged": enlarged,
        **labels(weights),
        "unheard": list(unheard),
        "text": {
            "name": _("All layers and heads"),
            "corner_layer": _("layer ↓"),
            "corner_head": _("head →"),
            "locked": _("locked"),
            "unheard": _("muted"),
            "hint": _("Point at a picture to enlarge it. A click or Enter locks it.")
            if enlarged
            else _("A click or Enter on a picture draws it below, with its numbers."),
            "query_axis": _("query (looks) ↓"),
            "key_axis": _("key (is looked at) →"),
        },
    }
