"""What the page asks of a model's head atlas: the measurements, as arrays that can be drawn.

L layers, H heads.
"""

from typing import Final

import numpy as np

from app.data import runs, visitors
from app.data.atlas import atlas_of
from app.data.translation import Kind
from model.atlas import job
from model.atlas.aligning import Alignment, Variant
from model.atlas.atlas import QUANTILES, Atlas, HeadRecord
from model.atlas.job import status
from model.atlas.measures import MEASURES, NORMS, ROLE_SHARE, ROLES, THRESHOLD, roles_for
from model.atlas.over_training import FILM, found_at
from model.atlas.sample import HeadId
from model.checkpoint import OF_RUN
from model.config import KINDS
from model.interpret.experiments.importance import spearman
from model.runs.plan import ALIVE

__all__ = ["FILM", "KINDS", "MEASURES", "NORMS", "QUANTILES", "ROLES", "ROLE_SHARE", "THRESHOLD"]
__all__ += ["Alignment", "Atlas", "HeadId", "HeadRecord", "Variant", "atlas_of", "found_at"]
__all__ += ["roles_for", "status"]


BYTES: Final = 2**20  # of an atlas, and of what is kept while it is made


def can_measure(model: str) -> bool:
    """Return whether this visitor may have a model's atlas made."""
    return job.can_measure(model) and visitors.may_keep()


def measure(model: str) -> None:
    """Start or resume measuring a model in the background; raises ValueError."""
    visitors.make_room(BYTES)
    job.start(model, runs.threads())


def stop(model: str) -> None:
    """Stop a job, and keep what it has measured; raises ValueError."""
    visitors.refuse_keeping()
    job.stop(model)


def is_measured(model: str) -> bool:
    """Return whether a model is being measured, or is waiting to be."""
    known = status(model)
    return known is not None and known.state in ALIVE


def is_training(model: str) -> bool:
    """Return whether a model belongs to a run that has not ended."""
    return model.startswith(OF_RUN) and runs.is_alive(model.removeprefix(OF_RUN))


def grid_of(atlas: Atlas, kind: Kind, measure: str, shown: frozenset[HeadId]) -> np.ndarray:
    """Return a measure of all heads of a kind, (L, H); NaN for heads that are not shown."""
    heads = [one for one in atlas.heads if one.id.kind == kind]
    values = np.full((1 + heads[-1].id.layer, 1 + max(one.id.head for one in heads)), np.nan)
    for one in heads:
        if one.id in shown:
            values[one.id.layer, one.id.head] = value_of(one, measure)
    return values


def value_of(head: HeadRecord, measure: str) -> float:
    """Return a measure's mean, NaN if the head has none; for a role, its share, or 0."""
    if measure == ROLE_SHARE:
        return 0.0 if head.role is None else head.role.share
    found = head.measures.get(measure)
    return np.nan if found is None else found.mean


def correlation(x: np.ndarray, y: np.ndarray) -> float:
    """Return the rank correlation of two measures; NaN where there is none."""
    return float(spearman(np.stack([x, y]))[0, 1])
