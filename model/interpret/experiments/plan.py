"""Turns a list of changes into one hook, for one model and one sentence."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from functools import partial

import numpy as np
import torch
from torch import Tensor

from model.errors import UserError
from model.interpret.capture import Capture, Override
from model.interpret.experiments.change import ENCODER, Change, Fit, Operation, Scene
from model.interpret.experiments.changes import in_turn
from model.nn.hooks import Hook
from model.nn.translator import Translator


@dataclass(frozen=True, eq=False)
class ChangePlan:
    """Changes that fit a model and an unchanged run, ready to be run.

    `src_ids` are the source tokens to read, and `origin` says at which position of the unchanged
    source each of them stood. `operations` are by activation, each with the text of its change.
    """

    changes: tuple[Change, ...]
    original: Capture
    src_ids: tuple[int, ...]
    origin: tuple[int, ...]
    operations: Mapping[str, tuple[tuple[str, Operation], ...]]
    keep: frozenset[str]

    @property
    def same_encoder(self) -> bool:
        """Whether the encoder reads and does what it did in the unchanged run."""
        same = list(self.src_ids) == self.original.src_ids
        return same and not any(name.startswith(ENCODER) for name in self.operations)

    @property
    def cached(self) -> bool:
        """Whether keys and values stay what they are while more words are written."""
        return all(change.cached for change in self.changes)

    def hook(self) -> Hook:
        """Return the changes as one hook, for one run."""
        return _Hook(self)

    def overrides(self) -> dict[str, tuple[Override, ...]]:
        """Return the changes as what they do to numbers that were computed again."""
        return {
            name: tuple(Override(text, partial(_override, operation)) for text, operation in steps)
            for name, steps in self.operations.items()
        }


class _Hook(Scene, Hook):
    """Changes activations, and keeps those that a later operation needs."""

    def __init__(self, plan: ChangePlan) -> None:
        self.own: dict[str, Tensor] = {}
        super().__init__(self.own)
        self.plan = plan

    def __call__(self, name: str, tensor: Tensor) -> Tensor:
        if self.position is not None and name == "tgt.embed":
            self.widths[self.position :] = [tensor.shape[1]]
        for _, operation in self.plan.operations.get(name, ()):
            tensor = operation(tensor, self)
        if name in self.plan.keep:
            self.own[name] = tensor
        return tensor

    def step(self, index: int) -> Hook:
        one = copy(self)
        one.position = index
        return one


def _override(
    operation: Operation, array: np.ndarray, arrays: Mapping[str, np.ndarray]
) -> np.ndarray:
    """Do to one array of a run, in float64 and without batch dimension, what a change does."""
    return operation(_double(array), Scene(_Doubles(arrays)))[0].numpy()


class _Doubles(dict[str, Tensor]):
    """Arrays as tensors of one batch in float64, each made when it is asked for."""

    def __init__(self, arrays: Mapping[str, np.ndarray]) -> None:
        super().__init__()
        self.arrays = arrays

    def __missing__(self, name: str) -> Tensor:
        return _double(self.arrays[name])


def _double(array: np.ndarray) -> Tensor:
    return torch.tensor(array, dtype=torch.float64)[None]


@torch.inference_mode(False)  # what a gradient is to pass by later
@torch.no_grad()
def plan(
    model: Translator,
    original: Capture,
    changes: Sequence[Change],
    runs: Mapping[str, Capture] | None = None,
) -> ChangePlan:
    """Fit changes to a model and to the unchanged run of a sentence and its translation.

    They are done in turn, those of one class in the order of the list; `runs` are
    those that patches come from. Raises UserError for what this model or sentence does not have.
    """
    src_ids, origin = _source(original, changes)
    fit = Fit(model, original, origin, runs or {})
    operations: dict[str, list[tuple[str, Operation]]] = defaultdict(list)
    keep: set[str] = set()
    for change in in_turn(changes):
        for action in change.actions(fit):
            operations[action.name].append((change.text, action.operation))
            keep.update(action.keep)
    fit.leave_something()
    done = {name: tuple(steps) for name, steps in operations.items()}
    return ChangePlan(tuple(changes), original, src_ids, origin, done, frozenset(keep))


def _source(
    original: Capture, changes: Sequence[Change]
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the source tokens that the changes leave, and where each of them stood."""
    slots = [[token] for token in original.src_ids]
    order: Sequence[int] = range(len(slots))
    for change in in_turn(changes):
        order = change.read(original, slots, order)
    origin = tuple(i for i in order for _ in slots[i])
    if not origin:
        raise UserError("nothing_left", "positions")
    return tuple(token for i in order for token in slots[i]), origin
