"""One sentence's decoding as a list of steps: how hypotheses are connected, and their captures.

H heads, W hypotheses read at once, n keys, D = d_model.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from model.decoding.beam import Hypothesis
from model.nn.hooks import NO_HOOK, Chain, Hook, Recorder


@dataclass(frozen=True)
class Step:
    """One decoding step of one sentence: its new hypotheses, several for a beam, the best first."""

    index: int
    hypotheses: tuple[Hypothesis, ...]

    @property
    def tokens(self) -> tuple[int, ...]:
        """The tokens of the best hypothesis so far."""
        return self.hypotheses[0].tokens


def best(steps: Sequence[Step]) -> Hypothesis:
    """Return the finished hypothesis with the highest score, or the best live one if none is."""
    finished = [one for step in steps for one in step.hypotheses if one.finished]
    return max(finished, key=lambda one: one.score) if finished else steps[-1].hypotheses[0]


def path(steps: Sequence[Step], hypothesis: Hypothesis) -> list[Hypothesis]:
    """Return the hypothesis and all its predecessors, the first token first."""
    back = [hypothesis]
    while (parent := back[-1].parent) is not None:
        back.append(steps[len(back[-1].tokens) - 2].hypotheses[parent])
    return back[::-1]


def captures(steps: Sequence[Step], hypothesis: Hypothesis) -> dict[str, np.ndarray]:
    """Return all captures on the way to a hypothesis, from `step.0.…` to its own step."""
    return {k: v for one in path(steps, hypothesis) for k, v in one.captures.items()}


class StepRecorder:
    """Records each decoding step separately, as `step.3.decoder.0.…`, or nothing.

    A `change` is a hook that runs before the recording.
    """

    def __init__(self, wanted: bool, change: Hook = NO_HOOK) -> None:
        self.wanted, self.change = wanted, change
        self.arrays: Mapping[str, np.ndarray] = {}

    def hook(self, index: int) -> Hook:
        """Return the hook of a step, which replaces that of the previous step."""
        change = self.change.step(index)
        if not self.wanted:
            return change
        recorder = Recorder()
        self.arrays = recorder.arrays
        return Chain(change, recorder.at(f"step.{index}"))

    def of_row(self, row: int, past: np.ndarray) -> dict[str, np.ndarray]:
        """Select one hypothesis from (1, …, W, …), and its `past` from the keys (1, H, n, d_k)."""
        return {name: _of_row(name, array[0], row, past) for name, array in self.arrays.items()}


def _of_row(name: str, array: np.ndarray, row: int, past: np.ndarray) -> np.ndarray:
    module, stage = name.split(".")[-2:]
    if stage not in ("k", "v"):
        array = array[..., row : row + 1, :]  # (…, 1, D or n or d_k)
    if module != "self_attn":
        return array
    if stage in ("k", "v"):
        return array[:, past]  # (H, t, d_k)
    if stage in ("scores", "scaled", "masked", "weights"):
        return array[..., past]  # (H, 1, t)
    return array
