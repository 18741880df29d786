"""Two columns of words, keys left and queries right, with a line for each attention weight.

T queries, S keys.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from app.components.grid import Weights, labels
from app.components.shared import mount, pack
from app.i18n import _

if TYPE_CHECKING:
    from app.state import Pin


def lines(
    weights: Weights,
    *,
    key: str,
    locked: Pin | None = None,
    on_lock: Callable[[Pin], None] | None = None,
    plays: bool = False,
) -> None:
    """Show weights (T, S) as lines between two columns, in which a word can be locked.

    A locked word is a pin with one side, a query or a key; a pin with neither unlocks it. If it
    `plays`, it shows the attention of one query after the other until the visitor points at it.
    """
    mount(
        "lines",
        _word,
        key=key,
        fixed=payload(weights, plays),
        chosen=locked and locked._asdict(),
        on_event=on_lock,
    )


def _word(sent: Mapping[str, Any]) -> Pin:
    from app.state import Pin

    return Pin(**sent)


def payload(weights: Weights, plays: bool = False) -> dict[str, Any]:
    """Return what the browser draws."""
    return {
        "weights": pack(weights.values, np.float32),
        **labels(weights),
        "plays": plays,
        "text": {
            "name": _("Who looks at whom, as lines"),
            "locked": _("Locked"),
            "pause": _("Pause"),
            "play": _("Play"),
            "hint": _("Point at a token, or walk with the arrow keys. A click or Enter locks it."),
        }
        | (_writing() if plays else _looking() if weights.reach is None else _differing()),
    }


def _looking() -> dict[str, str]:
    return {
        "keys": _("key (is looked at)"),
        "queries": _("query (looks)"),
        "looks": _("“{word}” looks at {top}"),
        "looked_at": _("“{word}” is looked at by {top}"),
    }


def _differing() -> dict[str, str]:
    """Return the words for differences: the changed run minus the original one."""
    return _looking() | {
        "looks": _("“{word}” changes most at {top}"),
        "looked_at": _("“{word}” is looked at more, or less, by {top}"),
        "hint": _(
            "A solid line: it looks there more than in the original run; a dashed one: less."
        ),
    }


def _writing() -> dict[str, str]:
    """Return the words for queries that are labelled with the token written after reading them."""
    return {
        "keys": _("source"),
        "queries": _("read → written"),
        "looks": _("“{word}”: it looks at {top}"),
        "looked_at": _("“{word}” is looked at {top}"),
    }
