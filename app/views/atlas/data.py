"""The door to the head atlas of a model: what was measured, as arrays that the page can draw.

L layers, H heads.
"""

from pathlib import Path
from typing import NamedTuple

import numpy as np

from app.data.cache import cached
from app.data.changed import of
from app.data.translation import Kind, load
from model.interpret.atlas.aligning import Alignment, Variant
from model.interpret.atlas.atlas import NAME, QUANTILES, Atlas, HeadRecord, beside
from model.interpret.atlas.roles import THRESHOLD
from model.interpret.atlas.sample import HeadId
from model.interpret.capture import KINDS
from model.interpret.experiments.importance import spearman

__all__ = [
    "KINDS",
    "QUANTILES",
    "THRESHOLD",
    "Alignment",
    "Atlas",
    "HeadId",
    "HeadRecord",
    "Variant",
]


class _File(NamedTuple):
    """A folder, and the state of its atlas and of its weights."""

    folder: Path
    stamps: tuple[int, ...]


def atlas_of(model: str) -> Atlas | None:
    """Return the atlas that a model carries; None without one, or if it is of other weights."""
    folder = load(model).folder
    try:
        stats = [(folder / name).stat() for name in (NAME, "weights.safetensors")]
    except OSError:
        return None
    return _atlas(_File(folder, tuple(stat.st_mtime_ns for stat in stats)))


@cached()
def _atlas(file: _File) -> Atlas | None:
    return beside(file.folder)


def grid_of(atlas: Atlas, kind: Kind, measure: str, shown: frozenset[HeadId]) -> np.ndarray:
    """Return a measure of all heads of a kind, (L, H); NaN for one that is not shown."""
    heads = [one for one in atlas.heads if one.id.kind == kind]
    values = np.full((1 + heads[-1].id.layer, 1 + max(one.id.head for one in heads)), np.nan)
    for one in heads:
        if one.id in shown:
            values[one.id.layer, one.id.head] = value_of(one, measure)
    return values


def value_of(head: HeadRecord, measure: str) -> float:
    """Return the mean of a measure, NaN where a head has none."""
    found = head.measures.get(measure)
    return np.nan if found is None else found.mean


def correlation(x: np.ndarray, y: np.ndarray) -> float:
    """Return the rank correlation of two measures; NaN where it has none."""
    return float(spearman(np.stack([x, y]))[0, 1])


def mute(head: HeadId) -> of.MuteHeads:
    """Return the change of a run that mutes a head."""
    return of.MuteHeads(head.kind, head.layer, (head.head,))
