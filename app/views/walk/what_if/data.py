"""The door to the experiments: runs with changes, every head muted.

H heads, T target tokens.
"""

from typing import NamedTuple

import numpy as np

from app.data.cache import cached
from app.data.changed import Change, Changed, change_types
from app.data.translation import Kind
from app.data.walk import Walk
from model.config import KINDS
from model.interpret.experiments.plan import each_alone

__all__ = ["Change", "change_types"]


class AttentionLayer(NamedTuple):
    """One attention of the model: its kind, and its layer from 0."""

    kind: Kind
    layer: int


def layers(walk: Walk) -> list[AttentionLayer]:
    """Return every attention of the model, by kind and layer."""
    return [
        AttentionLayer(kind, n) for kind in KINDS for n in range(walk.config.n_attentions(kind))
    ]


def read_mute(text: str, walk: Walk) -> tuple[AttentionLayer, int] | None:
    """Return the attention and the head that a change mutes; None for any other text."""
    try:
        (mute,) = change_types.parse(text)
    except ValueError:
        return None
    if not isinstance(mute, change_types.MuteHeads) or mute.layer is None or len(mute.heads) != 1:
        return None
    at, head = AttentionLayer(mute.kind, mute.layer), mute.heads[0]
    return (at, head) if at in layers(walk) and head < walk.config.n_heads else None


@cached()
def muted(walk: Walk, at: AttentionLayer, others: bool = False) -> np.ndarray:
    """Return how log p of each token changes when a head of the layer is muted alone, (H, T).

    `others`: when all but that one are muted.
    """
    heads = range(walk.config.n_heads)
    each = [tuple(h for h in heads if (h != head) == others) for head in heads]
    mutes = [change_types.MuteHeads(*at, one) for one in each]
    return each_alone(walk.model, walk.capture, mutes)


def differing(run: Changed) -> tuple[int, int]:
    """Count the numbers of the original run, and those that are other ones in the changed run."""
    before, after = run.original.capture.arrays, run.forced.arrays
    total = sum(array.size for array in before.values())
    return total, sum(int((before[name] != after[name]).sum()) for name in before)
