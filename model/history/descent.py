"""The XOR network again, with derivatives written out by hand, for many starts at once.

S starts, N rows, H hidden units.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from model.history.xor import ENOUGH, INPUTS, TARGETS, NetworkPlan, Squash, start

X: Final = np.array(INPUTS, float)  # (N, 2)
T: Final = np.array(TARGETS, float)  # (N,)
# The derivative of a hidden unit's function, by its value.
RISES: Final[Mapping[Squash, Callable[[np.ndarray], np.ndarray]]] = {
    "tanh": lambda y: 1 - y**2,
    "sigmoid": lambda y: y * (1 - y),
    "none": np.ones_like,
}


@dataclass(frozen=True, eq=False)
class Descents:
    """Where each start ends: weights (S, W), outputs (S, N), error (S,), number of updates (S,)."""

    weights: np.ndarray
    outputs: np.ndarray
    losses: np.ndarray
    updates: np.ndarray

    @property
    def learned(self) -> np.ndarray:
        """Which starts got all four rows right, (S,)."""
        return np.asarray(((self.outputs > 0.5) == (T > 0.5)).all(1))


def descend(plan: NetworkPlan, seeds: Sequence[int]) -> Descents:
    """Train once from each of the seeds, instead of from the plan's own."""
    weights = np.stack([start(replace(plan, seed=seed)) for seed in seeds])
    updates = np.zeros(len(seeds), np.int64)
    for _ in range(plan.updates):
        slopes, going = _slopes(weights, plan)
        if not going.any():
            break
        weights = weights - plan.rate * slopes * going[:, None]
        updates += going
    answers = outputs(weights, X, plan)
    return Descents(weights, answers, _losses(answers), updates)


def outputs(weights: np.ndarray, inputs: np.ndarray, plan: NetworkPlan) -> np.ndarray:
    """Return the outputs (S, N) of networks with weights (S, W) for inputs (N, 2)."""
    return _forward(weights, inputs, plan)[1]


def _forward(
    weights: np.ndarray, inputs: np.ndarray, plan: NetworkPlan
) -> tuple[np.ndarray, np.ndarray]:
    own, out = _parts(weights, plan)
    hidden = _squash(inputs @ own[:, :, :2].transpose(0, 2, 1) + own[:, None, :, 2], plan.squash)
    summed = (hidden @ out[:, :-1, None])[:, :, 0] + out[:, -1:]  # (S, N)
    return hidden, _squash(summed, "sigmoid")


def _slopes(weights: np.ndarray, plan: NetworkPlan) -> tuple[np.ndarray, np.ndarray]:
    """Return dE/dw (S, W), and which starts have not learned enough yet (S,)."""
    _, out = _parts(weights, plan)
    hidden, answers = _forward(weights, X, plan)
    late = (answers - T) * answers * (1 - answers)  # dE/d(sum into the output), (S, N)
    rise = RISES[plan.squash](hidden)
    early = late[:, :, None] * out[:, None, :-1] * rise  # (S, N, H)
    to_out = np.concatenate([(late[:, None] @ hidden)[:, 0], late.sum(1, keepdims=True)], 1)
    to_hidden = np.concatenate([early.transpose(0, 2, 1) @ X, early.sum(1)[:, :, None]], 2)
    slopes = np.concatenate([to_hidden.reshape(len(weights), -1), to_out], 1)
    return slopes, _losses(answers) >= ENOUGH


def _parts(weights: np.ndarray, plan: NetworkPlan) -> tuple[np.ndarray, np.ndarray]:
    """Split rows of weights into those of the hidden units (S, H, 3) and of the output (S, H+1)."""
    own, out = np.split(weights, [3 * plan.hidden], axis=1)
    return own.reshape(len(weights), plan.hidden, 3), out


def _squash(x: np.ndarray, squash: Squash) -> np.ndarray:
    if squash == "none":
        return x
    return np.tanh(x) if squash == "tanh" else 1 / (1 + np.exp(-x))


def _losses(answers: np.ndarray) -> np.ndarray:
    return np.asarray(0.5 * ((answers - T) ** 2).sum(1))
