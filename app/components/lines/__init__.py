"""Two columns of words and a line for every look: keys left, queries right. (T queries, S keys)"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.components.shared import mount, pack, register
from app.format import visible
from app.i18n import _
from app.state import Pin

_lines = register("lines")


def lines(
    weights: NDArray[np.floating],
    query_labels: Sequence[str],
    key_labels: Sequence[str],
    *,
    key: str,
    locked: Pin | None = None,
    on_lock: Callable[[Pin], None] | None = None,
) -> Pin | None:
    """Show weights (T, S) as lines between two columns and return the word just locked.

    A locked word is a pin with one side: a query or a key; with none, it was unlocked.
    """
    return mount(
        _lines,
        "lock",
        read,
        key=key,
        fixed=payload(weights, query_labels, key_labels),
        chosen=None if locked is None else locked._asdict(),
        on_event=on_lock,
    )


def payload(
    weights: NDArray[np.floating],
    query_labels: Sequence[str],
    key_labels: Sequence[str],
) -> dict[str, Any]:
    """Return what the browser draws; ValueError where labels and weights do not fit."""
    if (len(query_labels), len(key_labels)) != weights.shape:
        raise ValueError(f"Weights of shape {weights.shape} do not fit their labels.")
    return {
        "weights": pack(weights, np.float32),
        "queries": [visible(label) for label in query_labels],
        "keys": [visible(label) for label in key_labels],
        "text": words(),
    }


def words() -> dict[str, str]:
    """Return the words of the lines; marks in braces are filled in by the browser."""
    return {
        "name": _("Who looks at whom, as lines"),
        "keys": _("key (is looked at)"),
        "queries": _("query (looks)"),
        "looks": _("“{word}” looks at {top}"),
        "looked_at": _("“{word}” is looked at by {top}"),
        "locked": _("Locked"),
        "hint": _("Point at a word, or walk with the arrow keys. A click or Enter locks it."),
    }


def read(event: Mapping[str, Any]) -> Pin:
    """Turn an event of the browser into a pin."""
    return Pin(event.get("query"), event.get("key"))
