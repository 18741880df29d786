"""The attention matrix one can click and walk through with the arrow keys. (T queries, S keys)"""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.components.grid import Weights, cells, labels, table_words
from app.components.shared import mount
from app.i18n import _
from app.state import Pin


def matrix(
    weights: Weights,
    *,
    key: str,
    pinned: Pin | None = None,
    mask: NDArray[np.bool_] | None = None,
    text: Mapping[str, str] | None = None,
    on_pin: Callable[[Pin], None] | None = None,
) -> None:
    """Show weights (T, S) as cells; what is pinned is a cell, a row or a column.

    `mask` (T, S) is True where one may look; `text` replaces some of the words.
    """
    mount(
        "matrix",
        lambda pin: Pin(**pin),
        key=key,
        fixed=payload(weights, mask, text),
        chosen=pinned and pinned._asdict(),
        on_event=on_pin,
    )


def payload(
    weights: Weights, mask: NDArray[np.bool_] | None = None, text: Mapping[str, str] | None = None
) -> dict[str, Any]:
    """Return what the browser draws; ValueError where labels and weights do not fit."""
    words = {
        "hint": _("Point at a cell, or walk with the arrow keys. A click or Enter pins it."),
        "query": _("“{query}” looks most at {top}"),
        "key": _("Column of “{key}”: the weight each query gives it"),
        "pinned": _("Pinned"),
    }
    return {
        **cells(weights.values, mask),
        **labels(weights),
        "text": {**table_words(), **words, **(text or {})},
    }
