"""Turns changes into one hook, for one sentence, or for many small changes of it in one batch.

N variants, B batch, T target tokens, S source tokens.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from functools import partial

import numpy as np
import torch
from torch import Tensor

from model.errors import UserError
from model.interpret.calculation.target import log_probs, next_tokens
from model.interpret.capture import Capture, Override
from model.interpret.experiments.change import ENCODER, Change, Fit, Operation, Scene
from model.interpret.experiments.changes import HideWords, in_turn
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
        super().__init__({})
        self.plan = plan

    def __call__(self, name: str, tensor: Tensor) -> Tensor:
        if self.position is not None and name == "tgt.embed":
            self.widths[self.position :] = [tensor.shape[1]]
        for _, operation in self.plan.operations.get(name, ()):
            tensor = operation(tensor, self)
        if name in self.plan.keep:
            self.kept[name] = tensor
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
    if any(len(hidden) == len(origin) for hidden in fit.hidden.values()):
        raise UserError("nothing_left", "positions")  # an attention has no source to look at
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


class Variants(Hook):
    """One hook for a batch in which each row has the changes of its own plan."""

    def __init__(self, plans: Sequence[ChangePlan]) -> None:
        self.hooks = [plan.hook() for plan in plans]
        self.rows: dict[str, list[int]] = defaultdict(list)
        for row, one in enumerate(plans):
            for name in {*one.operations, *one.keep}:
                self.rows[name].append(row)

    def __call__(self, name: str, tensor: Tensor) -> Tensor:
        if name not in self.rows:
            return tensor
        rows = list(tensor.split(1))
        for row in self.rows[name]:
            rows[row] = self.hooks[row](name, rows[row])
        return torch.cat(rows)

    def step(self, index: int) -> Hook:
        one = copy(self)
        one.hooks = [hook.step(index) for hook in self.hooks]
        return one


@torch.inference_mode()
def log_probs_of(model: Translator, plans: Sequence[ChangePlan]) -> np.ndarray:
    """Return log p of each token of the translation under each plan, (N, T), in one pass.

    The plans are of one sentence and leave it as many tokens; what the encoder computed is taken
    over if none of them changes it.
    """
    original, hook = plans[0].original, Variants(plans)
    src = torch.tensor([plan.src_ids for plan in plans])  # (N, S)
    tgt = torch.tensor([original.tgt_ids]).repeat(len(plans), 1)  # (N, T)
    memory = None
    if all(plan.same_encoder for plan in plans):
        memory = torch.tensor(original.arrays["memory"]).repeat(len(plans), 1, 1)
    logits = model(src, tgt, hook, memory)
    own = torch.tensor(next_tokens(original)).expand(len(plans), -1)[..., None]
    return torch.log_softmax(logits.double(), dim=-1).gather(-1, own)[..., 0].numpy()


def each_alone(model: Translator, original: Capture, changes: Sequence[Change]) -> np.ndarray:
    """Return by how much each change alone changes log p of each token, (N, T), in one pass."""
    plans = [plan(model, original, [change]) for change in changes]
    return log_probs_of(model, plans) - log_probs(original)


def leave_one_out(model: Translator, original: Capture) -> np.ndarray:
    """Return by how much log p of each token drops when a source token is hidden, (T, S).

    It is hidden as by `HideWords`, from all attentions; 0 means that it did not matter.
    """
    hidden = [HideWords("src", (position,)) for position in range(len(original.src))]
    return -each_alone(model, original, hidden).T
