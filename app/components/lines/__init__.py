"""Two columns of words and a line for every look: keys left, queries right. (T queries, S keys)"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from app.components.shared import mount, pack, register
from app.components.texts import LinesText, lines_text
from app.format import visible


@dataclass(frozen=True)
class WordPick:
    """A locked word: its column, and its index there; no index where it was unlocked."""

    side: Literal["query", "key"]
    index: int | None


_lines = register("lines")


def lines(
    weights: NDArray[np.floating],
    query_labels: Sequence[str],
    key_labels: Sequence[str],
    *,
    key: str,
    locked: WordPick | None = None,
    text: LinesText | None = None,
    on_lock: Callable[[WordPick], None] | None = None,
) -> WordPick | None:
    """Show weights (T, S) as lines between two columns and return the word just locked."""
    return mount(
        _lines,
        "lock",
        read,
        key=key,
        fixed=payload(weights, query_labels, key_labels, text or lines_text()),
        chosen=None if locked is None else asdict(locked),
        on_event=on_lock,
    )


def payload(
    weights: NDArray[np.floating],
    query_labels: Sequence[str],
    key_labels: Sequence[str],
    text: LinesText,
) -> dict[str, Any]:
    """Return what the browser draws; ValueError where labels and weights do not fit."""
    if (len(query_labels), len(key_labels)) != weights.shape:
        raise ValueError(f"Weights of shape {weights.shape} do not fit their labels.")
    return {
        "weights": pack(weights, np.float32),
        "queries": [visible(label) for label in query_labels],
        "keys": [visible(label) for label in key_labels],
        "text": asdict(text),
    }


def read(event: Mapping[str, Any]) -> WordPick:
    """Turn an event of the browser into a pick."""
    return WordPick(event["side"], event.get("index"))
