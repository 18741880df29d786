"""Scores of a model by the length of the sentence, as measured once on the test sentences."""

from dataclasses import dataclass
from typing import Any

from app.data.translation import load
from model.files import fits


@dataclass(frozen=True)
class OfLength:
    """BLEU on the `n` test sentences of `low` to `high` words."""

    low: int
    high: int
    n: int
    bleu: float


def by_length(name: str) -> tuple[OfLength, ...]:
    """Return a model's scores, short sentences first, as its files hold them; none if they don't.

    Raises ModelUnavailableError.
    """
    rows = load(name).metrics.get("test_by_length")
    if not isinstance(rows, list) or not all(map(_is_row, rows)):
        return ()
    return tuple(
        OfLength(low, high, row["n"], row["bleu"]) for row in rows for low, high in [row["words"]]
    )


def _is_row(row: Any) -> bool:
    kinds: dict[str, Any] = {"words": tuple[int, int], "n": int, "bleu": float}
    return isinstance(row, dict) and all(fits(row.get(name), kind) for name, kind in kinds.items())
