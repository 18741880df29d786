"""Many small changes of one run, side by side in one batch: each head muted, each word hidden.

N variants, B batch, T target tokens, S source tokens.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from copy import copy

import numpy as np
import torch
from torch import Tensor

from model.interpret.calculation.target import next_tokens
from model.interpret.capture import Capture
from model.interpret.experiments.change import Change
from model.interpret.experiments.changed import log_probs
from model.interpret.experiments.changes import HideWords
from model.interpret.experiments.plan import ChangePlan, plan
from model.nn.hooks import Hook
from model.nn.masks import padding_mask, target_mask
from model.nn.translator import Translator


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
    src_mask = padding_mask(src, model.config.pad_id)
    if all(plan.same_encoder for plan in plans):
        memory = torch.tensor(original.arrays["memory"]).repeat(len(plans), 1, 1)
    else:
        memory = model.encode(src, src_mask, hook)
    tgt_mask = target_mask(tgt, model.config.pad_id)
    logits = model.logits(model.decode(tgt, memory, tgt_mask, src_mask, hook), hook)
    own = torch.tensor(next_tokens(original)).expand(len(plans), -1)[..., None]
    return torch.log_softmax(logits.double(), dim=-1).gather(-1, own)[..., 0].numpy()


def each_alone(model: Translator, original: Capture, changes: Sequence[Change]) -> np.ndarray:
    """Return by how much each change alone changes log p of each token, (N, T), in one pass."""
    plans = [plan(model, original, [change]) for change in changes]
    return log_probs_of(model, plans) - log_probs(original)


def leave_one_out(
    model: Translator, original: Capture, words: Sequence[Sequence[int]] | None = None
) -> np.ndarray:
    """Return by how much log p of each token drops when a source word is hidden, (T, words).

    A word is the positions of its tokens; by default each token is one. It is hidden as by
    `HideWords`, from all attentions; 0 means that it did not matter.
    """
    words = [[position] for position in range(len(original.src))] if words is None else words
    return -each_alone(model, original, [HideWords("src", tuple(word)) for word in words]).T
