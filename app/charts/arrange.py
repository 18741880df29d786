"""Attention weights arranged for display: words merged, special tokens hidden, heads aggregated.

H heads, T query tokens, S key tokens; a weight matrix is (…, T, S) and its rows sum to 1.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from app.charts.theme import Floats

Aggregate = Literal["mean", "max"]


@dataclass(frozen=True)
class Axis:
    """One side of a matrix: its labels, and the indices of the tokens that each of them covers."""

    labels: tuple[str, ...]
    members: tuple[tuple[int, ...], ...]
    special: tuple[bool, ...]
    n_tokens: int

    @property
    def hides(self) -> bool:
        """Return whether any token has no label."""
        return sum(map(len, self.members)) < self.n_tokens

    def find(self, token: int | None) -> int | None:
        """Return the index of a token's label, or None if it is hidden or there is no token."""
        return next((i for i, members in enumerate(self.members) if token in members), None)

    def first(self, index: int | None) -> int | None:
        """Return the first token of a label."""
        return None if index is None else self.members[index][0]


def word_groups(starts_word: Sequence[bool]) -> tuple[tuple[int, ...], ...]:
    """Return the tokens of each word: a new word starts wherever `starts_word` is True."""
    groups: list[list[int]] = []
    for i, starts in enumerate(starts_word):
        if starts or not groups:
            groups.append([])
        groups[-1].append(i)
    return tuple(map(tuple, groups))


def axis(
    pieces: Sequence[str],
    words: Sequence[str],
    starts_word: Sequence[bool],
    special: Sequence[bool],
    *,
    merge: bool,
    hide: bool,
) -> Axis:
    """Return one side of a matrix, by pieces or by words, with or without special tokens.

    Raises ValueError if the number of `words` differs from the number that `starts_word` starts.
    """
    groups = word_groups(starts_word) if merge else tuple((i,) for i in range(len(pieces)))
    labels = words if merge else pieces
    if len(labels) != len(groups):
        raise ValueError(f"{len(labels)} labels do not fit {len(groups)} groups of tokens.")
    specials = [all(special[i] for i in group) for group in groups]
    shown = [i for i, is_special in enumerate(specials) if not (hide and is_special)]
    return Axis(
        labels=tuple(labels[i] for i in shown),
        members=tuple(groups[i] for i in shown),
        special=tuple(specials[i] for i in shown),
        n_tokens=len(pieces),
    )


def arrange(weights: Floats, queries: Axis, keys: Axis) -> Floats:
    """Return weights (…, T, S) by the labels of both sides; rows sum to 1 again.

    For tokens merged into one label, columns are summed and rows averaged. If keys are hidden, the
    rest of each row is divided by its sum; a row whose rest is 0 stays 0.
    """
    rows = _sum_matrix(queries)  # (T', T)
    rows /= np.maximum(rows.sum(-1, keepdims=True), 1)
    merged: Floats = rows @ weights @ _sum_matrix(keys).T  # (…, T', S')
    if not keys.hides:
        return merged
    left = merged.sum(-1, keepdims=True)
    return np.divide(merged, left, out=np.zeros_like(merged), where=left > 0)


def arrange_mask(mask: NDArray[np.bool_], queries: Axis, keys: Axis) -> NDArray[np.bool_]:
    """Return where a label may attend: wherever one of its tokens may. (T, S) -> (T', S')"""
    return (_sum_matrix(queries) @ mask @ _sum_matrix(keys).T) > 0


def aggregate(weights: Floats, how: Aggregate) -> Floats:
    """Aggregate heads, (…, H, T, S) -> (…, T, S): rows of the mean sum to 1, of the maximum not."""
    joined: Floats = weights.mean(-3) if how == "mean" else weights.max(-3)
    return joined


def causal(n_tokens: int) -> NDArray[np.bool_]:
    """Return the causal mask (T, T): True where a token attends to itself or an earlier token."""
    return np.tri(n_tokens, dtype=bool)


def strongest(weights: Floats, queries: Axis, keys: Axis) -> tuple[int, int]:
    """Return row and column of the largest weight (T, S) between words.

    Special tokens count only if there are no words.
    """
    words = ~np.logical_or.outer(queries.special, keys.special)  # (T, S)
    of = np.where(words, weights, -1) if words.any() else weights
    row, column = np.unravel_index(int(of.argmax()), of.shape)
    return int(row), int(column)


def _sum_matrix(side: Axis) -> NDArray[np.float64]:
    chosen = np.zeros((len(side.members), side.n_tokens))
    for i, members in enumerate(side.members):
        chosen[i, list(members)] = 1
    return chosen
