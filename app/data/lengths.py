"""Scores of a model by the length of the sentence, as measured once on the test sentences."""

from dataclasses import dataclass

from app.data.translation import load


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
    rows = load(name).metrics.get("test_by_length", [])
    return tuple(
        OfLength(low, high, row["n"], row["bleu"]) for row in rows for low, high in [row["words"]]
    )
