"""What a head is for, in a word, where it does it for most of its attention on unseen sentences.

N sentences.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from model.atlas.measures import ROLES
from model.config import Kind

THRESHOLD: Final = 0.6  # of the weight
LEAST: Final = 20  # sentences of a half that a share has to be measured on


@dataclass(frozen=True)
class Found:
    """A role with the mean share of the weight that it has on the held-out sentences."""

    role: str
    share: float
    threshold: float = THRESHOLD


def roles_for(kind: Kind) -> tuple[str, ...]:
    """Return the roles that heads of a kind can have.

    A mark ends what the decoder writes: only the mark itself sees one, so it tells nothing.
    """
    return tuple(one for one in ROLES if not (kind == "decoder" and one == "punctuation"))


def role_of(shares: Mapping[str, np.ndarray]) -> Found | None:
    """Name the role of a head by its shares in each sentence, (N,), NaN where there is none.

    Even sentences choose the largest share, odd ones have to confirm it.
    """
    means: dict[str, tuple[float, float]] = {}
    for role, values in shares.items():
        halves = [half[~np.isnan(half)] for half in (values[::2], values[1::2])]
        if min(map(len, halves)) >= LEAST:
            means[role] = float(halves[0].mean()), float(halves[1].mean())
    if not means:
        return None
    role = max(means, key=lambda one: means[one][0])
    return Found(role, means[role][1]) if min(means[role]) >= THRESHOLD else None
