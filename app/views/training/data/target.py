"""What a run was trained to predict, and the loss of a model that predicts exactly that."""

import numpy as np

from app.data.moments import Film
from model.interpret.calculation.target import floors, target_distribution


def target_of(film: Film, token: int) -> np.ndarray:
    """Return the target for a next token, (V,): 1 at that token, or less with label smoothing."""
    return target_distribution(token, *_smoothing(film))


def floors_of(film: Film) -> tuple[float, float]:
    """Return the smoothed loss and cross-entropy, in nats, of a model that predicts its target."""
    return floors(*_smoothing(film))


def _smoothing(film: Film) -> tuple[int, float]:
    return film.capture.config.n_tgt_vocab, film.plan.train.label_smoothing
