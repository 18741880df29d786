"""The attention matrix, used with the pointer or the arrow keys. (T queries, S keys)"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.components.grid import Weights, cells, difference_words, labels, table_words
from app.components.shared import mount, pack
from app.i18n import _

if TYPE_CHECKING:
    from app.state import Pin


class Edit(NamedTuple):
    """A weight that was set by hand: how much a query attends to a key."""

    query: int
    key: int
    weight: float


def matrix(
    weights: Weights,
    *,
    key: str,
    pinned: Pin | None = None,
    mask: NDArray[np.bool_] | None = None,
    text: Mapping[str, str] | None = None,
    on_pin: Callable[[Pin], None] | None = None,
    on_edit: Callable[[Edit], None] | None = None,
) -> None:
    """Show weights (T, S) as cells; a cell, a row or a column can be pinned.

    `mask` (T, S) is True where attention is allowed; `text` replaces some of the words. With
    `on_edit`, weights can be set by hand.
    """

    def on_event(sent: Pin | Edit) -> None:
        if isinstance(sent, Edit):
            if on_edit is not None:
                on_edit(sent)
        elif on_pin is not None:
            on_pin(sent)

    mount(
        "matrix",
        read,
        key=key,
        fixed=payload(weights, mask, text, edits=on_edit is not None),
        chosen=pinned and pinned._asdict(),
        on_event=on_event,
    )


def read(sent: Mapping[str, Any]) -> Pin | Edit:
    """Return what was pinned, or the weight that was set."""
    from app.state import Pin

    return Edit(**sent) if "weight" in sent else Pin(**sent)


def payload(
    weights: Weights,
    mask: NDArray[np.bool_] | None = None,
    text: Mapping[str, str] | None = None,
    *,
    edits: bool = False,
) -> dict[str, Any]:
    """Return what the browser draws."""
    words = {
        "hint": _("Point at a cell, or walk with the arrow keys. A click or Enter pins it."),
        "query": _("“{query}” looks most at {top}"),
        "key": _("Column of “{key}”: the weight each query gives it"),
        "pinned": _("Pinned"),
        "absent": _("none"),
        "halves": "",
    }
    if edits:
        words["hint"] = _(
            "Drag a cell up or down, or press + and − on it (Shift with ↑ and ↓: larger steps). "
            "The rest of its row keeps its proportions, and the sum stays 1."
        )
    signed = {} if weights.reach is None else difference_words()
    return {
        **cells(weights.values, mask),
        **labels(weights),
        "beside": None if weights.beside is None else pack(weights.beside, np.float32),
        "edits": edits,
        "text": {**table_words(), **words, **signed, **(text or {})},
    }
