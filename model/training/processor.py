"""How the processor computes: threads, memory, and the precision of its products."""

from __future__ import annotations

import contextlib
import ctypes
from collections.abc import Iterator

import torch


def use_threads(count: int) -> None:
    """Let one operation of PyTorch use at most this many threads of the process."""
    torch.set_num_threads(count)


def prepare_processor(threads: int | None = None) -> None:
    """Let the CPU train fast: oneDNN's products, and memory that is kept for the next step.

    glibc otherwise returns large tensors to the system and asks for them again at each step.
    """
    if threads:
        use_threads(threads)
    torch.set_float32_matmul_precision("medium")
    with contextlib.suppress(OSError, AttributeError):
        libc = ctypes.CDLL("libc.so.6")
        trim_threshold, mmap_max, arena_max = -1, -4, -8  # the numbers of <malloc.h>
        libc.mallopt(trim_threshold, 2**31 - 1)
        libc.mallopt(mmap_max, 0)
        libc.mallopt(arena_max, 1)  # the backward thread has a heap of its own by default


def trim_memory() -> None:
    """Give unused memory back: batches of all lengths leave holes among the tensors that stay."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL("libc.so.6").malloc_trim(0)


@contextlib.contextmanager
def full_precision() -> Iterator[None]:
    """Multiply in 32 bits for a while, for numbers to be looked at."""
    former = torch.get_float32_matmul_precision()
    torch.set_float32_matmul_precision("highest")
    try:
        yield
    finally:
        torch.set_float32_matmul_precision(former)


@contextlib.contextmanager
def one_thread() -> Iterator[None]:
    """Compute on one thread for a while: where products are small, others only wait for it."""
    former = torch.get_num_threads()
    use_threads(1)
    try:
        yield
    finally:
        use_threads(former)
