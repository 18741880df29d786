"""What a training will need, before it starts: parameters, memory and time.

The time assumes that this machine has nothing else to do: its load changes from second to second
and would make the estimate for the same plan change too. This file does not import torch, so that a
page can update the estimate whenever a setting changes.
"""

import contextlib
import math
import os
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Final

import numpy as np

from model.config import Arch, ModelConfig, TrainConfig
from model.errors import UserError

# Python with torch loaded, plus validation and the tokenizer.
BASE_BYTES: Final = 320 * 2**20
BYTES_A_PAIR: Final = 1000
# The rest is left to the system and the page's own server.
SHARE: Final = 0.8
# The cost of a step, in additions of two numbers that are not in the cache: for each number that is
# kept for the backward pass, for each parameter, and for the overhead of PyTorch's calls. Matrix
# products are the smaller part. Measured at d_model 64 to 512, for all architectures: estimates are
# within a half of the real time.
SUMS_A_NUMBER: Final = 14
SUMS_A_PARAMETER: Final = 90
SUMS_A_STEP: Final = 60_000_000
# A recurrent network makes its calls for one position after another.
CALLS: Final[Mapping[Arch, float]] = {"transformer": 1.0, "rnn": 2.5, "rnnsearch": 4.5}
USUAL_TOKENS: Final = 12  # of a sentence
# The time between starting a training and its first step: load torch, read pairs, build the model.
SECONDS_TO_BEGIN: Final = 7.0
SUMMED: Final = 2**20  # numbers at once
CGROUPS: Final = Path("/sys/fs/cgroup")


@dataclass(frozen=True)
class Estimate:
    """What a training needs, along with the machine's memory and how much other runs hold."""

    parameters: int
    memory_bytes: int
    machine_bytes: int
    held_bytes: int = 0
    seconds: float = math.nan  # if not estimated

    @property
    def fits(self) -> bool:
        return self.memory_bytes + self.held_bytes <= SHARE * self.machine_bytes

    @property
    def refusal(self) -> UserError:
        """The error to raise if the training does not fit into memory."""
        code = "memory_held" if replace(self, held_bytes=0).fits else "out_of_memory"
        sizes = self.memory_bytes, self.held_bytes, self.machine_bytes
        needed, held, machine = (n / 2**30 for n in sizes)
        return UserError(code, needed=needed, held=held, machine=machine)


def estimate(
    model: ModelConfig, train: TrainConfig, pairs: int = 0, held: int = 0, slower: float = 1.0
) -> Estimate:
    """Estimate a training on a number of pairs.

    `held` is the memory that other runs hold, in bytes, and `slower` is how many times longer than
    estimated the steps of such a run have taken here.
    """
    steps = train.steps * slower * step_seconds(model, train)
    needed = estimate_memory(model, train, pairs, held)
    return replace(needed, seconds=SECONDS_TO_BEGIN + steps)


def estimate_memory(
    model: ModelConfig, train: TrainConfig, pairs: int = 0, held: int = 0
) -> Estimate:
    """Estimate everything but the time, whose measurement needs computing time and memory.

    A run waiting in the queue has no memory to spare for that.
    """
    return Estimate(
        parameters=n_parameters(model),
        memory_bytes=memory_bytes(model, train) + BYTES_A_PAIR * pairs,
        machine_bytes=machine_bytes(),
        held_bytes=held,
    )


def refuse_too_large(model: ModelConfig, train: TrainConfig, pairs: int = 0, held: int = 0) -> None:
    """Raise UserError if a training does not fit into the memory that other runs leave free."""
    needed = estimate_memory(model, train, pairs, held)
    if not needed.fits:
        raise needed.refusal


def n_parameters(model: ModelConfig) -> int:
    """Count the parameters as model.nn.translator.n_parameters does, without building the model."""
    d, f = model.d_model, model.d_ff
    if model.recurrent:
        return _n_recurrent(model) + _n_vocabulary(model) + model.n_tgt_vocab
    norm = 2 * d
    layers = _over_layers(model, 4 * (d * d + d) + norm, 2 * d * f + f + d + norm)
    last_norms = len(model.stacks) * norm if model.norm == "pre" else 0
    return layers + last_norms + _n_vocabulary(model) + model.n_tgt_vocab


def _over_layers(model: ModelConfig, attention: int, feed_forward: int) -> int:
    """Add up what each sub-layer of a Transformer takes."""
    return sum(
        model.n_layers(stack) * sum(feed_forward if one == "ffn" else attention for one in layer)
        for stack, (_, layer, _) in model.stacks.items()
    )


