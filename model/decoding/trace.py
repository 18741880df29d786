"""The activations of decoding's steps, and which of them are a hypothesis's own.

H heads, W hypotheses read at once, n keys of all of them, t of one's own past.
"""

from collections.abc import Sequence

import numpy as np
from torch import Tensor

from model.decoding.beam import Hypothesis, Step, path
from model.nn.attention import MAPS
from model.nn.hooks import Hook, Recorder


def captures(steps: Sequence[Step], hypothesis: Hypothesis) -> dict[str, np.ndarray]:
    """Return all captures on the way to a hypothesis, from `step.0.…` to its own step."""
    return {k: v for one in path(steps, hypothesis) for k, v in one.captures.items()}


class StepRecorder(Hook):
    """Keeps the activations of the latest step, as `step.3.decoder.0.…`, none of the encoder."""

    def __init__(self) -> None:
        self.arrays: dict[str, np.ndarray] = {}

    def __call__(self, name: str, tensor: Tensor) -> Tensor:
        return tensor

    def step(self, index: int) -> Hook:
        recorder = Recorder()
        self.arrays = recorder.arrays
        return recorder.at(f"step.{index}")

    def of_row(self, row: int, mask: Tensor | None = None) -> dict[str, np.ndarray]:
        """Return one hypothesis's own, without batch dimension: its row, and the keys of its past.

        The mask, (1, 1, W, n), says which these are; without one, all are.
        """
        past = slice(None) if mask is None else mask[0, 0, row].numpy()
        return {name: _of_row(name, array[0], row, past) for name, array in self.arrays.items()}


def _of_row(name: str, array: np.ndarray, row: int, past: np.ndarray | slice) -> np.ndarray:
    *_, module, stage = name.split(".")
    if stage in ("k", "v"):
        return array[:, past] if module == "self_attn" else array  # (H, t or S, d_k)
    array = array[..., row : row + 1, :]  # (…, 1, n or S or D)
    return array[..., past] if module == "self_attn" and stage in MAPS else array
