"""Two sides of two maps as one: words that both have stand together, each other one by itself.

T' labels of one map, T places of both.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Self

import numpy as np

from app.charts.arrange import Axis
from app.charts.theme import Floats

Place = tuple[int | None, int | None]  # a label of A and one of B; None where a run has none


@dataclass(frozen=True)
class AlignedLabels:
    """The rows, or the columns, of two maps: for each place, the label of A and that of B."""

    a: Axis
    b: Axis
    places: tuple[Place, ...]

    @classmethod
    def of(cls, a: Axis, b: Axis) -> Self:
        """Match the words of two sides in their order."""
        return cls(a, b, align(a.labels, b.labels))

    @property
    def labels(self) -> tuple[str, ...]:
        """What stands at each place."""
        texts = ((self.a.labels, i) if j is None else (self.b.labels, j) for i, j in self.places)
        return tuple(labels[i] for labels, i in texts if i is not None)

    @property
    def differs(self) -> bool:
        """Whether one of the runs has a word that the other one has not."""
        return any(None in place for place in self.places)

    @property
    def swapped(self) -> "AlignedLabels":
        """The same places, with A and B exchanged."""
        return AlignedLabels(self.b, self.a, tuple((j, i) for i, j in self.places))

    def tokens(self, place: int) -> Place:
        """Return the first token of each run at a place."""
        i, j = self.places[place]
        return self.a.first(i), self.b.first(j)

    def number(self, place: int | None) -> int | None:
        """Return what a pin calls a place: a token of B, or one of A counted on from B's last."""
        if place is None:
            return None
        a, b = self.tokens(place)
        return b if a is None or b is not None else self.b.n_tokens + a

    def find(self, number: int | None) -> int | None:
        """Return the place that a pin means, if it is there."""
        if number is None:
            return None
        of_a = number >= self.b.n_tokens
        at = self.a.find(number - self.b.n_tokens) if of_a else self.b.find(number)
        places = (i if of_a else j for i, j in self.places)
        return None if at is None else next(n for n, label in enumerate(places) if label == at)


def align(a: Sequence[str], b: Sequence[str]) -> tuple[Place, ...]:
    """Match two lists of words in their order; what only one has stands by itself, A's first."""
    places: list[Place] = []
    matcher = SequenceMatcher(None, a, b, autojunk=False)
    for tag, a_from, a_to, b_from, b_to in matcher.get_opcodes():
        ours, theirs = range(a_from, a_to), range(b_from, b_to)
        if tag == "equal":
            places += zip(ours, theirs, strict=True)
        else:
            places += [*((i, None) for i in ours), *((None, j) for j in theirs)]
    return tuple(places)


def spread(values: Floats, rows: Sequence[int | None], cols: Sequence[int | None]) -> Floats:
    """Return numbers (T', S') at their places (T, S), and NaN where this run has none."""
    wide = np.full((len(values) + 1, values.shape[1] + 1), np.nan)
    wide[:-1, :-1] = values
    chosen: Floats = wide[np.ix_(*([-1 if i is None else i for i in at] for at in (rows, cols)))]
    return chosen
