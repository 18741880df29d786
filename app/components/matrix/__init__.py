"""The attention matrix one can click and walk through with the arrow keys. (T queries, S keys)"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.charts.theme import Role
from app.components.shared import mount, pack, register
from app.components.texts import MatrixText, matrix_text
from app.format import visible


class Cell(NamedTuple):
    """What was pinned: a cell, a query (no column), a key (no row), or nothing any more."""

    row: int | None
    col: int | None


_matrix = register("matrix")


def matrix(
    weights: NDArray[np.floating],
    query_labels: Sequence[str],
    key_labels: Sequence[str],
    *,
    key: str,
    pinned: Cell | None = None,
    masked: NDArray[np.bool_] | None = None,
    query_role: Role = "query",
    key_role: Role = "key",
    text: MatrixText | None = None,
    on_pin: Callable[[Cell], None] | None = None,
) -> Cell | None:
    """Show weights (T, S) as cells and return what was just pinned; `masked` is True where open."""
    fixed = payload(weights, query_labels, key_labels, masked, text or matrix_text())
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
    masked: NDArray[np.bool_] | None,
    text: MatrixText,
) -> dict[str, Any]:
    """Return what the browser draws; ValueError where labels and weights do not fit."""
    if (len(query_labels), len(key_labels)) != weights.shape:
        raise ValueError(f"Weights of shape {weights.shape} do not fit their labels.")
    return {
        "weights": pack(weights, np.float32),
        "open": None if masked is None else pack(masked, np.uint8),
        "queries": [visible(label) for label in query_labels],
        "keys": [visible(label) for label in key_labels],
        "text": asdict(text),
    }


def read(event: Mapping[str, Any]) -> Cell:
    """Turn an event of the browser into a cell."""
    return Cell(event.get("row"), event.get("col"))
