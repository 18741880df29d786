"""Checks of whether a row of a run's logs is one that a run writes."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, Final

from model.files import fits

SCORES: Final = ("loss", "bleu", "chrf", "exact")
SIDES: Final = ("src", "tgt", "output")


def _is_logged(row: Mapping[str, Any]) -> bool:
    """Return whether a row is a step as RunLog writes it; losses may be NaN or infinite."""
    scores = row.get("validation") or dict.fromkeys(SCORES, 0.0)
    losses = [row.get("loss"), row.get("cross_entropy", 0.0), row.get("gradient_norm")]
    losses += [scores.get(name) for name in SCORES] if isinstance(scores, dict) else [None]
    counts = all(fits(row.get(name), int) for name in ("step", "epoch", "tokens"))
    return counts and fits(row.get("learning_rate"), float) and all(map(_is_measured, losses))


def _is_measured(value: Any) -> bool:
    if type(value) not in (int, float):
        return False
    return fits(abs(value), float) or value != value or abs(value) == math.inf


def _is_sampled(row: Mapping[str, Any]) -> bool:
    """Return whether a row is a frame's samples as RunLog writes them."""
    kinds = {"step": int, "exact": float, "samples": list}
    return (
        all(fits(row.get(name), kind) for name, kind in kinds.items())
        and fits(row.get("judged", 0), int)
        and all(
            isinstance(sample, dict) and all(isinstance(sample.get(side), str) for side in SIDES)
            for sample in row["samples"]
        )
    )


ROWS: Final[Mapping[str, Callable[[Mapping[str, Any]], bool]]] = {
    "log.jsonl": _is_logged,
    "samples.jsonl": _is_sampled,
}
