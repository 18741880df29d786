"""Data that all grids of cells need: numbers with their mask, labels, and the words of a table."""

import base64
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.components.shared import pack
from app.format import visible
from app.i18n import _

MANY: Final = 4096  # numbers: it is worth sending these as halves where nothing is lost


class Weights(NamedTuple):
    """Attention weights (…, T, S), with the labels of their rows and columns.

    Differences of weights have a `reach`, the end of their signed colour scale. With `beside`, each
    cell has two numbers, one above the other; NaN is a missing number.
    """

    values: NDArray[np.floating]
    queries: Sequence[str]
    keys: Sequence[str]
    reach: float | None = None
    beside: NDArray[np.floating] | None = None
    languages: tuple[str, str] = ("", "")  # the codes of the queries' and the keys', where known
    unheard: str = ""  # why nothing comes of these weights, which are hatched then


def cells(values: NDArray[np.floating], mask: NDArray[np.bool_] | None) -> dict[str, Any]:
    """Return numbers and their mask, None if attention is allowed everywhere.

    Many numbers that half precision holds exactly, as a shipped model's parameters, are sent so.
    """
    with np.errstate(over="ignore"):
        singles = values.astype("<f4")
        halves = singles.astype("<f2")
    half = values.size >= MANY and np.array_equal(halves, singles, equal_nan=True)
    # The lowest bytes of all numbers, then the next ones: they compress better apart.
    apart = (halves if half else singles).reshape(-1, 1).view(np.uint8).T
    return {
        "values": pack(apart, np.uint8),
        "half": half,
        "mask": None if mask is None else pack(mask, np.uint8),
    }


def numbers(item: Mapping[str, Any]) -> NDArray[np.float32]:
    """Return the numbers that an item of a board was sent with."""
    dtype = np.dtype("<f2" if item["half"] else "<f4")
    apart = np.frombuffer(base64.b64decode(item["values"]), np.uint8)
    values = apart.reshape(dtype.itemsize, -1).T.copy().view(dtype)
    return values.astype(np.float32).reshape(item["shape"])


def labels(weights: Weights) -> dict[str, Any]:
    """Return the labels and the reach of weights."""
    labelled = len(weights.queries), len(weights.keys)
    assert labelled == weights.values.shape[-2:], "a label for each row and column"
    return {
        "reach": weights.reach,
        "queries": [visible(text) for text in weights.queries],
        "keys": [visible(text) for text in weights.keys],
        "unheard": weights.unheard,
        "languages": dict(zip(("query", "key"), weights.languages, strict=True)),
    }


def difference_words() -> dict[str, str]:
    """Return the words of a table of differences, which replace those of a table of weights."""
    return {
        "name": _("Changed run minus original run: rows are queries, columns are keys"),
        "cell": _("“{query}” looks at “{key}”: {weight} more than in the original run"),
        "query": _("“{query}” changes most at {top}"),
        "key": _("Column of “{key}”: how much more each query looks at it"),
        "masked": _("“{query}” → “{key}”: not in both runs"),
        "hatched": _("not in both runs, or masked"),
    }


def table_words() -> dict[str, str]:
    """Return the words of a table of weights; the browser fills in the marks in braces."""
    return {
        "name": _("Attention weights: rows are queries, columns are keys"),
        "query_axis": _("query (looks) ↓"),
        "key_axis": _("key (is looked at) →"),
        "cell": _("“{query}” looks at “{key}”: {weight}"),
        "masked": _("“{query}” cannot look at “{key}”: masked"),
        "hatched": _("masked: attention is not allowed here"),
        "more": _("more columns on the right: {n}"),
    }
