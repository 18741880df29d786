"""What a run was trained to say: its target, and the loss of a model that says exactly that."""

import numpy as np

from app.data.moments import Film
from model.interpret.calculation.target import floors, target_distribution


def target_of(film: Film, token: int) -> np.ndarray:
    """Return the target where a token comes next, (V,): 1 for it, or less with label smoothing."""
    return target_distribution(token, *_smoothing(film))


def floors_of(film: Film) -> tuple[float, float]:
    """Return smoothed loss and cross-entropy of a model that says exactly its target, in nats."""
    return floors(*_smoothing(film))


def _smoothing(film: Film) -> tuple[int, float]:
    return film.capture.config.n_tgt_vocab, film.plan.train.label_smoothing
