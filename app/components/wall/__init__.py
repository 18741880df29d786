"""The wall: every head of every layer as a thumbnail. (L layers, H heads, T queries, S keys)"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.components.shared import mount, pack_bytes, register
from app.format import visible
from app.i18n import _


class HeadPick(NamedTuple):
    """A picture of the wall: a head by its index, or an aggregate of the layer by its name."""

    layer: int
    head: int | str


_wall = register("wall")


def wall(
    weights: NDArray[np.floating],
    query_labels: Sequence[str],
    key_labels: Sequence[str],
    *,
    key: str,
    locked: HeadPick | None = None,
    aggregates: Mapping[str, NDArray[np.floating]] | None = None,
    aggregate_titles: Mapping[str, str] | None = None,
    on_lock: Callable[[HeadPick], None] | None = None,
) -> HeadPick | None:
    """Show weights (L, H, T, S), aggregates (L, T, S) beside them; return what was just locked."""
    fixed = payload(weights, query_labels, key_labels, aggregates or {})
    titles = aggregate_titles or {}
    return mount(
        _wall,
        "lock",
        read,
        key=key,
        fixed={**fixed, "titles": [titles.get(name, name) for name in aggregates or {}]},
        chosen=None if locked is None else locked._asdict(),
        on_event=on_lock,
    )


def payload(
    weights: NDArray[np.floating],
    query_labels: Sequence[str],
    key_labels: Sequence[str],
    aggregates: Mapping[str, NDArray[np.floating]],
) -> dict[str, Any]:
    """Return what the browser draws: one byte a weight; aggregates follow the heads of a layer."""
    L, H, T, S = weights.shape
    if (len(query_labels), len(key_labels)) != (T, S):
        raise ValueError(f"Weights of shape {weights.shape} do not fit their labels.")
    extra = [array[:, None] for array in aggregates.values()]  # (L, T, S) -> (L, 1, T, S)
    return {
        "pictures": pack_bytes(np.concatenate([weights, *extra], axis=1)),
        "layers": L,
        "heads": H,
        "aggregates": list(aggregates),
        "queries": [visible(label) for label in query_labels],
        "keys": [visible(label) for label in key_labels],
        "text": words(),
    }


def words() -> dict[str, str]:
    """Return the words of the wall; marks in braces are filled in by the browser."""
    return {
        "name": _("All layers and heads"),
        "corner_layer": _("layer ↓"),
        "corner_head": _("head →"),
        "head": _("layer {layer} head {head}"),
        "aggregate": _("layer {layer}, {name} over heads"),
        "locked": _("locked"),
        "hint": _("Point at a picture for a large one. A click or Enter locks it."),
        "query_axis": _("query (looks) ↓"),
        "key_axis": _("key (is looked at) →"),
    }


def read(event: Mapping[str, Any]) -> HeadPick:
    """Turn an event of the browser into a pick."""
    return HeadPick(event["layer"], event["head"])