def _n_recurrent(model: ModelConfig) -> int:
    """Count the parameters of a recurrent translator's encoder and decoder."""
    d, h = model.d_model, model.d_hidden
    products = 3 if model.cell == "gru" else 1
    cell = products * h * (d + h + 2)
    if model.arch == "rnn":
        return 2 * cell + d * (h + 1)
    begin, attention, context = h * h + h, d * (h + 1 + 2 * h + 1), products * h * 2 * h
    return 3 * cell + begin + attention + context + d * (3 * h + d + 1)


def _n_vocabulary(model: ModelConfig) -> int:
    """Count the parameters of the embedding tables and the generator's matrix."""
    tables = (not model.share_embeddings) + (not model.tie_generator)  # besides the source's
    return (model.vocab_size + tables * model.n_tgt_vocab) * model.d_model


def memory_bytes(model: ModelConfig, train: TrainConfig) -> int:
    """Estimate the peak memory of a training, reached while it takes a step or while it saves."""
    parameters = n_parameters(model)
    slots = 2  # Adam's two moments of each gradient; Muon needs only one
    kept = 4 * parameters * (1 + 1 + slots + train.average)  # weights, gradients, moments, average
    saving = 4 * parameters * (1 + slots + train.average)  # a copy of it all, as bytes
    # The longest sentences need most, since each token keeps its attention weights on all others.
    longest = min(train.max_tokens, model.max_len)
    activations = 4 * train.batch_tokens * _kept(model, longest) // 2
    return BASE_BYTES + kept + max(saving, activations)


def _kept(model: ModelConfig, length: int) -> int:
    """Count the numbers that a forward pass keeps for the backward pass, in sentences of a length.

    Those of a source and of a target token together.
    """
    d, f = model.d_model, model.d_ff
    generator = 3 * model.n_tgt_vocab  # logits, their softmax, and its gradient
    if model.recurrent:
        return _kept_recurrent(model, length) + generator
    # q, k, v and their copies by head, context, concat, out, dropout, sum and norm.
    attention = 12 * d
    # The weights, the dropout mask, their product, and the gradient that flows back through them.
    looks = (4 if model.dropout else 2) * model.n_heads * length
    return _over_layers(model, attention + looks, 5 * d + 2 * f) + generator


def _kept_recurrent(model: ModelConfig, length: int) -> int:
    """Count the numbers that a recurrent translator keeps for a source and a target token."""
    d, h = model.d_model, model.d_hidden
    # Both products and the state; for a GRU also gates, candidate, and their intermediate results.
    cell = (10 if model.cell == "gru" else 3) * h
    if model.arch == "rnn":
        return 2 * cell + 4 * d
    return 3 * cell + 12 * h + 6 * d + 2 * d * length  # query + key, its tanh


def machine_bytes() -> int:
    """Return the memory that this process may use: the machine's, or less in a container."""
    return min([_physical_bytes(), *_cgroup_limits()])


def _physical_bytes() -> int:
    if hasattr(os, "sysconf"):
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    import ctypes  # Windows

    kilobytes = ctypes.c_ulonglong(0)
    ctypes.windll.kernel32.GetPhysicallyInstalledSystemMemory(ctypes.byref(kilobytes))  # type: ignore[attr-defined]
    return kilobytes.value * 1024


def _cgroup_limits() -> Iterator[int]:
    """Yield the memory limits of this process's cgroup and its ancestors (versions 2 and 1)."""
    try:
        lines = Path("/proc/self/cgroup").read_text(encoding="utf-8").split()
    except OSError:
        return
    for line in lines:
        _, controllers, path = line.split(":", 2)
        if controllers not in ("", "memory"):
            continue
        group = CGROUPS / controllers / path.lstrip("/")
        file = "memory.limit_in_bytes" if controllers else "memory.max"
        for folder in (group, *group.parents):
            with contextlib.suppress(OSError, ValueError):  # "max" means no limit
                yield int((folder / file).read_text(encoding="ascii"))


def step_seconds(model: ModelConfig, train: TrainConfig) -> float:
    """Estimate how long one core takes for a step, without waiting for other programs."""
    numbers = train.batch_tokens * _kept(model, USUAL_TOKENS) / 2
    sums = train.accumulate * (SUMS_A_NUMBER * numbers + CALLS[model.arch] * SUMS_A_STEP)
    return (sums + SUMS_A_PARAMETER * n_parameters(model)) * seconds_a_sum()


@cache
def seconds_a_sum() -> float:
    """Measure how long one core takes for an addition, over more numbers than its cache holds."""
    numbers, sums = np.ones((2, SUMMED), np.float32)
    best = math.inf
    for _ in range(10):
        start = time.thread_time()  # what other programs take does not count
        np.add(numbers, numbers, out=sums)
        best = min(best, time.thread_time() - start)
    return max(best, 1e-6) / SUMMED
