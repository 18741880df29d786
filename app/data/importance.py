"""The door to what each source token did for a written one, by every method that a model has.

T target tokens, S source tokens.
"""

import numpy as np

from app.data.cache import cached
from app.data.walk import Walk
from model.interpret.calculation.target import log_probs
from model.interpret.experiments import importance as attributions
from model.interpret.experiments import plan as plans
from model.interpret.experiments.importance import METHODS, Importance

__all__ = ["METHODS", "Importance"]


def own_log_probs(walk: Walk) -> np.ndarray:
    """Return log p of each token of the translation and of its end, (T,), unchanged."""
    return log_probs(walk.capture)


@cached()
def hidden(walk: Walk) -> np.ndarray:
    """Return by how much log p of each token drops when a source token is hidden, (T, S)."""
    return plans.leave_one_out(walk.model, walk.capture)


@cached()
def importance(walk: Walk, at: int) -> Importance:
    """Return what each source token did for the token written at a target position."""
    return attributions.importance(walk.model, walk.parameters, walk.capture, at, hidden(walk))
