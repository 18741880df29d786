"""The attention matrix one can click and walk through with the arrow keys. (T queries, S keys)"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.charts.theme import Role
from app.components.shared import mount, pack, register
from app.format import visible
from app.i18n import _
from app.state import Pin

_matrix = register("matrix")


def matrix(
    weights: NDArray[np.floating],
    query_labels: Sequence[str],
    key_labels: Sequence[str],
    *,
    key: str,
    pinned: Pin | None = None,
    mask: NDArray[np.bool_] | None = None,
    query_role: Role = "query",
    key_role: Role = "key",
    text: Mapping[str, str] | None = None,
    on_pin: Callable[[Pin], None] | None = None,
) -> Pin | None:
    """Show weights (T, S) as cells and return what was just pinned, by row and column.

    `mask` (T, S) is True where one may look; `text` replaces some of the words.
    """
    fixed = payload(weights, query_labels, key_labels, mask, text)
    return mount(
        _matrix,
        "pin",
        read,
        key=key,
        fixed={**fixed, "roles": [query_role, key_role]},
        chosen=None if pinned is None else pinned._asdict(),
        on_event=on_pin,
    )


def payload(
    weights: NDArray[np.floating],
    query_labels: Sequence[str],
    key_labels: Sequence[str],
    mask: NDArray[np.bool_] | None = None,
    text: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """Return what the browser draws; ValueError where labels and weights do not fit."""
    if (len(query_labels), len(key_labels)) != weights.shape:
        raise ValueError(f"Weights of shape {weights.shape} do not fit their labels.")
    return {
        "values": pack(weights, np.float32),
        "mask": None if mask is None else pack(mask, np.uint8),
        "queries": [visible(label) for label in query_labels],
        "keys": [visible(label) for label in key_labels],
        "text": {**words(), **(text or {})},
    }


def words() -> dict[str, str]:
    """Return the words of the matrix; marks in braces are filled in by the browser."""
    return {
        "name": _("Attention weights: rows are queries, columns are keys"),
        "query_axis": _("query (looks) ↓"),
        "key_axis": _("key (is looked at) →"),
        "hint": _("Point at a cell, or walk with the arrow keys. A click or Enter pins it."),
        "cell": _("“{query}” looks at “{key}”: {weight}"),
        "masked": _("“{query}” may not look at “{key}”: masked"),
        "query": _("“{query}” looks most at {top}"),
        "key": _("Column of “{key}”: what each query gives to it"),
        "pinned": _("Pinned"),
        "hatched": _("masked: one may not look there"),
    }


def read(event: Mapping[str, Any]) -> Pin:
    """Turn an event of the browser into a pin."""
    return Pin(event.get("query"), event.get("key"))
