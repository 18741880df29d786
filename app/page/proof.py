"""What the badge of a history page stands for: its numbers, computed again by other code."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, eq=False)
class Recomputed:
    """Numbers of the page, the same computed again by other code, and how far they may differ."""

    name: str
    ours: np.ndarray
    again: np.ndarray
    tolerance: float

    @property
    def difference(self) -> float:
        if self.ours.shape != self.again.shape:
            return float("inf")
        differences = np.abs(np.asarray(self.ours, float) - np.asarray(self.again, float))
        return float(np.nan_to_num(differences, nan=np.inf).max(initial=0.0))

    @property
    def passed(self) -> bool:
        return self.difference <= self.tolerance


@dataclass(frozen=True)
class Proof:
    """What the badge of a page stands for; `by` says with what the numbers were computed again."""

    stages: Sequence[Recomputed]
    by: str

    @property
    def worst(self) -> Recomputed:
        """The stage nearest to its bound, or furthest beyond it."""
        return max(self.stages, key=lambda stage: stage.difference / stage.tolerance)
